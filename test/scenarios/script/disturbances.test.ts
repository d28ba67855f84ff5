import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { LATE_FAULTS, PLAIN_FAULTS } from '../../../src/scenarios/file/fault.js';
import { client, good, testSandbox, triggerOf } from '../../support/sandbox.js';
import { expectRefused, storing } from '../../support/stored.js';
import { scenarioOf } from '../support.js';

const GUIDE = new URL('../../../docs/guides/scenarios.md', import.meta.url);
const [, EXAMPLE = ''] = /```yaml\n(name: hidden-troubles\n[^]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];

describe('the example of the guide', () => {
  const pay = (CardNumber: string, Reference: string): object => ({
    Amount: 5,
    Reference,
    ProviderId: '00000000000000000000000000000001',
    PaymentInformation: { CardNumber, ExpiryDate: '12/30', Ccv: '123' },
  });

  test('declines the cards of a range, and makes the charges whose answers it cuts or slows down', async () => {
    const api = client(testSandbox({ scenario: await scenarioOf(EXAMPLE) }));
    expect(triggerOf(await api.charge(pay('5555555555554444', 'a')))).toBe('rule:one bank');
    expect((await api.charge(pay('4242424242424242', 'a'))).status).toBe(201);
    await expect(api.charge(pay('4242424242424242', 'cut-1'))).rejects.toThrow('terminated');
    const slow = await good(api.charge(pay('4242424242424242', 'slow-1')));
    expect(slow.body).toMatchObject({ Status: 'SUCCESS', Reference: 'slow-1' });
    expect(await api.read('/charge?Reference=cut-1')).toMatchObject({ Count: 1 });
  });
});

describe('a fault that sends the answer of the operation comes after it', () => {
  const counted = async (
    sandbox: ReturnType<typeof testSandbox>,
    call: Promise<unknown>,
  ): Promise<number> => {
    await call.catch(() => undefined);
    return sandbox.worlds.open('sk_test_a').charges.size;
  };

  test.each(LATE_FAULTS)('%s, from a rule, the queue or a header, unless told otherwise', async (fault) => {
    for (const [phase, charges] of [
      [undefined, 1],
      ['before', 0],
      ['after', 1],
    ] as const) {
      const ways: ((api: ReturnType<typeof client>) => Promise<unknown>)[] = [
        (api) => api.play({ name: 'x', rules: [{ then: { fault, phase } }] }),
        (api) => api.queue('charge.create', [{ Fault: fault, ...(phase && { Phase: phase }) }]),
        () => Promise.resolve(),
      ];
      for (const [n, prepare] of ways.entries()) {
        const sandbox = testSandbox();
        const api = client(sandbox);
        await prepare(api);
        const header = n === 2 ? { 'x-sandbox-fault': phase ? `${fault}; phase=${phase}` : fault } : {};
        const body = storing({ Amount: 5 });
        expect(await counted(sandbox, api.charge(body, header)), `${n} ${phase}`).toBe(charges);
      }
    }
  });

  const early = PLAIN_FAULTS.filter((fault) => !LATE_FAULTS.includes(fault));

  test.each([...early, 'status=503'])('%s comes before it, as ever', async (fault) => {
    const sandbox = testSandbox();
    const call = client(sandbox).charge(storing({ Amount: 5 }), { 'x-sandbox-fault': fault });
    expect(await counted(sandbox, call)).toBe(0);
  });
});

describe('a phase without an effect', () => {
  test('is refused in the queue', async () => {
    const api = client(testSandbox());
    const answer = await api.queue('charge.create', ['approve', { Outcome: 'do_not_honor', Phase: 'after' }]);
    expect(expectRefused(answer, 400, 90)).toContain(
      '[1] has no effect: Phase has no effect: after is for faults, delays and the outcome gateway_timeout',
    );
  });

  test('still opens in a state document of an earlier version', async () => {
    const api = client(testSandbox());
    await good(api.play({ name: 'x', rules: [{ then: { outcome: 'do_not_honor' } }] }));
    await good(api.queue('charge.create', ['lost_card']));
    const { body } = await api.get('/_sandbox/state');
    const text = JSON.stringify(body)
      .replace('"outcome":"do_not_honor"', '"outcome":"do_not_honor","phase":"after"')
      .replace('"Outcomes":["lost_card"]', '"Outcomes":[{"Outcome":"lost_card","Phase":"after"}]');
    expect(text.match(/"phase":"after"/gi)).toHaveLength(2);
    await good(api.put('/_sandbox/state', text));
    expect((await api.get('/_sandbox/state')).body['Script']).toEqual(body['Script']);
  });
});
