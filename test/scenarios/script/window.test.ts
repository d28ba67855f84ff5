import { describe, expect, test } from 'vitest';

import { client, type Client, good, testSandbox, triggerOf } from '../../support/sandbox.js';
import { storing } from '../../support/stored.js';

const CHARGE = { ...storing(), Amount: 5 };
const SCENARIO = {
  name: 'x',
  rules: [
    {
      name: 'down',
      when: { operation: 'charge.create', from: '10m', until: '20m' },
      then: { outcome: 'provider_unavailable' },
    },
    {
      name: 'late',
      when: { operation: 'charge.create', from: '30m', nth: 2 },
      then: { outcome: 'lost_card' },
    },
    {
      name: 'early',
      when: { operation: 'charge.create', from: '0s', until: '1s' },
      then: { outcome: 'stolen_card' },
    },
  ],
};

async function playing(): Promise<Client> {
  const api = client(testSandbox());
  await api.advance('3h');
  await good(api.play(SCENARIO));
  return api;
}

const trigger = async (api: Client): Promise<string | null> => triggerOf(await api.charge(CHARGE));

describe('from and until', () => {
  test('count from when the scenario came into use; from is included, until is not', async () => {
    const api = await playing();
    expect(await trigger(api)).toBe('rule:early');
    await api.advance('1s');
    expect(await trigger(api)).toBeNull();
    await api.advance('598s');
    await api.advance('999ms');
    expect(await trigger(api)).toBeNull();
    await api.advance('1ms');
    expect(await trigger(api)).toBe('rule:down');
    await api.advance('599s');
    await api.advance('999ms');
    expect(await trigger(api)).toBe('rule:down');
    await api.advance('1ms');
    expect(await trigger(api)).toBeNull();
  });

  test('leave calls at other times uncounted', async () => {
    const api = await playing();
    await api.advance('25m');
    await trigger(api);
    await api.advance('5m');
    expect([await trigger(api), await trigger(api)]).toEqual([null, 'rule:late']);
  });

  test('hold after a restore and in a state document', async () => {
    const api = await playing();
    await api.advance('5m');
    await good(api.put('/_sandbox/snapshots/s'));
    const state = await api.read('/_sandbox/state');
    await api.advance('30m');
    await good(api.post('/_sandbox/snapshots/s/restore'));
    await api.advance('5m');
    expect(await trigger(api)).toBe('rule:down');

    const other = client(testSandbox());
    await good(other.put('/_sandbox/state', state));
    expect(await trigger(other)).toBeNull();
    await other.advance('5m');
    expect(await trigger(other)).toBe('rule:down');
    await other.advance('10m');
    expect(await trigger(other)).toBeNull();
  });

  test('start again when the scenario does', async () => {
    const api = await playing();
    await api.advance('15m');
    await good(api.play(SCENARIO));
    expect(await trigger(api)).toBe('rule:early');
  });

  test('of a policy compare the time of the event', async () => {
    const api = client(testSandbox());
    const policies = [{ name: 'p', when: { until: '10m' }, then: { delay: '30m' } }];
    await good(api.play({ name: 'x', webhooks: { policies } }));
    await api.charge({ ...CHARGE, Webhook: { Url: 'http://localhost:1/hook' } });
    await api.advance('10m');
    await api.charge({ ...CHARGE, Webhook: { Url: 'http://localhost:1/hook' } });
    const { Rules } = await api.read('/_sandbox/scenario');
    expect(Rules).toEqual([{ Rule: 'p', Matched: 1 }]);
  });
});

describe('letter case', () => {
  test('of a currency, a status and the name of a header does not matter', async () => {
    const api = client(testSandbox());
    const rules = [
      {
        name: 'r',
        when: { operation: 'charge.create', currency: 'aud', header: { 'X-SHOP': 'abc' } },
        then: { outcome: 'lost_card' },
      },
    ];
    const policies = [
      { name: 'failed', when: { status: 'failed' }, then: { drop: true } },
      { name: 'held', when: { status: 'AUTHORISE' }, then: { drop: true } },
    ];
    await good(api.play({ name: 'x', rules, webhooks: { policies } }));
    const hooked = { ...CHARGE, Webhook: { Url: 'http://localhost:1/hook' } };
    expect(triggerOf(await api.charge({ ...hooked, Currency: 'AUD' }, { 'x-shop': 'abc' }))).toBe('rule:r');
    expect(triggerOf(await api.charge({ ...hooked, Currency: 'NZD' }, { 'x-shop': 'abc' }))).toBeNull();
    await api.charge({ ...hooked, Capture: false });
    const { Rules } = await api.read('/_sandbox/scenario');
    expect(Rules).toEqual([
      { Rule: 'r', Matched: 1 },
      { Rule: 'failed', Matched: 1 },
      { Rule: 'held', Matched: 1 },
    ]);
  });
});
