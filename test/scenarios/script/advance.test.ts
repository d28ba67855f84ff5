import { describe, expect, test } from 'vitest';

import type { ClockMode } from '../../../src/core/time/clock.js';
import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { client, type Client, good, testHost, testSandbox, triggerOf } from '../../support/sandbox.js';
import { after, batchOf, expectRefused, STEADY, storing, textIn } from '../../support/stored.js';
import { charge, events, logOf, setup, type Setup, turns } from '../../webhooks/support.js';

const CHARGES = { operation: 'charge.create' };

/** A rule for charges, as the only one of a scenario. */
const playing = (api: Client, then: object, more: object = {}, scenario: object = {}) =>
  good(api.play({ name: 'later', rules: [{ when: CHARGES, then, ...more }], ...scenario }));

/** Begins an attempt that stays open when the clock is moved on, and returns what ends it. */
async function openAttempt(one: Setup): Promise<() => void> {
  let end = (): void => {};
  one.receiver.answer = () => new Promise((resolve) => (end = () => resolve({ status: 204 })));
  await good(one.api.charge(charge({ Reference: 'earlier' })));
  return () => end();
}

describe('a rule that advances the clock', () => {
  test('ends the token that the call brings', async () => {
    const api = client(testSandbox());
    const token = {
      ProviderId: STEADY,
      PaymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30' },
    };
    const Token = textIn(await api.post('/_sandbox/tokens', token), 'TokenId');
    await playing(api, { advance: '15m' });
    const refused = await api.post('/charge/token', { Amount: 5, Token });
    expectRefused(refused, 400, 51);
    expect(triggerOf(refused)).toBe('rule:rule 1');
  });

  test.each(['real', 'manual', 'scaled'] as ClockMode[])('works under a %s clock', async (mode) => {
    const api = client(testSandbox({ clock: { mode, start: Date.UTC(2026, 0, 1) } }));
    await playing(api, { advance: '20m' });
    const { body } = await good(api.charge(storing({ Amount: 5 })));
    expect(body['SuccessDate']).toBe(after(20 * 60_000));
  });

  test('runs what becomes due in order, and its webhooks arrive before the operation', async () => {
    const { api, receiver } = setup();
    const held = textIn(await api.charge(charge({ Capture: false })), 'ChargeId');
    const when = { operation: 'charge.capture' };
    await good(api.play({ name: 'late', rules: [{ when, then: { advance: '7d' } }] }));
    const refused = await api.post(`/charge/${held}`, { Amount: 5 });
    expectRefused(refused, 409, 54);
    expect(events(receiver)).toEqual([
      'transaction.status.changed Authorised',
      'transaction.status.changed AUTHORISE_CANCELLED',
    ]);
    expect((await logOf(api)).map(({ EntryId }) => EntryId)).toEqual([null, 1]);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 400, 'FAILED'],
    [{ respond: { status: 418 } }, 418, undefined],
    [{ delay: '2s' }, 201, 'SUCCESS'],
    [{ state: { a: 1 } }, 201, 'SUCCESS'],
  ])('combines with %j', async (more, status, stored) => {
    const { host, ...sandbox } = testSandbox();
    const api = client(sandbox);
    await playing(api, { advance: '1h', ...more });
    expect((await api.charge(storing({ Amount: 5 }))).status).toBe(status);
    expect(host.slept).toEqual('delay' in more ? [2000] : []);
    const { Charges } = (await api.read('/charge')) as { Charges: object[] };
    expect(Charges).toMatchObject(
      stored === undefined ? [] : [{ Status: stored, DateAdded: after(3_600_000) }],
    );
  });

  test('is counted like any other, and shown in the journal at the instant at which the call arrived', async () => {
    const api = client(testSandbox());
    await playing(api, { advance: '1h' }, { times: 1 });
    await good(api.charge(storing({ Amount: 5 })));
    await good(api.charge(storing({ Amount: 5 })));
    const { Entries } = (await api.read('/_sandbox/journal')) as { Entries: object[] };
    expect(Entries).toMatchObject([{ At: after(3_600_000) }, { At: after(0), Rule: 'rule 1' }]);
  });

  test('lets a provider go down in the meantime', async () => {
    const api = client(testSandbox());
    const timeline = [{ at: '+30m', do: { providerDown: 'steady' } }];
    await playing(api, { advance: '1h' }, {}, { timeline });
    const refused = await api.charge(storing({ Amount: 5 }));
    expectRefused(refused, 400, 34);
    expect(triggerOf(refused)).toBe('timeline:steady down');
  });

  test('acts on a call of a receiver that an advance waits for', async () => {
    const one = setup();
    const { api, receiver } = one;
    await good(api.charge(charge({ Reference: 'earlier' })));
    await playing(api, { advance: '10m' });
    receiver.answer = async ({ body }) => {
      if (body.includes('"earlier"')) await good(api.charge(storing({ Amount: 7 })));
      return { status: 204 };
    };
    expect((await api.advance('1m')).body).toMatchObject({ Deliveries: 1, Now: after(600_000) });
    expect(await api.read('/charge?Limit=1')).toMatchObject({ Charges: [{ DateAdded: after(600_000) }] });
  });

  test('acts on calls at the same time', async () => {
    const one = setup();
    const end = await openAttempt(one);
    await playing(one.api, { advance: '10m' });
    const [first, second] = [1, 2].map((Amount) => one.api.charge(storing({ Amount })));
    await turns(one.host, 10);
    expect((await second)?.body).toMatchObject({ DateAdded: after(600_000) });
    expect(one.receiver.got).toHaveLength(1);
    end();
    expect((await first)?.body).toMatchObject({ DateAdded: after(600_000) });
  });

  test('is over when the world is reset', async () => {
    const one = setup();
    await openAttempt(one);
    await playing(one.api, { advance: '10m' });
    const under = one.api.charge(charge());
    await turns(one.host, 10);
    await one.api.post('/_sandbox/reset');
    expectRefused(await under, 503, 37);
  });

  test('is refused beyond the last instant', async () => {
    const api = client(testSandbox({ clock: { mode: 'manual', start: Date.UTC(9990, 0, 1) } }, testHost()));
    await playing(api, { advance: '36500d' });
    const refused = await api.charge(storing({ Amount: 5 }));
    expect(expectRefused(refused, 400, 90)).toContain('The clock cannot go beyond');
    expect(await api.read('/charge')).toMatchObject({ Count: 0 });
  });

  test('has no effect on the rows of a batch', async () => {
    const api = client(testSandbox());
    const method = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
    await good(api.play({ name: 'all', rules: [{ then: { advance: '1h' } }] }));
    await good(api.post('/batch/transaction/payment_method', batchOf([`${method},1.00,AUD,r`])));
    await api.advance('1m');
    expect((await api.read('/_sandbox/scenario'))['Rules']).toEqual([{ Rule: 'rule 1', Matched: 1 }]);
    const rules = [{ when: { operation: 'batch.row' }, then: { advance: '1h' } }];
    expect(parseScenario({ name: 'x', rules })).toMatchObject({
      issues: [{ message: 'advance has no effect: batch.row has no connection. Use an outcome' }],
    });
  });
});
