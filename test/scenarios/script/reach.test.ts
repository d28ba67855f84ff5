import { describe, expect, test } from 'vitest';

import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { type Operation, OPERATIONS } from '../../../src/scenarios/script/model.js';
import { WITHOUT_CONNECTION } from '../../../src/scenarios/script/reach.js';
import { rowOf } from '../../support/conformity.js';
import { bankCharge } from '../../support/instruments.js';
import { playCalls } from '../../support/play-calls.js';
import { CALLS } from '../../support/service-calls.js';
import { type Spelling, SPELLINGS } from '../../support/spellings.js';
import { type Answer, client, type Client, good, testSandbox } from '../../support/sandbox.js';
import { batchOf, textIn } from '../../support/stored.js';

const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/30' };
const STORED = { ProviderId: PROVIDER, PaymentInformation: CARD };

/** The first call of each operation that a client can make, by its place among the calls of the service. */
const PLACES = new Map<Operation, number>(
  CALLS.flatMap(({ method, route }, at): [Operation, number][] => {
    const operation = rowOf(method, route)?.operation;
    return typeof operation === 'string' ? [[operation, at]] : [];
  }).toReversed(),
);
const [SPELLING] = Object.values(SPELLINGS) as [Spelling];

/** The call of an operation under one rule for every call, after those that make its records; and what the rule did. */
async function play(operation: Operation, then: object): Promise<{ answer: Answer; rules: unknown }> {
  const api = client(testSandbox({ dialect: 'sdk' }));
  const place = PLACES.get(operation) ?? 0;
  const answers = await playCalls(api, SPELLING, place, () => api.play({ name: 'all', rules: [{ then }] }));
  const { Rules: rules } = await api.read('/_sandbox/scenario');
  return { answer: answers[place] as Answer, rules };
}

/** A world with a batch of one row and a subscription that charges after an hour, which then plays one rule for every call. */
async function setup(then: object): Promise<{ api: Client; batch: string }> {
  const api = client(testSandbox());
  const PaymentMethodId = textIn(await api.post('/payment_method/card', STORED), 'PaymentMethodId');
  const rows = batchOf([`${PaymentMethodId},1.00,AUD,r`]);
  const batch = textIn(await api.post('/batch/transaction/payment_method', rows), 'BatchId');
  const terms = { Amount: 5, Currency: 'AUD', Interval: 'Month', StartDate: '2026-01-01T01:00:00Z' };
  await good(api.post('/subscription/payment_method', { PaymentMethodId, ...terms }));
  await good(api.play({ name: 'all', rules: [{ then }] }));
  return { api, batch };
}

const refuses = (operation: string, then: object): boolean =>
  'issues' in parseScenario({ name: 'one', rules: [{ when: { operation }, then }] });

describe('a rule can only do what is possible for its operation', () => {
  const operations = OPERATIONS.filter((one) => !WITHOUT_CONNECTION.includes(one));

  test('each operation that a client can make has a call', () => {
    expect(operations.filter((one) => !PLACES.has(one))).toEqual([]);
  });

  test.each(operations)('an outcome on %s', async (operation) => {
    const then = { outcome: 'do_not_honor' };
    const { answer, rules } = await play(operation, then);
    const acted = answer.status === 400 && answer.headers.get('x-sandbox-trigger') === 'rule:rule 1';
    expect(acted).toBe(!refuses(operation, then));
    expect(answer.status < 400).toBe(!acted);
    expect(rules).toEqual([{ Rule: 'rule 1', Matched: acted ? 1 : 0 }]);
  });

  test.each(operations)('a fault on %s', async (operation) => {
    const then = { respond: { status: 418 } };
    expect((await play(operation, then)).answer.status).toBe(418);
    expect(refuses(operation, then)).toBe(false);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
  ])('%j on the row of a batch', async (then, matched, status) => {
    const { api, batch } = await setup(then);
    await api.advance('1m');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    await api.del('/_sandbox/scenario');
    expect((await api.read(`/batch/${batch}`))['Results']).toContain(status);
    expect(refuses('batch.row', then)).toBe(matched === 0);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
  ])('%j on the settlement of a charge', async (then, matched, Status) => {
    const api = client(testSandbox());
    const charge = await api.post('/charge/bank_account', bankCharge());
    const when = { operation: ['charge.settle', 'charge.void'] };
    await api.play({ name: 'one', rules: [{ when, then }] });
    await api.advance('7d');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    expect(await api.read(`/charge/${String(charge.body['ChargeId'])}`)).toMatchObject({ Status });
    expect(refuses('charge.settle', then)).toBe(matched === 0);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
    [{ fault: { quota: 0, window: '1d' } }, 0, 'SUCCESS'],
  ])('%j for charge.create on the charge of a subscription', async (then, matched, Status) => {
    expect(refuses('subscription.charge', then)).toBe(matched === 0);
    const rules = [{ when: { operation: 'charge.create' }, then }];
    const { api } = await setup({ nothing: true });
    await api.play({ name: 'charges', rules });
    await api.advance('1h');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    await api.del('/_sandbox/scenario');
    const { Charges } = (await api.read('/charge?Limit=1')) as { Charges: object[] };
    expect(Charges).toMatchObject([{ Status, Initiator: 'MERCHANT' }]);
  });

  test('a definition that can do nothing is refused with its place, and the one before plays on', async () => {
    const { api } = await setup({ nothing: true });
    const rules = [{ when: { operation: 'customer.search' }, then: { outcome: 'approve' } }];
    const answer = await api.play({ name: 'idle', rules });
    expect([answer.status, answer.body['Code']]).toEqual([400, 90]);
    expect(answer.body['Details']).toEqual({
      'Definition.rules.0.then.outcome': expect.stringContaining('customer.search does not ask a provider'),
    });
    expect((await api.read('/_sandbox/scenario'))['Scenario']).toBe('all');
  });
});
