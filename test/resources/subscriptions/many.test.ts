import { describe, expect, test } from 'vitest';

import { createSubscription } from '../../../src/resources/subscriptions/service.js';
import { client, START, testHost, testSandbox } from '../../support/sandbox.js';
import { advanceTo, history, monthly, setup, storedMethod, subscribed } from './support.js';
import { cells } from '../../support/tables.js';

describe('a year of charges in one advance', () => {
  test('with a month that declines, and its retries, comes in the order of its dates', async () => {
    const { api, method } = await setup();
    const Definition = {
      name: 'a bad June',
      rules: [
        { when: { operation: 'charge.create', nth: [6, 7, 8] }, then: { outcome: 'insufficient_funds' } },
      ],
    };
    await api.play(Definition);
    const Retry = { Maximum: 3, Interval: 'Day', Frequency: 2 };
    await subscribed(
      api,
      monthly(method, { StartDate: '2026-01-31T00:00:00Z', Retry, EndAfter: { Count: 12 } }),
    );
    const answer = await advanceTo(api, '2026-12-31');
    expect(answer.body['Jobs']).toBe(15);
    expect(await history(api)).toEqual(cells`
      2026-01-31 SUCCESS|2026-02-28 SUCCESS|2026-03-31 SUCCESS|2026-04-30 SUCCESS|2026-05-31 SUCCESS|
      2026-06-30 FAILED|2026-07-02 FAILED|2026-07-04 FAILED|2026-07-06 SUCCESS|2026-07-31 SUCCESS|
      2026-08-31 SUCCESS|2026-09-30 SUCCESS|2026-10-31 SUCCESS|2026-11-30 SUCCESS|2026-12-31 SUCCESS
    `);
  });

  test('of 10,000 subscriptions gives the event loop its turns', async () => {
    const SUBSCRIPTIONS = 10_000;
    const host = testHost();
    const sandbox = testSandbox({}, host);
    const api = client(sandbox);
    const paymentMethodId = await storedMethod(api);
    const world = sandbox.worlds.open('sk_test_a');
    for (let n = 0; n < SUBSCRIPTIONS; n++) {
      createSubscription(world, {
        paymentMethodId,
        startDate: START + 86_400_000,
        terms: {
          amount: '5',
          currency: 'AUD',
          interval: 'Month',
          frequency: 1,
          endAfter: null,
          retry: null,
          webhook: null,
          metadata: null,
        },
      });
    }
    let most = 0;
    let before = 0;
    const { pause } = host;
    const counted = {
      pause: async () => {
        most = Math.max(most, world.charges.size - before);
        await pause();
        before = world.charges.size;
      },
    };
    Object.assign(host, counted);
    expect((await advanceTo(api, '2026-12-31')).body['Jobs']).toBe(12 * SUBSCRIPTIONS);
    expect(world.charges.size).toBe(12 * SUBSCRIPTIONS);
    // So many charges take some 5 ms.
    expect(most).toBeGreaterThan(0);
    expect(Math.max(most, world.charges.size - before)).toBeLessThanOrEqual(400);
  });
});
