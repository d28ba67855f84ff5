import { describe, expect, test } from 'vitest';

import { authorised, card, cardCharge, charged, stored, token } from '../../resources/charges/support.js';
import { client, triggerOf } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';
import { setup } from '../../support/tests.js';
import { chargeAt, good, uuidOf } from '../../resources/providers/support.js';
import { scenarioOf } from '../support.js';

const PRIMARY = '1'.repeat(32);
const BACKUP = '2'.repeat(32);

/** A world with one provider, `primary`, of these members. */
async function withPrimary(members: string, more: { clock?: 'real' | 'manual'; seed?: string } = {}) {
  const text = `name: a\nproviders:\n  - {name: primary, providerId: '${PRIMARY}', ${members}}\n`;
  const { clock = 'manual', seed = '1' } = more;
  return setup({ scenario: await scenarioOf(text), clock: { mode: clock }, seed });
}

/** How so many charges through `primary` end: the codes of their errors, 0 for none. */
async function codes(api: ReturnType<typeof client>, count: number): Promise<unknown[]> {
  const ends: unknown[] = [];
  for (let i = 0; i < count; i++) ends.push((await chargeAt(api, PRIMARY)).body['Code'] ?? 0);
  return ends;
}

describe('a provider that a scenario defines', () => {
  test('is there from the first call on, under its own identifier', async () => {
    const { api } = await withPrimary('type: nab_transact, currency: NZD, country: NZL');
    expect((await good(chargeAt(api, PRIMARY))).body).toMatchObject({
      Currency: 'NZD',
      Provider: { ProviderId: PRIMARY, Type: 'nab_transact', Name: 'primary' },
    });
    expect((await good(api.get(`/provider/${uuidOf(PRIMARY)}`))).body).toMatchObject({
      ProviderId: PRIMARY,
      Type: 'nab_transact',
      Name: 'primary',
      ProviderCountry: 'NZL',
    });
    expect(await api.counts()).toMatchObject({ Providers: 1 });
  });

  test('approves at once, in AUD, unless the file says otherwise', async () => {
    const { api, host } = await withPrimary('type: dummy', { clock: 'real' });
    const answer = await good(chargeAt(api, PRIMARY));
    expect(answer.body).toMatchObject({ Currency: 'AUD', Status: 'SUCCESS' });
    expect(triggerOf(answer)).toBeNull();
    expect(host.slept).toEqual([]);
  });

  test('takes its time', async () => {
    const fixed = await withPrimary('latency: 250ms', { clock: 'real' });
    const answer = await good(chargeAt(fixed.api, PRIMARY));
    expect(triggerOf(answer)).toBe('provider:primary');
    expect(fixed.host.slept).toEqual([250]);

    const uniform = await withPrimary('latency: {min: 100ms, max: 200ms}', { clock: 'real' });
    await codes(uniform.api, 50);
    expect(Math.min(...uniform.host.slept)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...uniform.host.slept)).toBeLessThanOrEqual(200);
    expect(new Set(uniform.host.slept).size).toBeGreaterThan(20);

    const lognormal = await withPrimary('latency: {median: 100ms, sigma: 0.5}', { clock: 'real' });
    await codes(lognormal.api, 101);
    const sorted = lognormal.host.slept.toSorted((a, b) => a - b);
    expect(sorted[50]).toBeGreaterThan(80);
    expect(sorted[50]).toBeLessThan(125);
  });

  test('waits for nothing under a manual clock', async () => {
    const { api, host } = await withPrimary('latency: 250ms');
    await good(chargeAt(api, PRIMARY));
    expect(host.slept).toEqual([]);
  });

  test('answers charges by their shares of outcomes, the same for the same seed', async () => {
    const shares = 'outcomes: {approve: 6, insufficient_funds: 3, do_not_honor: 1}';
    const play = async (seed: string) => codes((await withPrimary(shares, { seed })).api, 300);
    const [one, again, other] = [await play('1'), await play('1'), await play('2')];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    const count = (code: number): number => one.filter((end) => end === code).length;
    expect(count(0) + count(15) + count(905)).toBe(300);
    expect(count(0)).toBeGreaterThan(150);
    expect(count(15)).toBeGreaterThan(60);
    expect(count(905)).toBeGreaterThan(15);
    expect(count(15)).toBeGreaterThan(count(905));
  });

  test('names itself where it declined', async () => {
    const { api } = await withPrimary('outcomes: {lost_card: 1}');
    const answer = await chargeAt(api, PRIMARY);
    expectRefused(answer, 400, 941);
    expect(triggerOf(answer)).toBe('provider:primary');
  });

  test('draws outcomes for charges alone', async () => {
    const { api } = await withPrimary('outcomes: {lost_card: 1}');
    await stored(api, { ProviderId: PRIMARY });
    await token(api, { ProviderId: PRIMARY });
    expect(await api.counts()).toMatchObject({ PaymentMethods: 1, Tokens: 1 });
  });

  test('fails every n-th call, of whatever operation', async () => {
    const { api } = await withPrimary('fails: {every: 3}');
    expect(await codes(api, 7)).toEqual([0, 0, 34, 0, 0, 34, 0]);
    const held = await authorised(api, { ProviderId: PRIMARY });
    expectRefused(await api.post(`/charge/${held}`, { Amount: 5 }), 400, 34);
    await good(api.post(`/charge/${held}`, { Amount: 5 }));
    await stored(api, { ProviderId: PRIMARY });
    expectRefused(await api.del(`/refund/${held}`), 400, 34);
  });

  test('fails in the way that the file says, before its shares are drawn', async () => {
    const { api } = await withPrimary(
      'fails: {every: 2, outcome: issuer_unavailable}, outcomes: {lost_card: 1}',
    );
    expect(await codes(api, 4)).toEqual([941, 991, 941, 991]);
  });

  test('waits before a gateway_timeout as every provider does', async () => {
    const { api, host } = await withPrimary('latency: 5ms, outcomes: {gateway_timeout: 1}', {
      clock: 'real',
    });
    expectRefused(await chargeAt(api, PRIMARY), 400, 80);
    expect(host.slept).toEqual([3000]);
  });

  test('refuses operations that it does not support', async () => {
    const authorises = await withPrimary('features: {authorise: false}');
    expectRefused(await chargeAt(authorises.api, PRIMARY, { Capture: false }), 400, 71);
    await good(chargeAt(authorises.api, PRIMARY));

    const { api } = await withPrimary('features: {partialCapture: false, partialRefund: false}');
    const held = await authorised(api, { ProviderId: PRIMARY });
    expectRefused(await api.post(`/charge/${held}`, { Amount: 5 }), 400, 78, 'Amount');
    await good(api.post(`/charge/${held}`, { Amount: 15.5 }));
    const answer = await api.del(`/refund/${held}?Amount=5`);
    expectRefused(answer, 400, 32, 'Amount');
    expect(answer.body['Message']).toContain(
      'Amount must be 15.5, because this provider does not refund part of a charge',
    );
    expect((await good(api.del(`/refund/${held}?Amount=15.5`))).body).toMatchObject({ Status: 'REFUND' });
    expect(await api.read(`/provider/${PRIMARY}`)).toMatchObject({ HasPartialRefund: false });
  });

  test('refunds nothing after a transfer, if it does not refund a part', async () => {
    const { api } = await withPrimary('features: {partialRefund: false}');
    const id = await charged(api, { ProviderId: PRIMARY, Amount: 10 });
    const Transfers = [{ Account: 'a', Amount: 6, Currency: 'AUD' }];
    await good(api.post('/transfer', { GroupReference: 'g', ProviderId: PRIMARY, ChargeId: id, Transfers }));
    expectRefused(await api.del(`/refund/${id}`), 400, 32, 'Amount');
    expectRefused(await api.del(`/refund/${id}?Amount=10`), 400, 76, 'Amount');
  });

  test('may replace a built-in provider', async () => {
    const text = `name: a\nproviders: [{name: primary, providerId: '${'0'.repeat(31)}1', currency: EUR}]\n`;
    const { api } = setup({ scenario: await scenarioOf(text) });
    expect((await good(api.charge(cardCharge()))).body).toMatchObject({
      Currency: 'EUR',
      Provider: { Name: 'primary' },
    });
  });

  test('is chosen by its costs, and names its fallback', async () => {
    const text = `name: a
providers:
  - {name: primary, providerId: '${PRIMARY}', costs: {fixed: 0.3}, fallback: backup, threeDs: backup}
  - {name: backup, providerId: '${BACKUP}', costs: [{scheme: AMEX, fixed: 0}, {percentage: 1}]}
`;
    const { api } = setup({ scenario: await scenarioOf(text) });
    const cheapest = async (Amount: number): Promise<unknown> =>
      (await good(api.post('/charge/card/least_cost', { Amount, PaymentInformation: card() }))).body[
        'ProviderId'
      ];
    expect([await cheapest(10), await cheapest(100)]).toEqual([BACKUP, PRIMARY]);
    expect(await api.read(`/provider/${PRIMARY}`)).toMatchObject({
      FallbackProvider: { Id: BACKUP, Name: 'backup' },
      ThreeDsProviderId: BACKUP,
    });
  });

  test('is changed by a call like any other, and keeps its behaviour', async () => {
    const { api } = await withPrimary('fails: {every: 2}, latency: 9ms', { clock: 'real' });
    await good(api.put(`/provider/${PRIMARY}`, { Currency: 'NZD' }));
    expect((await good(chargeAt(api, PRIMARY))).body).toMatchObject({ Currency: 'NZD' });
    expectRefused(await chargeAt(api, PRIMARY), 400, 34);
  });
});

describe('a rule or a timeline', () => {
  const TWO = `name: two
providers:
  - {name: primary, providerId: '${PRIMARY}'}
  - {name: backup, providerId: '${BACKUP}'}
rules:
  - {when: {provider: backup, amount: 13}, then: {outcome: lost_card}}
timeline:
  - {at: +1h, do: {providerDown: primary}}
  - {at: +2h, do: {providerUp: primary}}
`;

  test('names a provider of its file', async () => {
    const { api } = setup({ scenario: await scenarioOf(TWO) });
    await charged(api, { ProviderId: PRIMARY, Amount: 13 });
    expectRefused(await chargeAt(api, BACKUP, { Amount: 13 }), 400, 941);
    await api.advance(3_600_000);
    expectRefused(await chargeAt(api, PRIMARY), 400, 34);
    await charged(api, { ProviderId: BACKUP });
    await api.advance(3_600_000);
    await charged(api, { ProviderId: PRIMARY });
  });
});

describe('a switch of scenario', () => {
  const definition = (name: string, providerId: string) => ({
    Definition: { name: 's', providers: [{ name, providerId, currency: 'NZD', fails: { every: 2 } }] },
  });
  const play = (api: ReturnType<typeof client>, name: string, id: string) =>
    good(api.put('/_sandbox/scenario', definition(name, id)));

  test('replaces the providers of the one before, and leaves those that calls configured', async () => {
    const { api } = setup();
    const own = await good(
      api.post('/provider', { Type: 'dummy', Name: 'own', Environment: 'SANDBOX', Currency: 'USD' }),
    );
    await play(api, 'primary', PRIMARY);
    await play(api, 'backup', BACKUP);
    expectRefused(await api.get(`/provider/${PRIMARY}`), 404, 65);
    await good(api.get(`/provider/${BACKUP}`));
    await good(api.del('/_sandbox/scenario'));
    expectRefused(await api.get(`/provider/${BACKUP}`), 404, 65);
    await good(api.get(`/provider/${String(own.body['ProviderId'])}`));
    expect(await api.counts()).toMatchObject({ Providers: 1 });
  });

  test('makes a provider that has gone one that nobody configured', async () => {
    const { api } = setup();
    await play(api, 'primary', PRIMARY);
    const { body } = await good(chargeAt(api, PRIMARY));
    await good(api.del('/_sandbox/scenario'));
    expect((await good(chargeAt(api, PRIMARY))).body).toMatchObject({
      Currency: 'AUD',
      Provider: { Name: 'steady' },
    });
    const before = await good(api.get(`/charge/${String(body['ChargeId'])}`));
    expect(before.body).toMatchObject({ Currency: 'NZD', Provider: { Name: 'steady' } });
  });

  test('counts and draws from the beginning', async () => {
    const { api } = setup();
    for (let i = 0; i < 3; i++) {
      await play(api, 'primary', PRIMARY);
      expect(await codes(api, 3)).toEqual([0, 34, 0]);
    }
  });

  test('happens in the worlds of its keys alone', async () => {
    const text = `name: a\nkeys: sk_test_b\nproviders: [{name: primary, providerId: '${PRIMARY}'}]\n`;
    const { api, sandbox } = setup({ scenario: await scenarioOf(text) });
    expectRefused(await api.get(`/provider/${PRIMARY}`), 404, 65);
    await good(client(sandbox, 'sk_test_b').get(`/provider/${PRIMARY}`));
  });

  test('is refused by a world without room, which stays as it was', async () => {
    const { api } = setup({ recordsMax: 1 });
    await play(api, 'primary', PRIMARY);
    expectRefused(await api.put('/_sandbox/scenario', definition('backup', BACKUP)), 409, 90);
    await good(api.get(`/provider/${PRIMARY}`));
    expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: 's' });
  });
});

describe('a reset, a snapshot and a state document', () => {
  test('keep the providers of the scenario, their counts and their draws', async () => {
    const { api, sandbox } = await withPrimary('fails: {every: 3}, outcomes: {approve: 1, lost_card: 1}');
    await codes(api, 4);
    await good(api.put('/_sandbox/snapshots/base'));
    const { text } = await good(api.get('/_sandbox/state'));
    const expected = await codes(api, 8);
    await good(api.post('/_sandbox/snapshots/base/restore'));
    expect(await codes(api, 8)).toEqual(expected);
    const fork = client(sandbox, 'sk_test_fork');
    await good(fork.put('/_sandbox/state', text));
    expect(await codes(fork, 8)).toEqual(expected);
    await good(api.post('/_sandbox/reset'));
    const fresh = await withPrimary('fails: {every: 3}, outcomes: {approve: 1, lost_card: 1}');
    expect(await codes(api, 8)).toEqual(await codes(fresh.api, 8));
  });

  test('hold the gap of a provider that went with its scenario', async () => {
    const { api } = await withPrimary('type: dummy');
    await good(api.del('/_sandbox/scenario'));
    const { text, body } = await good(api.get('/_sandbox/state'));
    expect(body['Providers']).toEqual([null]);
    await good(api.put('/_sandbox/state', text));
    expect(await api.counts()).toMatchObject({ Providers: 0 });
  });
});
