import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { EXPOSED_HEADERS } from '../../src/http/answers/respond.js';
import { client, testSandbox } from '../support/sandbox.js';
import { words } from '../support/tables.js';

const LONG_LABEL = 'a'.repeat(300);

describe('Host', () => {
  test.each(words`
    localhost localhost:4010 LOCALHOST shop.localhost 127.0.0.1:4010 10.1.2.3 203.0.113.9 [::1]:4010 [2001:db8::7]
    [::ffff:127.0.0.1]:80 playmoney playmoney:4010 my_service printer.local host.docker.internal:4010 api.test
    playmoney.default.svc.cluster.local sandbox.example.com Sandbox.Example.com:8443
    `)('%s is served, since no stranger owns it or it was allowed', async (host) => {
    const { get } = client(testSandbox({ allowedHosts: ['sandbox.example.com'] }));
    expect((await get('/charge', { host })).status).toBe(200);
  });

  test.each(words`
    evil.example.com evil.com:4010 localhost.evil.com evillocalhost.com 127.0.0.1.evil.com 127.0.0.1.nip.io
    xlocalhost. test.com 1.2.3.4.5 sub.sandbox.example.com
  `)('%s is refused with the flag that would allow it', async (host) => {
    const { get } = client(testSandbox({ allowedHosts: ['sandbox.example.com'] }));
    const { status, body } = await get('/charge', { host });
    expect(status).toBe(403);
    expect(body).toMatchObject({ HttpStatus: 403, Code: 90, IsRetryable: false });
    expect(body['Message']).toContain(`--allowed-host ${host.replace(':4010', '')}`);
  });

  test('a very long name is not repeated in full', async () => {
    const { get } = client(testSandbox());
    const { status, text } = await get('/charge', { host: `${LONG_LABEL}.com` });
    expect(status).toBe(403);
    expect(text.length).toBeLessThan(700);
  });

  test('without a Host header, in process, the address that was called stands for it', async () => {
    const sandbox = testSandbox();
    const headers = { 'x-secretkey': 'sk_test_a' };
    expect((await sandbox.fetch(new Request('http://playmoney.test/charge', { headers }))).status).toBe(200);
    expect((await sandbox.fetch(new Request('http://evil.com/charge', { headers }))).status).toBe(403);
  });

  test('the gate stands before health checks too', async () => {
    const { get } = client(testSandbox(), null);
    expect((await get('/_sandbox/health', { host: 'evil.com' })).status).toBe(403);
  });

  test('a name that was refused stays refused, and one that passed stays served', async () => {
    const { get } = client(testSandbox());
    for (const expected of [200, 403, 200, 403]) {
      const host = expected === 200 ? 'localhost' : 'evil.com';
      expect((await get('/charge', { host })).status).toBe(expected);
    }
  });
});

const HOST = 'playmoney.test:4010';

describe('Origin', () => {
  test.each(words`
    http://playmoney.test:4010 https://playmoney.test:4010 http://localhost:5173 https://shop.localhost:3000
    http://127.0.0.1:8080 http://127.9.9.9 http://[::1]:3000 https://shop.example.com
  `)('%s may call and read', async (origin) => {
    const { get, post } = client(testSandbox({ allowedOrigins: ['https://shop.example.com'] }));
    for (const answer of [
      await get('/charge', { host: HOST, origin }),
      await post('/vault', {}, { host: HOST, origin }),
    ]) {
      expect(answer.status).not.toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS);
      expect(answer.headers.get('vary')).toBe('origin');
    }
    const control = await get('/_sandbox/world', { host: HOST, origin });
    expect(control.status).toBe(200);
    expect(control.headers.get('access-control-allow-origin')).toBe(origin);
  });

  const STRANGERS = words`
    https://evil.com https://localhost.evil.com https://127.evil.com https://127.0.0.1.evil.com
    http://playmoney.test:9999 http://playmoney.test https://shop.example.com:444
    https://shop.example.com.evil.com file://localhost http://evil.com/http://localhost null
  `;

  test.each(STRANGERS)('%s may not change anything', async (origin) => {
    const { post, put, del } = client(testSandbox({ allowedOrigins: ['https://shop.example.com'] }));
    for (const send of [
      post('/vault', {}, { host: HOST, origin }),
      put('/x', {}, { host: HOST, origin }),
      del('/vault/1', { host: HOST, origin }),
    ]) {
      const { status, body, headers } = await send;
      expect(status).toBe(403);
      expect(body).toMatchObject({ Code: 90, HttpStatus: 403 });
      expect(body['Message']).toContain(`--allowed-origin ${origin}`);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test.each(STRANGERS)(
    '%s may send a GET, and its browser gets no leave to read the answer',
    async (origin) => {
      const { get } = client(testSandbox());
      const { status, headers } = await get('/charge', { host: HOST, origin });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test.each(STRANGERS)('%s may do nothing at all under /_sandbox', async (origin) => {
    const { get } = client(testSandbox());
    for (const path of words`
      /_sandbox/world /_sandbox/health /_sandbox/worlds /_sandbox/errors /_sandbox /_sandbox/
    `) {
      expect((await get(path, { host: HOST, origin })).status).toBe(403);
    }
  });

  test('is described in three pages with the same sentence', async () => {
    const sentence =
      "A call whose Origin is not the server's own, a loopback one or an `--allowed-origin` gets 403, unless it is a GET, HEAD or OPTIONS outside `/_sandbox`: that is answered without CORS headers, so the page cannot read the answer.";
    for (const page of ['SECURITY.md', 'docs/guides/front-end.md', 'docs/reference/fidelity.md']) {
      const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
      expect(text.replaceAll(/\s+/g, ' '), page).toContain(sentence);
    }
    const sandbox = testSandbox();
    const headers = { 'x-secretkey': 'sk_test_a', origin: 'https://evil.com' };
    const sent = async (method: string, path: string): Promise<[status: number, leave: string[]]> => {
      const answer = await sandbox.fetch(new Request(`http://${HOST}${path}`, { method, headers }));
      return [answer.status, [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))];
    };
    expect(await sent('GET', '/charge')).toEqual([200, []]);
    expect(await sent('HEAD', '/charge')).toEqual([200, []]);
    expect(await sent('OPTIONS', '/charge')).toEqual([204, []]);
    for (const method of ['POST', 'PUT', 'DELETE']) expect(await sent(method, '/vault')).toEqual([403, []]);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      expect(await sent(method, '/_sandbox/world')).toEqual([403, []]);
  });

  test('null gets a message about file:// pages, and can be allowed', async () => {
    const refused = await client(testSandbox()).post('/vault', {}, { origin: 'null' });
    expect(refused.body['Message']).toContain('file');
    const allowed = await client(testSandbox({ allowedOrigins: ['null'] })).post(
      '/vault',
      {},
      { origin: 'null' },
    );
    expect(allowed.status).toBe(400);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('null');
  });

  test('a log line names each page that is refused, also if its GET is answered', async () => {
    const details: string[] = [];
    const { get, post } = client(testSandbox({ onTurnedAway: (detail) => details.push(detail) }));
    const phone = 'http://192.168.1.20:5173';
    expect((await get('/charge', { host: HOST, origin: phone })).status).toBe(200);
    expect((await post('/vault', {}, { host: HOST, origin: 'null' })).status).toBe(403);
    expect((await get('/charge', { host: 'macbook.lan' })).status).toBe(403);
    await get('/charge', { host: HOST, origin: 'http://localhost:5173' });
    expect(details).toEqual([
      `The origin ${phone} may not call this server. Allow it with --allowed-origin ${phone}, in a program with the option allowedOrigins.`,
      'The origin null may not call this server. A page that was opened from a file has the origin null: serve it over http, or allow it with --allowed-origin null.',
      'This server does not answer requests for the host macbook.lan. Use 127.0.0.1 or localhost, or allow the name with --allowed-host macbook.lan, in a program with the option allowedHosts.',
    ]);
  });

  test.each([
    ['a refusal', '/nowhere', 'sk_test_a', 404],
    ['a refusal of the key', '/charge', null, 401],
    ['an answer to a call with credentials', '/charge', 'sk_test_a', 200],
  ])('%s may be read by a trusted page', async (_, path, key, expected) => {
    const { get } = client(testSandbox(), key);
    const { status, headers } = await get(path, { origin: 'http://localhost:5173' });
    expect(status).toBe(expected);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('an answer to a call without an Origin has no CORS headers', async () => {
    const { headers } = await client(testSandbox()).get('/charge');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('preflight', () => {
  const options = (sandbox: ReturnType<typeof testSandbox>, path: string, headers: Record<string, string>) =>
    sandbox.fetch(new Request(`http://localhost${path}`, { method: 'OPTIONS', headers }));

  test('a trusted origin learns what it may send, without a key', async () => {
    const response = await options(testSandbox(), '/charge/card', {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': `content-type,x-secretkey,traceparent,*,x b,${'y'.repeat(257)}`,
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'content-type, x-secretkey, traceparent',
    );
    expect(response.headers.get('access-control-allow-private-network')).toBeNull();
    expect(response.headers.get('vary')).toMatch(/^origin, access-control-request-method, /);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('allows at most a hundred headers, a private network if it is asked about, and without names none', async () => {
    const origin = 'http://localhost:5173';
    const many = Array.from({ length: 120 }, (_, n) => `x-${n}`).join(',');
    const answer = await options(testSandbox(), '/charge', {
      origin,
      'access-control-request-headers': many,
      'access-control-request-private-network': 'true',
    });
    expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toHaveLength(100);
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
    // Without a preflight's own header it is a plain OPTIONS.
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    const plain = await options(testSandbox(), '/charge', { origin });
    expect(plain.headers.get('access-control-allow-headers')).toBeNull();
  });

  test('a stranger gets no leave', async () => {
    const response = await options(testSandbox(), '/charge/card', {
      origin: 'https://evil.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-secretkey',
      'access-control-request-private-network': 'true',
    });
    expect(response.status).toBe(204);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('a stranger is refused under /_sandbox, and under a name of its own everywhere', async () => {
    expect((await options(testSandbox(), '/_sandbox/reset', { origin: 'https://evil.com' })).status).toBe(
      403,
    );
    expect((await options(testSandbox(), '/charge/card', { host: 'evil.com' })).status).toBe(403);
  });

  test('a preflight of the control API needs no admin token, since browsers send none with it', async () => {
    const sandbox = testSandbox({ adminToken: 'secret' });
    const response = await options(sandbox, '/_sandbox/reset', { origin: 'http://localhost:5173' });
    expect(response.status).toBe(204);
  });
});
