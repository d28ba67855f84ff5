import { describe, expect, test } from 'vitest';

import { toSdk } from '../../../src/core/dialect/sdk.js';
import { fillKnownFields } from '../../../src/http/answers/known-fields.js';
import type { Scenario } from '../../../src/scenarios/script/model.js';
import { card, cardCharge } from '../../resources/charges/support.js';
import { scenarioOf } from '../../scenarios/support.js';
import { type Answer, client, testSandbox } from '../../support/sandbox.js';
import { playTrace, record, type Recorded, TRACE_MIN } from '../../support/trace.js';
import { memberOf, SDK, sdkSetup, sdkText, wronglySpelt } from '../../support/sdk.js';
import { STEADY } from '../../support/stored.js';

const DOCUMENTED = { 'x-sandbox-dialect': 'documented' };

const speaking = (dialect: string, more = ''): Promise<Scenario> =>
  scenarioOf(`name: test\ndialect: ${dialect}\n${more}`);

/** Expects an answer in the sdk dialect to say what one in the documented dialect does. */
function expectSameAnswer(answer: Recorded, documented: Recorded): void {
  const { call, status, text } = answer;
  expect(status, call).toBe(documented.status);
  expect(answer.headers['x-request-id']).toBe(documented.headers['x-request-id']);
  if (status === 0) return;
  const [body, expected] = [text, documented.text].map((one) => JSON.parse(one) as Record<string, unknown>);
  if (call.includes('/_sandbox')) {
    expect({ ...body, Dialect: null }, call).toEqual({ ...expected, Dialect: null });
    return;
  }
  expect(wronglySpelt(body), call).toEqual([]);
  if (status < 400) expect(body, call).toEqual(toSdk(expected, fillKnownFields));
  else expect([body?.['code'], body?.['httpStatus']], call).toEqual([expected?.['Code'], status]);
}

/** The dialect in which a search is answered. */
async function spoken(answer: Promise<Answer>): Promise<string> {
  const { body } = await answer;
  return 'charges' in body ? 'sdk' : 'Charges' in body ? 'documented' : 'neither';
}

describe('what client libraries read without asking whether it is there', () => {
  test('is written where nothing here has a value for it: as null, or as false where a library knows no null', async () => {
    const { api } = sdkSetup();
    const charge = await api.charge(cardCharge());
    expect(charge.body).toMatchObject({
      visaInstallments: null,
      threeDsVerified: false,
    });
    expect(charge.body['paymentInformation']).toMatchObject({
      displayType: 'Card',
      providerType: 'dummy',
      card: { iinData: { scheme: 'VISA', countryCode: 'AU' }, cardIin: '411111' },
    });
    const method = await api.post('/payment_method/card', { ProviderId: STEADY, PaymentInformation: card() });
    expect(method.body).toMatchObject({
      networkTokenId: null,
      fallbackPaymentMethodId: null,
      token: null,
      ip: null,
      providerType: 'dummy',
      card: { ccvCheck: false },
    });
    const link = await api.post('/payment_link', { Title: 'A' });
    expect(link.body).toMatchObject({ publicKey: null, secretKey: null });
  });

  test('a default payment method says the type of its provider, in either dialect', async () => {
    const { api } = sdkSetup();
    const customer = { ProviderId: STEADY, PaymentInformation: card() };
    const sdk = await api.post('/customer/card', customer);
    expect(sdk.body['defaultPaymentMethod']).toHaveProperty('providerType', 'dummy');
    const documented = await api.post('/customer/card', customer, DOCUMENTED);
    expect(documented.body['DefaultPaymentMethod']).toMatchObject({
      ProviderType: 'dummy',
      Card: { CcvCheck: null },
    });
  });

  test('is not there in the documented dialect', async () => {
    const { body } = await client(testSandbox()).post('/charge/card', cardCharge());
    expect(body).not.toHaveProperty('VisaInstallments');
  });
});

describe('which dialect is spoken', () => {
  test('the documented one by default', async () => {
    expect(await spoken(client(testSandbox()).get('/charge'))).toBe('documented');
    expect(await spoken(client(testSandbox({ dialect: 'sdk' })).get('/charge'))).toBe('sdk');
  });

  test('the header of a request decides for that request alone, and one world speaks both at once', async () => {
    const { api } = sdkSetup();
    const answers = [
      api.get('/charge', DOCUMENTED),
      api.get('/charge', SDK),
      api.get('/charge'),
      api.get('/charge', DOCUMENTED),
    ];
    expect(await Promise.all(answers.map(spoken))).toEqual(['documented', 'sdk', 'sdk', 'documented']);
  });

  test('a charge made in one dialect is read in the other', async () => {
    const { post, get } = client(testSandbox());
    const made = await post('/charge/card', cardCharge({ Capture: false }), SDK);
    const id = sdkText(made, 'chargeId');
    const read = await get(`/charge/${id}`);
    expect(read.body).toMatchObject({ ChargeId: id, Status: 'Authorised' });
    expect(toSdk(read.body, fillKnownFields)).toEqual(made.body);
  });

  test('the dialect of a scenario overrides the sandbox’s, and the header overrides both', async () => {
    const api = client(testSandbox({ dialect: 'documented', scenario: await speaking('sdk') }));
    expect(await spoken(api.get('/charge'))).toBe('sdk');
    expect(await spoken(api.get('/charge', DOCUMENTED))).toBe('documented');
    const other = client(testSandbox({ dialect: 'sdk', scenario: await speaking('documented') }));
    expect(await spoken(other.get('/charge'))).toBe('documented');
  });

  test('the scenario’s takes effect when a world is created or reset, not when the scenario is switched to', async () => {
    const sandbox = testSandbox();
    const api = client(sandbox);
    await api.get('/charge');
    sandbox.worlds.play(await speaking('sdk'));
    expect(await spoken(api.get('/charge'))).toBe('documented');
    expect(await spoken(client(sandbox, 'sk_test_new').get('/charge'))).toBe('sdk');
    await api.post('/_sandbox/reset');
    expect(await spoken(api.get('/charge'))).toBe('sdk');
    sandbox.worlds.play(null);
    expect(await spoken(api.get('/charge'))).toBe('sdk');
    await api.post('/_sandbox/reset');
    expect(await spoken(api.get('/charge'))).toBe('documented');
  });

  test('a scenario for certain keys says nothing of others', async () => {
    const scenario: Scenario = await speaking('sdk', 'keys: sk_test_b');
    const sandbox = testSandbox({ scenario });
    expect(await spoken(client(sandbox, 'sk_test_b').get('/charge'))).toBe('sdk');
    expect(await spoken(client(sandbox, 'sk_test_a').get('/charge'))).toBe('documented');
    expect((await client(sandbox, null).get('/charge')).body).toHaveProperty('HttpStatus', 401);
  });

  test('a snapshot and a reset keep it', async () => {
    const { api } = sdkSetup();
    await api.put('/_sandbox/snapshots/a');
    await api.post('/_sandbox/snapshots/a/restore');
    expect(await spoken(api.get('/charge'))).toBe('sdk');
    const state = await api.get('/_sandbox/state');
    expect((await api.put('/_sandbox/state', state.text)).body).toMatchObject({ Dialect: 'sdk' });
    await api.post('/_sandbox/reset', { Seed: '2' });
    expect(await spoken(api.get('/charge'))).toBe('sdk');
  });

  test.each(['klingon', 'SDK', '', 'sdk, sdk'])(
    'the header "%s" is a 400 that names the accepted values',
    async (dialect) => {
      for (const path of ['/charge', '/_sandbox/world']) {
        const answer = await client(testSandbox()).get(path, { 'x-sandbox-dialect': dialect });
        expect(answer).toMatchObject({ status: 400, body: { Code: 90 } });
        expect(answer.body['Message']).toContain(`is "${dialect}"; it must be documented or sdk`);
      }
    },
  );

  test('one that is nearly right gets a hint', async () => {
    const { body } = await client(testSandbox()).get('/charge', { 'x-sandbox-dialect': 'skd' });
    expect(body['Message']).toMatch(/Did you mean sdk\?$/);
  });
});

describe('the control plane', () => {
  test('has the same field names in every dialect, and shows the dialect of the world', async () => {
    const { api } = sdkSetup();
    for (const headers of [{}, SDK, DOCUMENTED]) {
      expect(await api.read('/_sandbox/world', headers)).toMatchObject({ Dialect: 'sdk', Seed: '1' });
    }
    const wrong = await api.post('/_sandbox/clock/advance', { by: '1h' }, SDK);
    expect(wrong).toMatchObject({ status: 400, body: { HttpStatus: 400, Code: 90 } });
    expect(await api.read('/_sandbox/clock?limit=1')).toHaveProperty('Code', 90);
    expect(await api.read('/_sandbox/nothing')).toMatchObject({ HttpStatus: 404 });
    const token = { ProviderId: STEADY, PaymentInformation: card() };
    expect((await api.post('/_sandbox/tokens', token)).body).toHaveProperty('TokenId');
  });
});

describe('answers', () => {
  test('of every operation are those of the documented dialect with other names', async () => {
    const documented = testSandbox({ seed: '42' });
    const sdk = testSandbox({ seed: '42', dialect: 'sdk' });
    let calls = 0;
    await playTrace(async (call) => {
      const expected = await record(documented.fetch, 'http://localhost', 'sk_test_traced', call);
      const answer = await record(sdk.fetch, 'http://localhost', 'sk_test_traced', call);
      calls++;
      expectSameAnswer(answer, expected);
      return expected;
    });
    expect(calls).toBeGreaterThanOrEqual(TRACE_MIN);
  });

  test('have AUTHORISE for an authorised charge, which a search takes as well', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge({ Capture: false }));
    expect(made.body).toMatchObject({ status: 'AUTHORISE', authorisationAmount: 15.5 });
    await api.charge(cardCharge());
    for (const status of ['AUTHORISE', 'authorise', 'Authorised']) {
      const { body } = await api.get(`/charge?status=${status}`);
      expect(body).toMatchObject({ count: 1, charges: [{ status: 'AUTHORISE' }] });
    }
  });

  test('have the keys of Metadata as they came, and nulls written out', async () => {
    const { api } = sdkSetup();
    const metadata = { MerchantId: '1', merchant_id: '2', merchantId: '3', status: 'Authorised' };
    const made = await api.charge(cardCharge({ Metadata: metadata }));
    expect(memberOf(made, 'metadata')).toEqual(metadata);
    expect(memberOf(made, 'customerId')).toBeNull();
    expect(made.text).toContain('"voidDate":null');
  });

  test('have numbers without a forced fraction', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(JSON.stringify(cardCharge()).replace('15.5', '"20.00"'));
    expect(made.text).toContain('"amount":20,');
  });

  test('of a large batch, which is read in slices and streamed, have these names too', async () => {
    const { api } = sdkSetup({ batchPace: 0 });
    const rows = Array.from({ length: 2001 }, (_, n) => `nobody,1,AUD,a-long-reference-${n}`);
    const batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
    const made = await api.post('/batch/transaction/payment_method', {
      count: rows.length,
      description: 'd',
      batch,
      metadata: { Own_Key: '1' },
    });
    const read = await api.get(`/batch/${sdkText(made, 'batchId')}`);
    expect(Object.keys(read.body)).toEqual([...Object.keys(made.body), 'results']);
    expect(read.body).toMatchObject({ count: 2001, metadata: { Own_Key: '1' } });
    expect(sdkText(read, 'results').split('\n')).toHaveLength(2002);
  });
});
