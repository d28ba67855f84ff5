import { describe, expect, test } from 'vitest';

import { cardOf, STEADY } from '../../support/bodies.js';
import { sandboxServed } from '../../support/serving.js';
import { CLOSE, HOST, JSON_TYPE, KEY, openWire, requestText, talk } from './support.js';

/** The request line as proxies get it, and the two forms that no path can be read from. */

const CHARGE = JSON.stringify({
  Amount: 20,
  Currency: 'AUD',
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
});

describe('a whole address in the request line', () => {
  test.each([
    ['http://localhost/charge?reference=x', 'Host: localhost', 200, '"Count":0'],
    ['HTTP://LOCALHOST:4010/charge', 'Host: localhost:4010', 200, '"Count":0'],
    ['https://127.0.0.1/charge', 'Host: 127.0.0.1', 200, '"Count":0'],
    ['http://localhost/charge/../vault', 'Host: localhost', 404, 'There is no such path'],
    ['http://localhost/', 'Host: localhost', 404, 'There is no such path'],
    ['http://localhost', 'Host: localhost', 404, 'There is no such path'],
    ['http://localhost?a=/charge', 'Host: localhost', 404, 'There is no such path'],
    // The address counts, not the header.
    ['http://localhost/charge', 'Host: evil.com', 200, '"Count":0'],
    ['http://evil.com/charge', 'Host: localhost', 403, 'does not answer requests for the host evil.com'],
    ['http://user:pass@localhost/charge', 'Host: localhost', 400, 'The Host header is malformed'],
    ['http:///charge', 'Host: localhost', 400, 'The Host header is malformed'],
    ['http://localhost/charge#x', 'Host: localhost', 400, 'The request line is malformed'],
    ['ftp://localhost/charge', 'Host: localhost', 400, 'The request line is malformed'],
  ])('GET %s with %s: %i', async (address, host, status, says) => {
    const { port } = await sandboxServed({});
    const answer = await talk(port, requestText(`GET ${address}`, [host, KEY, CLOSE]));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(says);
  });

  test('still needs one Host header', async () => {
    const { port } = await sandboxServed({});
    expect(await talk(port, requestText('GET http://localhost/charge', [KEY]))).toContain(
      'has no Host header',
    );
  });

  test('may come with a body, after a call without, and is recorded by its path', async () => {
    const { port, sandbox } = await sandboxServed({});
    const wire = await openWire(port);
    wire.send(requestText('GET http://localhost/charge', [HOST, KEY]));
    await wire.until('"Count":0');
    wire.send(requestText('POST http://localhost/charge/card', [HOST, KEY, JSON_TYPE, CLOSE], CHARGE));
    expect(await wire.closed()).toContain('HTTP/1.1 201 Created');
    const entries = [...(sandbox.worlds.find('sk_test_a')?.journal.entries() ?? [])];
    expect(entries.map(({ path }) => path)).toEqual(['/charge', '/charge/card']);
  });

  test('is answered by its path before the gate of pages: another site may not change anything', async () => {
    const { port } = await sandboxServed({});
    const headers = [HOST, KEY, JSON_TYPE, CLOSE, 'Origin: http://evil.com'];
    expect(await talk(port, requestText('POST http://localhost/charge/card', headers, CHARGE))).toMatch(
      /^HTTP\/1\.1 403 /,
    );
  });
});

test('OPTIONS * is refused with an example of what is answered', async () => {
  const { port } = await sandboxServed({});
  const answer = await talk(port, requestText('OPTIONS *', [HOST, CLOSE]));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('OPTIONS * is not supported; ask about a path, such as OPTIONS /charge.');
});

describe('CONNECT', () => {
  const TUNNEL = 'This server does not open tunnels (CONNECT)';

  test.each(['api.payfurl.com:443', '/charge'])('to %s is refused with the reason', async (target) => {
    const { port } = await sandboxServed({});
    const answer = await talk(port, requestText(`CONNECT ${target}`, [HOST]));
    expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
    expect(answer).toContain(TUNNEL);
    expect(answer).toContain('\r\nconnection: close\r\n');
  });

  test('after a call waits for its answer', async () => {
    const { port } = await sandboxServed({});
    const wire = await openWire(port);
    wire.send(requestText('GET /charge', [HOST, KEY]) + requestText('CONNECT evil.com:443', [HOST]));
    const answer = await wire.closed();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"Count":0[^]*HTTP\/1\.1 501 /);
    expect(answer).toContain(TUNNEL);
  });

  test('from a client that leaves at once does no harm', async () => {
    const { port } = await sandboxServed({});
    const wire = await openWire(port);
    wire.send(requestText('CONNECT evil.com:443', [HOST]));
    wire.socket.resetAndDestroy();
    expect(await talk(port, requestText('GET /charge', [HOST, KEY, CLOSE]))).toContain('"Count":0');
  });
});
