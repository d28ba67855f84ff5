import { describe, expect, test } from 'vitest';

import {
  type Answer,
  asking,
  client,
  type Client,
  good,
  testSandbox,
  triggerOf,
  warningOf,
} from '../../support/sandbox.js';
import { batchOf, expectRefused, NO_FUNDS, STEADY, textIn } from '../../support/stored.js';

const STORED = {
  ProviderId: STEADY,
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30' },
};
const CHARGE = { ...STORED, Amount: '20.00', Reference: 'order-1' };

/** Sends a batch of ten rows of 1.00, and gives its identifier. */
async function tenRows(api: Client): Promise<string> {
  const method = textIn(await api.post('/payment_method/card', STORED), 'PaymentMethodId');
  const rows = Array.from({ length: 10 }, (_, n) => `${method},1.00,AUD,r${n}`);
  return textIn(await api.post('/batch/transaction/payment_method', batchOf(rows)), 'BatchId');
}

const create = (Outcomes: readonly unknown[]) => ({ Operation: 'charge.create', Outcomes });

function setup() {
  const sandbox = testSandbox();
  return { sandbox, api: client(sandbox) };
}

describe('queued outcomes', () => {
  test('are used up in order, and then the provider answers again', async () => {
    const { api } = setup();
    const Outcomes = ['issuer_unavailable', 'insufficient_funds', 'approve'];
    expect((await good(api.queue('charge.create', Outcomes))).body).toEqual({ OutcomeQueueId: 1, Left: 3 });
    const seen: unknown[] = [];
    for (let n = 0; n < 4; n++) {
      const { status, body, headers } = await api.charge(CHARGE);
      seen.push([status, body['Code'] ?? null, headers.get('x-sandbox-trigger')]);
    }
    expect(seen).toEqual([
      [400, 991, 'queue:1'],
      [400, 15, 'queue:1'],
      [201, null, 'queue:1'],
      [201, null, null],
    ]);
    expect(await api.read('/_sandbox/outcomes')).toEqual({ Queues: [] });
  });

  test('apply to calls that match, and to no call of another world', async () => {
    const { sandbox, api } = setup();
    await api.queue('charge.create', ['do_not_honor'], { Reference: 'order-2' });
    await good(api.charge(CHARGE));
    await good(client(sandbox, 'sk_test_b').charge({ ...CHARGE, Reference: 'order-2' }));
    expect((await api.charge({ ...CHARGE, Reference: 'order-2' })).body['Code']).toBe(905);
  });

  test('the request’s own header overrides them, and uses none up', async () => {
    const { api } = setup();
    await api.queue('charge.create', ['do_not_honor', 'do_not_honor']);
    const own = await api.charge(CHARGE, asking('lost_card'));
    expect([own.body['Code'], triggerOf(own)]).toEqual([941, 'header:lost_card']);
    const spoilt = await api.charge(CHARGE, { 'x-sandbox-fault': 'status=418' });
    expect(spoilt.status).toBe(418);
    expect((await api.read('/_sandbox/outcomes'))['Queues']).toMatchObject([
      { Outcomes: ['do_not_honor', 'do_not_honor'] },
    ]);
  });

  test('a fault of the request’s own after the commit leaves the outcome to them', async () => {
    const { api } = setup();
    await api.queue('charge.create', ['do_not_honor']);
    const spoilt = await api.charge(CHARGE, { 'x-sandbox-fault': 'status=418; phase=after' });
    expect(spoilt.status).toBe(418);
    const { Charges } = await api.read('/charge');
    expect(Charges).toMatchObject([{ Status: 'FAILED' }]);
  });

  test('a time-out before the commit is a decline', async () => {
    const { api } = setup();
    await api.queue('charge.create', ['gateway_timeout']);
    const answer = await api.charge(CHARGE);
    expectRefused(answer, 400, 80);
    expect(await api.read(`/charge/${textIn(answer, 'ChargeId')}`)).toMatchObject({ Status: 'FAILED' });
  });

  test('a time-out after the commit has done what was asked, and the caller cannot tell', async () => {
    const { api } = setup();
    const late = { Outcome: 'gateway_timeout', Phase: 'after' };
    const isLate = async (Operation: string, call: () => Promise<Answer>): Promise<Answer> => {
      await api.queue(Operation, [late]);
      const answer = await call();
      expect(expectRefused(answer, 400, 80)).toContain('completed the operation');
      expect(answer.body['IsRetryable']).toBe(true);
      return answer;
    };
    const { body } = await isLate('charge.create', () => api.charge({ ...CHARGE, Capture: false }));
    const charge = `/charge/${String(body['ChargeId'])}`;
    expect(await api.read(charge)).toMatchObject({ Status: 'Authorised', FailedAttempts: [] });
    await isLate('charge.capture', () => api.post(charge, { Amount: 20 }));
    expect(await api.read(charge)).toMatchObject({ Status: 'SUCCESS', FailedAttempts: [] });
    await isLate('charge.refund', () => api.del(`/refund/${String(body['ChargeId'])}`));
    expect(await api.read(charge)).toMatchObject({ Status: 'REFUND', RefundedAmount: 20 });
    await isLate('paymentMethod.create', () => api.post('/payment_method/card', STORED));
    expect((await api.read('/payment_method'))['Count']).toBe(1);
  });

  test('a rule may ask for a time-out after the commit, too', async () => {
    const { api } = setup();
    const rules = [{ name: 'late', then: { outcome: 'gateway_timeout', phase: 'after' } }];
    await api.play({ name: 'late', rules });
    expect((await api.charge(CHARGE)).body).toMatchObject({ HttpStatus: 400, Code: 80 });
    expect((await api.read('/charge'))['Charges']).toMatchObject([{ Status: 'SUCCESS' }]);
  });

  test('an outcome in the header of a call that does not ask a provider leaves them alone, too', async () => {
    const { api } = setup();
    await api.queue('vault.create', [{ Fault: 'status', Status: 503 }]);
    const send = () => api.post('/vault', { CardNumber: '4242424242424242' }, asking('lost_card'));
    expect((await send()).status).toBe(503);
    const answer = await good(send());
    expect(triggerOf(answer)).toBeNull();
    expect(warningOf(answer)).toBe('ignored x-sandbox-outcome: vault.create does not ask a provider');
  });

  test.each([20, '20.00'])('match the amount %j as a charge may write it', async (Amount) => {
    const { api } = setup();
    await api.queue('charge.create', ['do_not_honor'], { Amount });
    await good(api.charge({ ...CHARGE, Amount: 21 }));
    expect((await api.charge(CHARGE)).status).toBe(400);
  });

  test.each(['abc', -1, [20]])('are refused for the amount %j, which no charge can have', async (Amount) => {
    const { api } = setup();
    const body = { Operation: 'charge.create', Outcomes: ['approve'], Match: { Amount } };
    const answer = await api.post('/_sandbox/outcomes', body);
    expect([answer.status, Object.keys(answer.body['Details'] as object)]).toEqual([400, ['Match.Amount']]);
    expect(await api.read('/_sandbox/outcomes')).toEqual({ Queues: [] });
  });

  test('in the header of a capture may be unable_to_capture', async () => {
    const { api } = setup();
    const { body } = await api.charge({ ...CHARGE, Capture: false });
    const path = `/charge/${String(body['ChargeId'])}`;
    const answer = await api.post(path, { Amount: '20.00' }, asking('unable_to_capture'));
    expect([answer.status, answer.body['Code']]).toEqual([400, 47]);
  });

  test.each(['charge.capture', 'charge.void', 'charge.refund'])('also answer %s', async (operation) => {
    const { api } = setup();
    const refunds = operation === 'charge.refund';
    const { body } = await api.charge({ ...CHARGE, Capture: refunds });
    await api.queue(operation, ['processing_error']);
    const id = String(body['ChargeId']);
    const answer = refunds
      ? await api.del(`/refund/${id}`)
      : await (operation === 'charge.void'
          ? api.del(`/charge/${id}/void`)
          : api.post(`/charge/${id}`, { Amount: 20 }));
    expectRefused(answer, 400, 996);
    expect((await api.read(`/charge/${id}`))['Status']).toBe(body['Status']);
  });

  test('a queue overrides a magic card', async () => {
    const { api } = setup();
    await api.queue('charge.create', ['approve']);
    const card = { ...CHARGE.PaymentInformation, CardNumber: NO_FUNDS };
    await good(api.charge({ ...CHARGE, PaymentInformation: card }));
  });

  test('may be faults, after whose commit the charge is found', async () => {
    const { api } = setup();
    await api.queue('charge.create', [{ Fault: 'reset', Phase: 'after' }, { Fault: 'status=503' }]);
    await expect(api.charge(CHARGE)).rejects.toThrow(TypeError);
    expect((await api.read('/charge?reference=order-1'))['Count']).toBe(1);
    const refused = await api.charge(CHARGE);
    expect([refused.status, refused.headers.get('x-sandbox-fault')]).toEqual([503, 'status']);
    expect((await api.read('/charge?reference=order-1'))['Count']).toBe(1);
  });

  test.each([
    ['a token', { Token: 'tok_insufficient_funds' }, '/charge/token'],
    [
      'a card',
      { ...STORED, PaymentInformation: { ...STORED.PaymentInformation, CardNumber: NO_FUNDS } },
      '/charge/card',
    ],
  ])('are what decided a fault after the commit, not %s', async (_, source, path) => {
    const { api } = setup();
    await api.queue('charge.create', [{ Fault: 'status', Status: 503, Phase: 'after' }]);
    const answer = await api.post(path, { Amount: '20.00', ...source });
    expect([answer.status, triggerOf(answer)]).toEqual([503, 'queue:1']);
    const { Entries } = await api.read('/_sandbox/journal');
    expect(Entries).toMatchObject([{ Trigger: 'queue:1', Fault: 'status' }]);
  });

  test.each([
    ['charge.create', 'unable_to_capture', (api: Client) => api.charge(CHARGE, asking('unable_to_capture'))],
    [
      'paymentMethod.create',
      'unable_to_refund',
      (api: Client) => api.post('/payment_method/card', STORED, asking('unable_to_refund')),
    ],
  ])('in the header of %s are refused if they are %s', async (operation, outcome, call) => {
    const { api } = setup();
    const { status, body } = await call(api);
    expect([status, body['Code']]).toEqual([400, 90]);
    const only = outcome.replace('unable_to_', 'charge.');
    const why = `${outcome} has no effect: it is an outcome of ${only} only. For ${operation}, use`;
    expect(body['Details']).toEqual({ 'x-sandbox-outcome': expect.stringContaining(why) });
    expect((await api.read('/charge'))['Count']).toBe(0);
  });

  test('in the header are refused if they are faults, with the header to send', async () => {
    const { api } = setup();
    const { status, body } = await api.charge(CHARGE, asking('status=503'));
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Message']).toContain('status=503 is a fault; send it in x-sandbox-fault');
  });

  test('may wait, before the operation or after its commit, with an answer of their own or the provider’s', async () => {
    const { sandbox, api } = setup();
    const { slept } = sandbox.host;
    const queued = await api.queue('charge.create', [
      { Outcome: 'approve', Delay: '2s' },
      { Outcome: 'lost_card', Delay: 'PT1.5S', Phase: 'after' },
      { Fault: 'status', Status: 503, Delay: '250ms' },
      { Delay: '1m' },
      { Outcome: 'stolen_card' },
    ]);
    expect([queued.status, queued.body['Left']]).toEqual([200, 5]);
    const seen: unknown[] = [];
    for (let n = 0; n < 5; n++) {
      const { status, body, headers } = await api.charge({ ...CHARGE, Reference: `order-${n}` });
      const { Count } = await api.read(`/charge?reference=order-${n}`);
      seen.push([status, body['Code'] ?? null, headers.get('x-sandbox-trigger'), slept.splice(0), Count]);
    }
    expect(seen).toEqual([
      [201, null, 'queue:1', [2000], 1],
      [400, 941, 'queue:1', [1500], 1],
      [503, 37, 'queue:1', [250], 0],
      [201, null, 'queue:1', [60_000], 1],
      [400, 943, 'queue:1', [], 1],
    ]);
  });

  test('may wait as long as a distribution draws, which the seed decides', async () => {
    const delaysOf = async (Delay: object): Promise<number[]> => {
      const { sandbox, api } = setup();
      const Outcomes = Array.from({ length: 20 }, () => ({ Outcome: 'approve', Delay }));
      await api.queue('charge.create', Outcomes);
      for (let n = 0; n < 20; n++) await api.charge(CHARGE);
      return sandbox.host.slept;
    };
    const uniform = await delaysOf({ Min: '100ms', Max: '2s' });
    expect(uniform).toHaveLength(20);
    expect(uniform.every((ms) => ms >= 100 && ms <= 2000)).toBe(true);
    expect(new Set(uniform).size).toBeGreaterThan(15);
    expect(await delaysOf({ Min: '100ms', Max: '2s' })).toEqual(uniform);
    const lognormal = await delaysOf({ Median: '800ms', Sigma: 0.7 });
    expect(lognormal.filter((ms) => ms > 800).length).toBeGreaterThan(4);
    expect(lognormal.filter((ms) => ms < 800).length).toBeGreaterThan(4);
  });

  test('are listed as they can be queued again', async () => {
    const { api } = setup();
    const Outcomes = [
      'approve',
      { Outcome: 'lost_card', Delay: '1500ms', Phase: 'after' },
      { Fault: 'status=503', Delay: { Min: '100ms', Max: '2s' }, Phase: 'before' },
      { Delay: { Median: '800ms', Sigma: 0.7 }, Phase: 'before' },
    ];
    await api.queue('charge.create', Outcomes);
    const [queued] = (await api.read('/_sandbox/outcomes'))['Queues'] as { Outcomes: unknown[] }[];
    expect(queued?.Outcomes).toEqual(Outcomes);
    await api.del('/_sandbox/outcomes');
    await api.queue('charge.create', queued?.Outcomes ?? []);
    const [again] = (await api.read('/_sandbox/outcomes'))['Queues'] as { Outcomes: unknown }[];
    expect(again?.Outcomes).toEqual(Outcomes);
  });

  test('are listed with masked numbers, and emptied', async () => {
    const { api } = setup();
    const match = { CardNumber: '4539578763621486', Amount: '20' };
    await api.queue('charge.create', ['approve', { Fault: 'hang' }], match);
    const expected = {
      Queues: [
        {
          OutcomeQueueId: 1,
          Operation: 'charge.create',
          Match: { Reference: null, ProviderId: null, CardNumber: '4539********1486', Amount: '20' },
          Left: 2,
          Outcomes: ['approve', { Fault: 'hang', Phase: 'before' }],
        },
      ],
    };
    expect(await api.read('/_sandbox/outcomes')).toEqual(expected);
    expect((await api.del('/_sandbox/outcomes')).body).toEqual(expected);
    expect(await api.read('/_sandbox/outcomes')).toEqual({ Queues: [] });
  });

  test.each([
    [{}, 'Operation'],
    [
      { Operation: 'charge.creat', Outcomes: ['approve'] },
      'Operation is "charge.creat", which is not an operation. Did you mean charge.create? Operations of charge:',
    ],
    [{ Operation: 'token.make', Outcomes: ['approve'] }, 'Operations of token: token.create, token.read,'],
    [
      { Operation: 5, Outcomes: ['approve'] },
      'Operation must be the name of an operation, not 5. Operations: charge.create,',
    ],
    [{ Operation: 'charge.create' }, 'must be an array'],
    [create([]), 'must be an array'],
    [create(['aprove']), '[0] is the unknown outcome "aprove"; did you mean approve?'],
    [
      create(['approve', 5]),
      '[1] must be the name of an outcome, {Outcome, Delay}, {Fault, Phase, Delay} or {Delay}, not a number',
    ],
    [create([{ Fault: 'explode' }]), 'has an invalid Fault, "explode"; it must be hang, '],
    [create([{ Fault: 'reset', Phase: 'later' }]), 'Phase'],
    [create([{ Fault: 'status', Status: 99 }]), 'status=503'],
    [create([{ Fault: 'status' }]), 'Did you mean status=503?'],
    [create([{ Fault: 'rest' }]), 'Did you mean reset?'],
    [create(['status=503']), 'write {"Fault": "status=503"}'],
    [create([{ Faul: 'reset' }]), 'unknown field "Faul"'],
    [create([['approve']]), '[0] must be the name of an outcome'],
    [create([{}]), '[0] has no effect'],
    [create([{ Outcome: null, Phase: 'after' }]), '[0] has no effect'],
    [create([{ Outcome: 7 }]), 'has an Outcome that must be a string, not'],
    [create([{ Outcome: 'approve', Fault: 'reset' }]), 'both Outcome and'],
    [create([{ Fault: 'reset', Status: 503 }]), 'has a Status; write it as the Fault status=503'],
    [create([{ Delay: 'soon' }]), 'has an invalid Delay, "soon"; it must be a duration'],
    [create([{ Delay: 5 }]), 'has an invalid Delay, a number; it must be a duration'],
    [create([{ Delay: '100000d' }]), 'has a Delay longer than the maximum of 1m'],
    [create([{ Delay: '61s' }]), 'has a Delay longer than the maximum of 1m'],
    [create([{ Delay: { Min: '1s' } }]), '{Min, Max} or {Median, Sigma}'],
    [create([{ Delay: { Min: 1, Max: '1s' } }]), 'an invalid Min, a number; it must be a duration'],
    [create([{ Delay: { Min: '2s', Max: '1s' } }]), 'longer than its Max'],
    [
      create([{ Delay: { Median: '2s', Sigma: 9 } }]),
      'invalid Sigma, a number; it must be a number from 0 to ',
    ],
    [create([{ Delay: { Mean: '2s' } }]), 'unknown field "Mean"'],
    [
      { Operation: 'charge.read', Outcomes: ['approve'] },
      '[0] has no effect: charge.read does not ask a provider',
    ],
    [create(['unable_to_void']), '[0] has no effect: it is an outcome of charge.void only'],
    [{ Operation: 'batch.row', Outcomes: ['approve', { Fault: 'reset' }] }, '[1] has no effect: batch.row'],
    [{ Operation: 'batch.row', Outcomes: [{ Outcome: 'approve', Delay: '1s' }] }, '[0] has no effect'],
    [
      { Operation: 'batch.row', Outcomes: [{ Outcome: 'gateway_timeout', Phase: 'after' }] },
      '[0] has no effect: Phase: batch.row has no connection',
    ],
    [{ ...create(['approve']), Count: 1 }, 'Count'],
  ])('%j is refused, and nothing is queued', async (body, hint) => {
    const { api } = setup();
    const answer = await api.post('/_sandbox/outcomes', body);
    expect([answer.status, answer.body['Code']]).toEqual([400, 90]);
    expect(answer.body['Message']).toContain(hint);
    expect(await api.read('/_sandbox/outcomes')).toEqual({ Queues: [] });
  });
});

describe('the scenario of a world', () => {
  const SCENARIO = {
    name: 'bad day',
    description: 'Every second charge is declined.',
    rules: [
      { name: 'second', when: { operation: 'charge.create', every: 2 }, then: { outcome: 'do_not_honor' } },
      { name: 'never', when: { reference: 'nobody-*' }, then: { outcome: 'lost_card' } },
    ],
    timeline: [{ at: '+1h', do: { providerDown: '00000000000000000000000000000001' } }],
  };

  test('is switched at run time, counts its rules and names those that never matched', async () => {
    const { api } = setup();
    const counted = (second: number) => [
      { Rule: 'second', Matched: second },
      { Rule: 'never', Matched: 0 },
    ];
    expect((await good(api.play(SCENARIO))).body).toEqual({
      Scenario: 'bad day',
      Description: 'Every second charge is declined.',
      Rules: counted(0),
      State: {},
    });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await api.charge(CHARGE)).status);
    expect(statuses).toEqual([201, 400, 201, 400]);
    expect((await api.read('/_sandbox/scenario'))['Rules']).toEqual(counted(2));
    expect(await api.read('/_sandbox/scenario/unmatched')).toEqual({ Rules: ['never'] });
    expect((await api.read('/_sandbox/world'))['Scenario']).toBe('bad day');
  });

  test('its timeline runs on the world’s clock, and ends with it', async () => {
    const { api } = setup();
    await api.play({ ...SCENARIO, rules: [] });
    await good(api.charge(CHARGE));
    await api.advance('59m');
    await good(api.charge(CHARGE));
    await api.advance('1m');
    expect((await api.charge(CHARGE)).body['Code']).toBe(34);
    expect((await api.del('/_sandbox/scenario')).body['Scenario']).toBeNull();
    await good(api.charge(CHARGE));
  });

  test.each([
    [{}, 400, 'either Name'],
    [{ Name: 'a', Definition: {} }, 400, 'either Name'],
    [{ Name: 'a' }, 404, 'no scenario "a"'],
    [{ Definition: { name: 'x', rules: [{ then: { outcome: 'aprove' } }] } }, 400, 'approve'],
    [{ Definition: { name: 'x', rule: [] } }, 400, 'rules'],
    [{ Definition: 5 }, 400, 'Definition'],
  ])('%j is refused, and the one before plays on', async (body, status, hint) => {
    const { api } = setup();
    await api.play(SCENARIO);
    const answer = await api.put('/_sandbox/scenario', body);
    expect([answer.status, answer.body['Code']]).toEqual([status, 90]);
    expect(answer.body['Message']).toContain(hint);
    expect((await api.read('/_sandbox/scenario'))['Scenario']).toBe('bad day');
  });

  test('a row of a batch is an operation too', async () => {
    const { api } = setup();
    const rules = [{ when: { operation: 'batch.row', every: 5 }, then: { outcome: 'insufficient_funds' } }];
    await api.play({ name: 'rows', rules });
    const batch = `/batch/${await tenRows(api)}/status`;
    await api.advance('1m');
    expect(await api.read(batch)).toMatchObject({ Status: 'SUCCESS', Success: 8, Failure: 2 });
  });
});
