import { describe, expect, test } from 'vitest';

import { scenarioOf } from '../../scenarios/support.js';
import { sandboxServed } from '../../support/serving.js';
import { HOST, KEY, openWire, requestText, talk } from './support.js';

/** What the server itself refuses, before the app sees it, is read by the same clients as all other errors. */

const EXCESS = 'The server is already handling 0 requests, the maximum.';

/** Asserts that a text is one error in the shape that client libraries read, its longer text in the warning. */
function expectRefusal(answer: string, status: number, code: number, message: string, detail: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain(`\r\ncontent-length: ${body.length}`);
  expect(head).toContain(`\r\nx-sandbox-warning: ${message}: ${detail}`);
  expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toEqual({
    message,
    code,
    isRetryable: code === 37,
    type: `https://docs.payfurl.com/errorcodes#${code}`,
    resource: null,
    details: code === 90 ? { Request: expect.stringContaining(decodeURIComponent(detail)) } : null,
    gatewayCode: null,
    gatewayMessage: null,
    httpStatus: status,
  });
}

describe('in the sdk dialect', () => {
  test.each<[what: string, text: string, status: number, detail: string]>([
    ['what is no HTTP', 'nonsense\r\n\r\n', 400, 'The request is not well-formed HTTP/1.1.'],
    ['a request without a Host', requestText('GET /charge', [KEY]), 400, 'The request has no Host header'],
    ['another scheme', requestText('GET ftp://localhost/', [HOST]), 400, 'The request line is malformed'],
    [
      'headers that are too large',
      requestText('GET /charge', [HOST, `x-filler: ${'x'.repeat(40_000)}`]),
      431,
      'The headers are too large; the maximum is 32 KiB.',
    ],
    [
      'an expectation',
      requestText('GET /', [HOST, 'Expect: caf\u00e9']),
      417,
      'The header Expect must be 100-continue, not "caf%C3%A9"',
    ],
  ])('%s is refused', async (_, text, status, detail) => {
    const { port } = await sandboxServed({ dialect: 'sdk' });
    expectRefusal(await talk(port, text), status, 90, 'Validation Error', detail);
  });

  test('one request too many is refused', async () => {
    const { port } = await sandboxServed({ dialect: 'sdk' }, { requestsMax: 0 });
    const wire = await openWire(port);
    wire.send(requestText('GET /charge', [HOST, KEY]));
    const answer = await wire.until('}');
    wire.socket.destroy();
    expectRefusal(answer, 503, 37, 'Retry later', EXCESS);
  });

  test('so it is where the scenario of all worlds speaks it', async () => {
    const { port } = await sandboxServed({ scenario: await scenarioOf('name: test\ndialect: sdk') });
    expectRefusal(await talk(port, 'nonsense\r\n\r\n'), 400, 90, 'Validation Error', 'The request is');
  });

  test('so it is for a library that names itself, if its headers could be read', async () => {
    const { port } = await sandboxServed({});
    const named = 'user-agent: PayFURL-Java-SDK-v.2022.0.1';
    const answer = await talk(port, requestText('GET /charge', [named, KEY]));
    expectRefusal(answer, 400, 90, 'Validation Error', 'The request has no Host header');
  });
});

test('in the documented dialect the message says all, and there is no warning', async () => {
  const { port } = await sandboxServed({});
  const answer = await talk(port, 'nonsense\r\n\r\n');
  expect(answer).toContain('"Message":"Validation Error: The request is not well-formed HTTP/1.1."');
  expect(answer).not.toContain('x-sandbox-warning');
});
