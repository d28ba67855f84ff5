import { describe, expect, test } from 'vitest';

import { cardCharge, chargeOf } from '../../resources/charges/support.js';
import { scenarioOf } from '../../scenarios/support.js';
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
      `Invalid Charge Status: The charge ${id} is SUCCESS. To void it, its status must be Authorised.`,
    );
  });

  test('have no resource where the code is 90', async () => {
    const { api } = sdkSetup();
    const wrong = await api.charge(cardCharge({ Initiator: 'NOBODY' }));
    expectSdkError(wrong, 400, 90, 'Validation Error');
    expect(wrong.body['resource']).toBeNull();
    const amount = await api.charge(cardCharge({ Amount: '1x2' }));
    expect(amount.body['resource']).toBe('/charge/card');
  });

  test('have details for code 90 and for declines', async () => {
    const { api } = sdkSetup();
    const wrong = await api.charge(cardCharge({ Initiator: 'NOBODY' }));
    expectSdkError(wrong, 400, 90, 'Validation Error');
    expect(wrong.body['details']).toEqual({ Initiator: 'must be one of CUSTOMER, MERCHANT' });
    const amount = await api.charge(cardCharge({ Amount: '1x2' }));
    expectSdkError(amount, 400, 2, 'Invalid Amount');
    expect(amount.body['details']).toBeNull();
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

  test.each<
    [what: string, status: number, code: number, send: (header: Record<string, string>) => Promise<Answer>]
  >([
    ['a missing key', 401, 40, (dialect) => client(testSandbox(), null).get('/charge', dialect)],
    [
      'a refused Host',
      403,
      90,
      (dialect) => client(testSandbox()).get('/charge', { ...dialect, host: 'evil.example.com' }),
    ],
    ['an unknown path', 404, 90, (dialect) => client(testSandbox()).get('/nothing', dialect)],
    ['a wrong method', 405, 90, (dialect) => client(testSandbox()).get('/charge/card', dialect)],
    [
      'a body that is too large',
      413,
      90,
      (dialect) => client(testSandbox({ bodyLimit: 9 })).post('/charge/card', cardCharge(), dialect),
    ],
    [
      'a wrong media type',
      415,
      90,
      (dialect) =>
        client(testSandbox()).post('/charge/card', 'x', { ...dialect, 'content-type': 'text/plain' }),
    ],
    [
      'a body that is no JSON',
      400,
      90,
      (dialect) => client(testSandbox()).post('/charge/card', '{"a":', dialect),
    ],
    [
      'a body that is no object',
      400,
      90,
      (dialect) => client(testSandbox()).post('/charge/card', '[1]', dialect),
    ],
    ['an unknown charge', 404, 84, (dialect) => client(testSandbox()).get(`/charge/${UNKNOWN_ID}`, dialect)],
    [
      'a status that was asked for',
      503,
      37,
      (dialect) => client(testSandbox()).get('/charge', { ...dialect, 'x-sandbox-fault': 'status=503' }),
    ],
    [
      'a bad header of the sandbox',
      400,
      90,
      (dialect) => client(testSandbox()).get('/charge', { ...dialect, 'x-sandbox-fault': 'x' }),
    ],
  ])('%s is answered alike in both dialects', async (_, status, code, send) => {
    const documented = await send({});
    const sdk = await send(SDK);
    expect(documented).toMatchObject({ status, body: { HttpStatus: status, Code: code } });
    expectSdkError(sdk, status, code, String(documented.body['Message']).split(':')[0] ?? '');
    expect(sdk.body['resource']).toBe(code === 90 ? null : documented.body['Resource']);
    expect(warningOf(sdk)).toMatch(/^[\x20-\x7e]+$/);
    for (const header of ['allow', 'retry-after']) {
      expect(sdk.headers.get(header)).toBe(documented.headers.get(header));
    }
  });

  test('before the key is known speak the dialect of new worlds', async () => {
    expectSdkError(
      await client(testSandbox({ dialect: 'sdk' }), null).get('/charge'),
      401,
      40,
      'Invalid Authentication',
    );
    const scenario = await scenarioOf('name: test\ndialect: sdk\n');
    expectSdkError(
      await client(testSandbox({ scenario }), 'sk_live_x').get('/charge'),
      401,
      40,
      'Invalid Authentication',
    );
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
