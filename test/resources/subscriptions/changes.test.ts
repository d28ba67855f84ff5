import { describe, expect } from 'vitest';
import { testsOf } from '../../support/tests.js';

import { SUBSCRIPTION_TRANSITIONS, type SubscriptionStatus } from '../../../src/records/subscription.js';
import type { Client } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';
import { advanceTo, chargesOf, history, monthly, NO_FUNDS, setup, statusOf, subscribed } from './support.js';
import { good } from '../../support/sandbox.js';

const test = testsOf(() => setup());

const STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];
const PAIRS = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

const TERMS = { Amount: 20, Currency: 'AUD', Interval: 'Month', Frequency: 1 };

async function setTo(api: Client, path: string, Status: SubscriptionStatus): Promise<void> {
  const answer = await api.put(`${path}/status`, { Status });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body['Status']).toBe(Status);
}

/** A subscription in a status, its first charge still to come. */
async function inStatus(status: SubscriptionStatus) {
  const { api, method } = await setup();
  const path = await subscribed(api, monthly(method, { StartDate: '2026-01-10T00:00:00Z' }));
  if (status !== 'Active') await setTo(api, path, status);
  return { api, path };
}

describe('PUT /subscription/{id}/status', () => {
  test.for(PAIRS)('takes %s to %s as the table has it', async ([from, to]) => {
    const { api, path } = await inStatus(from);
    const before = await api.read(path);
    const answer = await api.put(`${path}/status`, { Status: to });
    if (SUBSCRIPTION_TRANSITIONS[from].includes(to)) {
      const NextChargeDate = to === 'Active' ? '2026-01-10T00:00:00.000Z' : null;
      expect([answer.status, answer.body]).toEqual([200, { ...before, Status: to, NextChargeDate }]);
    } else {
      expect(expectRefused(answer, 409, 108)).toContain(`is ${from}`);
      expect(await api.read(path)).toEqual(before);
    }
    const now = SUBSCRIPTION_TRANSITIONS[from].includes(to) ? to : from;
    expect(await api.counts()).toMatchObject({ QueuedJobs: now === 'Active' ? 1 : 0 });
  });

  test.for([[{}], [{ Status: 'Paused' }], [{ Status: 1 }]])('refuses %j', async ([body]) => {
    const { api, path } = await inStatus('Active');
    const answer = await api.put(`${path}/status`, body);
    expectRefused(answer, 400, 90, 'Status');
  });

  test('refuses an unknown subscription', async ({ api }) => {
    expectRefused(await api.put('/subscription/nobody/status', { Status: 'Active' }), 404, 104);
  });
});

describe('a suspended subscription', () => {
  test('charges nothing, and what falls due meanwhile is not made up for', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method, { StartDate: '2026-01-31T00:00:00Z' }));
    await advanceTo(api, '2026-02-10');
    await setTo(api, path, 'Suspended');
    await advanceTo(api, '2026-04-15');
    await setTo(api, path, 'Active');
    await advanceTo(api, '2026-05-31');
    expect(await history(api)).toEqual(['2026-01-31 SUCCESS', '2026-04-30 SUCCESS', '2026-05-31 SUCCESS']);
  });

  test('charges a due date at the very instant at which it is active again', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method));
    await chargesOf(api);
    await setTo(api, path, 'Suspended');
    await advanceTo(api, '2026-03-01');
    await setTo(api, path, 'Active');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-03-01 SUCCESS']);
  });

  test('charges no due date twice, however often it changes', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method));
    await chargesOf(api);
    for (let i = 0; i < 3; i++) {
      await setTo(api, path, 'Suspended');
      await setTo(api, path, 'Active');
    }
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS']);
  });

  test('gives up a retry under way', async () => {
    const { api, method } = await setup({}, NO_FUNDS);
    const path = await subscribed(api, monthly(method, { Retry: { Maximum: 5, Interval: 'Day' } }));
    await advanceTo(api, '2026-01-02');
    await setTo(api, path, 'Suspended');
    await setTo(api, path, 'Active');
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 FAILED', '2026-01-02 FAILED', '2026-02-01 FAILED']);
  });

  test('is Complete once active again where its end has passed', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method, { EndAfter: { Date: '2026-03-15T00:00:00Z' } }));
    await setTo(api, path, 'Suspended');
    await advanceTo(api, '2026-04-01');
    expect(await statusOf(api, path)).toBe('Suspended');
    expect((await api.put(`${path}/status`, { Status: 'Active' })).body['Status']).toBe('Complete');
  });
});

describe('DELETE /subscription/{id}', () => {
  test('cancels, and answers with the subscription, which stays readable', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method));
    const before = await api.read(path);
    const answer = await api.del(path);
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...before, Status: 'Cancelled', NextChargeDate: null },
    ]);
    await advanceTo(api, '2027-01-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS']);
    expect(await api.read(path)).toEqual(answer.body);
  });

  test('cancels a suspended one too, but not one that has ended', async () => {
    const { api, path } = await inStatus('Suspended');
    await good(api.del(path));
    expectRefused(await api.del(path), 409, 108);
    const complete = await inStatus('Complete');
    expectRefused(await complete.api.del(complete.path), 409, 108);
  });

  test('refuses an unknown one', async ({ api }) => {
    expectRefused(await api.del('/subscription/nobody'), 404, 104);
  });
});

describe('PUT /subscription/{id}', () => {
  test('replaces the terms: what is left out has no value from then on', async ({ api, method }) => {
    const path = await subscribed(
      api,
      monthly(method, {
        StartDate: '2026-01-10T00:00:00Z',
        EndAfter: { Count: 2 },
        Retry: { Interval: 'Day' },
        Webhook: { Url: 'https://example.com' },
        Metadata: { a: '1' },
      }),
    );
    const before = await api.read(path);
    const answer = await api.put(path, TERMS);
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...before, Amount: 20, EndAfter: null, Retry: null, Webhook: null, Metadata: null },
    ]);
    const whole = {
      Amount: '7.25',
      Currency: 'USD',
      Interval: 'Week',
      Frequency: 2,
      EndAfter: { Count: 3, Amount: 100, Date: '2027-01-01T00:00:00.000Z' },
      Retry: { Maximum: 1, Interval: 'Hour', Frequency: 2 },
      Webhook: { Url: 'https://example.com/other', Authorization: 'x' },
      Metadata: { b: '2' },
    };
    const changed = { ...before, ...whole, Amount: 7.25 };
    expect((await api.put(path, whole)).body).toEqual(changed);
    expect(await api.read(path)).toEqual(changed);
  });

  test('charges the new amount from the next due date on', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method));
    await api.put(path, { ...TERMS, Currency: 'USD' });
    await advanceTo(api, '2026-02-01');
    const found = (await chargesOf(api)).map(({ Amount, Currency }) => [Amount, Currency]);
    expect(found).toEqual([
      [9.5, 'AUD'],
      [20, 'USD'],
    ]);
  });

  test.for<[what: string, more: object, dates: string[]]>([
    ['every second month', { Frequency: 2 }, ['2026-03-31', '2026-05-31']],
    ['each week', { Interval: 'Week' }, ['2026-03-07', '2026-03-14', '2026-03-21']],
    ['each year', { Interval: 'Year' }, ['2027-01-31']],
  ])('counts changed due dates from the first one: %s', async ([, more, dates], { api, method }) => {
    const path = await subscribed(api, monthly(method, { StartDate: '2026-01-31T00:00:00Z' }));
    await advanceTo(api, '2026-03-01');
    const answer = await api.put(path, { ...TERMS, ...more });
    expect(answer.body['NextChargeDate']).toBe(`${dates[0]}T00:00:00.000Z`);
    await advanceTo(api, dates.at(-1) ?? '');
    expect((await history(api)).slice(2)).toEqual(dates.map((date) => `${date} SUCCESS`));
  });

  test('keeps the day of the first charge through an interval that does not', async ({ api, method }) => {
    const weekly = { StartDate: '2026-01-31T00:00:00Z', Interval: 'Week' };
    const path = await subscribed(api, monthly(method, weekly));
    await advanceTo(api, '2026-02-15');
    await api.put(path, TERMS);
    await advanceTo(api, '2026-03-31');
    expect((await history(api)).slice(3)).toEqual(['2026-02-28 SUCCESS', '2026-03-31 SUCCESS']);
  });

  test('leaves a retry under way where its terms still have it', async () => {
    const { api, method } = await setup({}, NO_FUNDS);
    const Retry = { Maximum: 2, Interval: 'Day', Frequency: 3 };
    const path = await subscribed(api, monthly(method, { Retry }));
    await advanceTo(api, '2026-01-02');
    await api.put(path, { ...TERMS, Retry });
    await advanceTo(api, '2026-01-31');
    expect(await history(api)).toEqual(['2026-01-01 FAILED', '2026-01-04 FAILED', '2026-01-07 FAILED']);
  });

  test.for<[what: string, more: object, dates: string[]]>([
    ['there is no Retry any more', {}, ['2026-02-01']],
    ['it would be one too many', { Retry: { Maximum: 0, Interval: 'Day' } }, ['2026-02-01']],
    ['its instant has passed', { Retry: { Maximum: 9, Interval: 'Hour' } }, ['2026-02-01', '2026-02-01']],
    [
      'the due dates are others',
      { Interval: 'Week', Retry: { Interval: 'Day', Frequency: 3 } },
      ['2026-01-08'],
    ],
  ])('gives a retry under way up where %s', async ([, more, dates]) => {
    const { api, method } = await setup({}, NO_FUNDS);
    const Retry = { Maximum: 2, Interval: 'Day', Frequency: 3 };
    const path = await subscribed(api, monthly(method, { Retry }));
    await advanceTo(api, '2026-01-02');
    await api.put(path, { ...TERMS, ...more });
    await advanceTo(api, `${dates[0]}T01:00:00Z`);
    const found = (await history(api)).map((one) => one.slice(0, 10));
    expect(found).toEqual(['2026-01-01', ...dates]);
  });

  test('makes complete what has reached its new end', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method));
    await advanceTo(api, '2026-02-01');
    const answer = await api.put(path, { ...TERMS, EndAfter: { Count: 2 } });
    expect([answer.status, answer.body['Status']]).toEqual([200, 'Complete']);
    expect(await api.counts()).toMatchObject({ QueuedJobs: 0 });
  });

  test('starts its sum again in another currency', async ({ api, method }) => {
    const path = await subscribed(api, monthly(method, { EndAfter: { Amount: 100 } }));
    await advanceTo(api, '2026-02-01');
    await api.put(path, { ...TERMS, Currency: 'USD', EndAfter: { Amount: 19 } });
    expect(await statusOf(api, path)).toBe('Active');
    await advanceTo(api, '2026-03-01');
    expect(await statusOf(api, path)).toBe('Complete');
  });

  test('changes a suspended one, which stays so', async () => {
    const { api, path } = await inStatus('Suspended');
    expect((await api.put(path, TERMS)).body).toMatchObject({ Amount: 20, Status: 'Suspended' });
    expect(await api.counts()).toMatchObject({ QueuedJobs: 0 });
  });

  test.for(['Cancelled', 'Complete'] as const)('refuses one that is %s', async (status) => {
    const { api, path } = await inStatus(status);
    const before = await api.read(path);
    expect(expectRefused(await api.put(path, TERMS), 409, 108)).toContain(status);
    expect(await api.read(path)).toEqual(before);
  });

  test.for<[member: string, more: object, code: number]>([
    ['Amount', { Amount: undefined }, 90],
    ['Amount', { Amount: 0.001 }, 2],
    ['Currency', { Currency: undefined }, 90],
    ['Interval', { Interval: undefined }, 90],
    ['EndAfter.Amount', { EndAfter: { Amount: 0 } }, 74],
  ])('refuses a wrong %s: %j', async ([member, more, code]) => {
    const { api, path } = await inStatus('Active');
    const before = await api.read(path);
    const answer = await api.put(path, { ...TERMS, ...more });
    expectRefused(answer, 400, code, member);
    expect(await api.read(path)).toEqual(before);
  });

  test('refuses an unknown one', async ({ api }) => {
    expectRefused(await api.put('/subscription/nobody', TERMS), 404, 104);
  });
});
