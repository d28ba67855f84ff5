import { describe, expect, test } from 'vitest';

import { after, EMPTY, expectRefused, ID, NOW } from '../../support/stored.js';
import { advanceTo, chargesOf, monthly, PATH, setup, subscribed } from './support.js';
import { asking, good, warningOf } from '../../support/sandbox.js';

const WHOLE = {
  StartDate: '2026-02-01T09:00:00+10:00',
  EndAfter: { Count: 12, Amount: '114', Date: '2027-06-30T00:00:00Z' },
  Retry: { Maximum: 3, Interval: 'Hour', Frequency: 12 },
  Webhook: { Url: 'https://example.com/hook', Authorization: 'Basic user:password' },
  Metadata: { merchant_id: '7' },
};

describe('POST /subscription/payment_method', () => {
  test('answers with the whole subscription, its webhook as it was sent', async () => {
    const { api, method } = await setup();
    const answer = await good(api.post(PATH, monthly(method, WHOLE)));
    expect(answer.body).toEqual({
      SubscriptionId: expect.stringMatching(ID),
      PaymentMethodId: method,
      Amount: 9.5,
      Currency: 'AUD',
      Interval: 'Month',
      Frequency: 1,
      CreatedDate: NOW,
      StartDate: '2026-01-31T23:00:00.000Z',
      NextChargeDate: '2026-01-31T23:00:00.000Z',
      EndAfter: { Count: 12, Amount: 114, Date: '2027-06-30T00:00:00.000Z' },
      Retry: { Maximum: 3, Interval: 'Hour', Frequency: 12 },
      Webhook: { Url: 'https://example.com/hook', Authorization: 'Basic user:password' },
      Status: 'Active',
      Metadata: { merchant_id: '7' },
    });
    const read = await api.get(`/subscription/${String(answer.body['SubscriptionId'])}`);
    expect([read.status, read.body]).toEqual([200, answer.body]);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1, Subscriptions: 1, QueuedJobs: 1 });
  });

  test('takes each period once where Frequency is left out, and shows what is not said as null', async () => {
    const { api, method } = await setup();
    const body = { PaymentMethodId: method, Amount: '5', Currency: 'JPY', Interval: 'Week', Retry: null };
    expect((await api.post(PATH, body)).body).toEqual({
      SubscriptionId: expect.stringMatching(ID),
      PaymentMethodId: method,
      Amount: 5,
      Currency: 'JPY',
      Interval: 'Week',
      Frequency: 1,
      CreatedDate: NOW,
      StartDate: null,
      NextChargeDate: NOW,
      EndAfter: null,
      Retry: null,
      Webhook: null,
      Status: 'Active',
      Metadata: null,
    });
  });

  test('shows the fields of EndAfter and Retry that are not said as null', async () => {
    const { api, method } = await setup();
    const body = monthly(method, { EndAfter: { Count: 2 }, Retry: { Interval: 'Day' } });
    expect((await api.post(PATH, body)).body).toMatchObject({
      EndAfter: { Count: 2, Amount: null, Date: null },
      Retry: { Maximum: null, Interval: 'Day', Frequency: null },
    });
  });

  test('takes Currency and Interval in any letter case', async () => {
    const { api, method } = await setup();
    const answer = await good(api.post(PATH, monthly(method, { Currency: 'aud', Interval: 'MONTH' })));
    expect(answer.body).toMatchObject({ Currency: 'AUD', Interval: 'Month' });
  });

  test.each<[member: string, more: object, status: number, code: number]>([
    ['PaymentMethodId', { PaymentMethodId: undefined }, 400, 90],
    ['Amount', { Amount: undefined }, 400, 90],
    ['Amount', { Amount: 0 }, 400, 74],
    ['Amount', { Amount: '1e2' }, 400, 2],
    ['Amount', { Amount: 1.005 }, 400, 2],
    ['Amount', { Amount: 1.5, Currency: 'JPY' }, 400, 2],
    ['Currency', { Currency: undefined }, 400, 90],
    ['Currency', { Currency: 'dollars' }, 400, 29],
    ['Interval', { Interval: undefined }, 400, 90],
    ['Interval', { Interval: 'months' }, 400, 90],
    ['Interval', { Interval: 'Hour' }, 400, 90],
    ['Frequency', { Frequency: 0 }, 400, 90],
    ['Frequency', { Frequency: 1001 }, 400, 90],
    ['Frequency', { Frequency: 1.5 }, 400, 90],
    ['StartDate', { StartDate: '2026-02-30T00:00:00Z' }, 400, 90],
    ['StartDate', { StartDate: '2026-02-01' }, 400, 90],
    ['EndAfter', { EndAfter: 12 }, 400, 90],
    ['EndAfter.Count', { EndAfter: { Count: 0 } }, 400, 90],
    ['EndAfter.Amount', { EndAfter: { Amount: -1 } }, 400, 74],
    ['EndAfter.Amount', { EndAfter: { Amount: 1.005 } }, 400, 2],
    ['EndAfter.Date', { EndAfter: { Date: 'never' } }, 400, 90],
    ['EndAfter.Date', { EndAfter: { Date: '2025-12-31T23:59:59Z' } }, 400, 90],
    [
      'EndAfter.Date',
      { StartDate: '2026-03-01T00:00:00Z', EndAfter: { Date: '2026-02-28T00:00:00Z' } },
      400,
      90,
    ],
    ['Retry.Interval', { Retry: { Maximum: 1 } }, 400, 90],
    ['Retry.Interval', { Retry: { Interval: 'Week' } }, 400, 90],
    ['Retry.Maximum', { Retry: { Interval: 'Day', Maximum: -1 } }, 400, 90],
    ['Retry.Frequency', { Retry: { Interval: 'Day', Frequency: 0 } }, 400, 90],
    ['Webhook.Url', { Webhook: { Url: 'http://example.com' } }, 400, 90],
    ['Metadata', { Metadata: [] }, 400, 90],
  ])('refuses a wrong %s: %j', async (member, more, status, code) => {
    const { api, method } = await setup();
    const answer = await api.post(PATH, monthly(method, more));
    expectRefused(answer, status, code, member);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1 });
  });

  test('refuses a payment method that is unknown, or was removed', async () => {
    const { api, method } = await setup();
    expectRefused(await api.post(PATH, monthly('nobody')), 404, 56);
    await api.del(`/payment_method/${method}`);
    expectRefused(await api.post(PATH, monthly(method)), 409, 73);
    expect(await api.counts()).toMatchObject({ Subscriptions: 0, QueuedJobs: 0 });
  });

  test('refuses one more than the world holds', async () => {
    const { api, method } = await setup({ recordsMax: 1 });
    await subscribed(api, monthly(method));
    expectRefused(await api.post(PATH, monthly(method)), 409, 90);
  });

  test('warns that a requested outcome does not apply to its charges, which come later', async () => {
    const { api, method } = await setup();
    const answer = await good(api.post(PATH, monthly(method), asking('lost_card')));
    expect(warningOf(answer)).toContain('ignored x-sandbox-outcome');
    expect(await chargesOf(api)).toMatchObject([{ Status: 'SUCCESS' }]);
  });

  test('shows its webhook in clear to its caller alone: the journal hides what it authorises with', async () => {
    const { api, method } = await setup();
    const answer = await api.post(PATH, monthly(method, WHOLE));
    expect(answer.text).toContain('Basic user:password');
    const journal = await api.get('/_sandbox/journal');
    expect(journal.text).toContain('https://example.com/hook');
    expect(journal.text).not.toContain('user:password');
  });
});

describe('GET /subscription/{id}', () => {
  test('refuses an unknown one', async () => {
    const { api, method } = await setup();
    expectRefused(await api.get('/subscription/nobody'), 404, 104);
    expectRefused(await api.get(`/subscription/${method}`), 404, 104);
  });

  test('shows no next charge that is due after the last day of the clock', async () => {
    const { api, method } = await setup();
    const path = await subscribed(
      api,
      monthly(method, { Interval: 'Year', StartDate: '9999-12-31T00:00:00Z' }),
    );
    expect((await api.read(path))['NextChargeDate']).toBe('9999-12-31T00:00:00.000Z');
    await advanceTo(api, '9999-12-31');
    expect(await api.read(path)).toMatchObject({ Status: 'Active', NextChargeDate: null });
  });
});

describe('the first charge', () => {
  test('is due at once without StartDate: the next request sees it', async () => {
    const { api, method } = await setup();
    const path = await subscribed(api, monthly(method));
    expect(await chargesOf(api)).toMatchObject([
      {
        Amount: 9.5,
        Currency: 'AUD',
        Status: 'SUCCESS',
        DateAdded: NOW,
        PaymentInformation: { PaymentMethodId: method },
      },
    ]);
    expect(await api.read(path)).toMatchObject({ Status: 'Active', StartDate: null });
  });

  test('is due at once with a StartDate that has passed, which is not made up for', async () => {
    const { api, method } = await setup();
    const StartDate = '2025-10-15T00:00:00Z';
    const path = await subscribed(api, monthly(method, { StartDate }));
    expect(await api.read(path)).toMatchObject({
      StartDate: '2025-10-15T00:00:00.000Z',
      NextChargeDate: '2026-02-01T00:00:00.000Z',
    });
    await advanceTo(api, '2026-02-01');
    const dates = (await chargesOf(api)).map(({ DateAdded }) => DateAdded);
    expect(dates).toEqual([NOW, '2026-02-01T00:00:00.000Z']);
  });

  test('is due at a StartDate to come, and not an instant before', async () => {
    const { api, method } = await setup();
    await subscribed(api, monthly(method, { StartDate: after(60_000) }));
    await api.advance('59999ms');
    expect(await chargesOf(api)).toEqual([]);
    await api.advance('1ms');
    expect(await chargesOf(api)).toMatchObject([{ DateAdded: after(60_000) }]);
  });
});
