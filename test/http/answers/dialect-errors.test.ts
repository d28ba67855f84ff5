import { describe, expect, test } from 'vitest';

import { cardCharge, chargeOf } from '../../resources/charges/support.js';
import { scenarioOf } from '../../scenarios/support.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { type Answer, client, testSandbox, warningOf } from '../../support/sandbox.js';
import { expectSdkError, memberOf, SDK, sdkSetup, sdkText } from '../../support/sdk.js';
import { NO_FUNDS, UNKNOWN_ID } from '../../support/stored.js';

describe('errors', () => {
  test('have exactly the fields that client libraries read, and the longer text as a warning', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge());
    const id = sdkText(made, 'chargeId');
    const answer = await api.del(`/charge/${id}/void`);
    expectSdkError(answer, 409, 54, 'Invalid Charge Status');
    expect(answer.body).toMatchObject({ resource: `/charge/${id}/void`, details: null, isRetryable: false });
    expect(warningOf(answer)).toBe(
      `Invalid Charge Status: The charge ${id} is SUCCESS. To void it, its status must be Authorised or PENDING_CHECKOUT.`,
    );
  });

  test('have details, and no resource, where the code is 90', async () => {
    const { api } = sdkSetup();
    const wrong = await api.charge(cardCharge({ Initiator: 'NOBODY' }));
    expectSdkError(wrong, 400, 90, 'Validation Error');
    expect(wrong.body['details']).toEqual({ Initiator: 'must be one of CUSTOMER, MERCHANT, not "NOBODY"' });
    expect(wrong.body['resource']).toBeNull();
    const amount = await api.charge(cardCharge({ Amount: '1x2' }));
    expectSdkError(amount, 400, 2, 'Invalid Amount');
    expect(amount.body).toMatchObject({ details: null, resource: '/charge/card' });
    expect(warningOf(amount)).toContain('Amount is "1x2"');
  });

  test.each(['null', '5', '"x"', '[1]', 'true'])(
    'have details if a capture has the body %s, which is no object',
    async (body) => {
      const { api } = sdkSetup();
      const made = await api.charge(cardCharge({ Capture: false }));
      const path = `/charge/${sdkText(made, 'chargeId')}`;
      for (const to of [path, `${path}/capture`]) {
        const answer = await api.post(to, body);
        expectSdkError(answer, 400, 90, 'Validation Error');
        expect(answer.body['details']).toEqual({
          Request: 'The body must be a JSON object, such as {"Amount": 15.5, …}.',
        });
      }
      expect(memberOf(await api.get(path), 'status')).toBe('AUTHORISE');
    },
  );

  test('of a decline are named by the warning alone with their charge', async () => {
    const { api } = sdkSetup();
    const declined = await api.charge(chargeOf(NO_FUNDS, { Reference: 'r' }));
    expectSdkError(declined, 400, 15, 'Insufficient Funds');
    expect(declined.body).toMatchObject({ isRetryable: true, gatewayCode: '51', resource: '/charge/card' });
    expect(declined.body['details']).toMatchObject({ PaymentType: 'CARD', CardType: 'VISA' });
    const stored = await api.get('/charge?Reference=r');
    const [charge] = memberOf(stored, 'charges') as { chargeId: string; status: string }[];
    expect(charge?.status).toBe('FAILED');
    expect(warningOf(declined)).toContain(`stored as ${charge?.chargeId}`);
  });

  interface Sent {
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly key?: null;
    readonly options?: InnerSandboxOptions;
  }

  test.each<[what: string, status: number, code: number, sent: Sent]>([
    ['a missing key', 401, 40, { path: '/charge', key: null }],
    ['a refused Host', 403, 90, { path: '/charge', headers: { host: 'evil.example.com' } }],
    ['an unknown path', 404, 90, { path: '/nothing' }],
    ['a wrong method', 405, 90, { path: '/charge/card' }],
    ['a large body', 413, 90, { path: '/charge/card', body: cardCharge(), options: { bodyLimit: 9 } }],
    [
      'a wrong media type',
      415,
      90,
      { path: '/charge/card', body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['a body that is no JSON', 400, 90, { path: '/charge/card', body: '{"a":' }],
    ['a body that is no object', 400, 90, { path: '/charge/card', body: '[1]' }],
    ['an unknown charge', 404, 84, { path: `/charge/${UNKNOWN_ID}` }],
    ['a wanted status', 503, 37, { path: '/charge', headers: { 'x-sandbox-fault': 'status=503' } }],
    ['a bad header of the sandbox', 400, 90, { path: '/charge', headers: { 'x-sandbox-fault': 'x' } }],
  ])(
    '%s is answered alike in both dialects',
    async (_, status, code, { path, body, headers, key, options }) => {
      const send = (dialect: Record<string, string>): Promise<Answer> => {
        const { get, post } = client(testSandbox(options), key);
        return body === undefined
          ? get(path, { ...headers, ...dialect })
          : post(path, body, { ...headers, ...dialect });
      };
      const documented = await send({});
      const sdk = await send(SDK);
      expect(documented).toMatchObject({ status, body: { HttpStatus: status, Code: code } });
      expectSdkError(sdk, status, code, String(documented.body['Message']).split(':')[0] ?? '');
      expect(sdk.body['resource']).toBe(code === 90 ? null : documented.body['Resource']);
      expect(warningOf(sdk)).toMatch(/^[\x20-\x7e]+$/);
      for (const header of ['allow', 'retry-after']) {
        expect(sdk.headers.get(header)).toBe(documented.headers.get(header));
      }
    },
  );

  test('before the key is known speak the dialect of new worlds', async () => {
    const scenario = await scenarioOf('name: test\ndialect: sdk\n');
    for (const api of [
      client(testSandbox({ dialect: 'sdk' }), null),
      client(testSandbox({ scenario }), 'sk_live_x'),
    ])
      expectSdkError(await api.get('/charge'), 401, 40, 'Invalid Authentication');
  });

  test('have a warning of ASCII, at most 1 KiB, whatever was sent', async () => {
    const { api } = sdkSetup();
    const answer = await api.charge(cardCharge({ Amount: `5 ${'é漢'.repeat(400)}` }));
    const warning = warningOf(answer) ?? '';
    expect(warning).toMatch(/^[\x20-\x7e]{1,1024}$/);
    const long = await api.post(`/charge/${'x'.repeat(3000)}/y`, {});
    expect((warningOf(long) ?? '').length).toBeLessThanOrEqual(1024);
  });

  test('mask a card number in the wrong place', async () => {
    const { api } = sdkSetup();
    const answer = await api.get('/charge/4242424242424242');
    expect(answer.text + [...answer.headers].join('\n')).not.toContain('4242424242424242');
    expect(answer.body['resource']).toBe('/charge/4242********4242');
  });

  test('without a longer text have no warning', async () => {
    const { api } = sdkSetup();
    const made = await api.get('/charge');
    expect(warningOf(made)).toBeNull();
  });

  test('an answer that is cut off before any body has it too', async () => {
    const { sandbox } = sdkSetup();
    const request = new Request('http://localhost/charge', {
      headers: { 'x-secretkey': 'sk_test_a', 'x-sandbox-fault': 'dribble; phase=before' },
    });
    const text = await (await sandbox.fetch(request)).text();
    expect(JSON.parse(text)).toMatchObject({ httpStatus: 503, code: 37, message: 'Retry later' });
    expect(text).toContain('"isRetryable":true');
  });
});
