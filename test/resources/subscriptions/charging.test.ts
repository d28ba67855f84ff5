import { describe, expect, test } from 'vitest';

import { STEADY, account, agreement, cardOf, storing } from '../../support/bodies.js';
import { UNFUNDED } from '../../support/instruments.js';
import { after, expectRefused, ID, textIn } from '../../support/stored.js';
import {
  advanceTo,
  chargesOf,
  history,
  monthly,
  NO_FUNDS,
  setup,
  statusOf,
  storedMethod,
  subscribed,
} from './support.js';
import { good } from '../../support/sandbox.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the charges of a subscription', () => {
  test.each<[what: string, more: object, to: string, dates: string[]]>([
    [
      'each month on the day of the first, or the last that the month has',
      { StartDate: '2026-01-31T00:00:00Z' },
      '2026-06-01',
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ],
    [
      'on 29 February of a leap year',
      { StartDate: '2028-01-31T00:00:00Z' },
      '2028-04-01',
      ['2028-01-31', '2028-02-29', '2028-03-31'],
    ],
    [
      'every third month',
      { Frequency: 3 },
      '2026-12-31',
      ['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'],
    ],
    ['each day', { Interval: 'Day' }, '2026-01-03', ['2026-01-01', '2026-01-02', '2026-01-03']],
    [
      'every second week',
      { Interval: 'Week', Frequency: 2 },
      '2026-01-29',
      ['2026-01-01', '2026-01-15', '2026-01-29'],
    ],
    [
      'each year, on 28 February where there is no 29th',
      { Interval: 'Year', StartDate: '2028-02-29T00:00:00Z' },
      '2032-03-01',
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
  ])('come %s', async (_, more, to, dates) => {
    const { api } = await setup();
    const method = await storedMethod(api, undefined, { ExpiryDate: '12/40' });
    await subscribed(api, monthly(method, more));
    await advanceTo(api, to);
    expect(await history(api)).toEqual(dates.map((date) => `${date} SUCCESS`));
  });

  test('are ordinary charges: found by their subscription, read, refunded', async () => {
    const { api } = await setup();
    const customer = await api.post('/customer/card', storing());
    const method = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
    const path = await subscribed(api, monthly(method));
    const SubscriptionId = path.split('/')[2];
    await advanceTo(api, '2026-02-01');
    await api.charge({ Amount: 1, ProviderId: STEADY, PaymentInformation: cardOf() });
    const [first, second] = await chargesOf(api, `&SubscriptionId=${SubscriptionId}`);
    expect(first).toEqual({
      ...second,
      ChargeId: expect.stringMatching(ID),
      ProviderChargeId: expect.stringMatching(/^ch_/),
      DateAdded: after(0),
      SuccessDate: after(0),
    });
    expect(second).toMatchObject({
      Status: 'SUCCESS',
      Amount: 9.5,
      ProviderId: STEADY,
      Reference: null,
      CustomerId: customer.body['CustomerId'],
      PaymentInformation: { PaymentMethodId: method, Card: { CardNumber: '4111********1111' } },
      DateAdded: '2026-02-01T00:00:00.000Z',
      SuccessDate: '2026-02-01T00:00:00.000Z',
      Initiator: 'MERCHANT',
      BatchId: null,
      SubscriptionId,
      Metadata: null,
    });
    expect(await chargesOf(api, `&PaymentMethodId=${method}`)).toEqual([first, second]);
    expect(await chargesOf(api, `&CustomerId=${String(customer.body['CustomerId'])}`)).toEqual([
      first,
      second,
    ]);
    expect(await chargesOf(api, '&SubscriptionId=nobody')).toEqual([]);
    const refunded = await api.del(`/refund/${String(first?.['ChargeId'])}`);
    expect(refunded.body).toMatchObject({ Status: 'REFUND', SubscriptionId });
  });

  test('use a stored Ccv once, as any first charge does', async () => {
    const { api } = await setup();
    const stored = storing({ VaultCard: true });
    const method = textIn(await api.post('/payment_method/card', stored), 'PaymentMethodId');
    await subscribed(api, monthly(method));
    await advanceTo(api, '2026-02-01');
    const checks = (await chargesOf(api)).map(
      ({ PaymentInformation }) => (PaymentInformation as { Card: { CcvCheck: unknown } }).Card.CcvCheck,
    );
    expect(checks).toEqual([true, null]);
  });

  test('are listed by an advance, each as a job at its instant', async () => {
    const { api, method } = await setup();
    const path = await subscribed(api, monthly(method, { StartDate: '2026-01-10T00:00:00Z' }));
    const answer = await advanceTo(api, '2026-02-28');
    const job = { Kind: 'subscription.charge', Ref: path.split('/')[2] };
    expect(answer.body).toMatchObject({
      Ran: [
        { At: '2026-01-10T00:00:00.000Z', ...job },
        { At: '2026-02-10T00:00:00.000Z', ...job },
      ],
      Jobs: 2,
    });
    expect((await api.read('/_sandbox/clock'))['NextDue']).toBe('2026-03-10T00:00:00.000Z');
  });

  test('of a bank account count as made while the bank takes its time', async () => {
    const { api } = await setup();
    const stored = { ProviderId: STEADY, BankPaymentInformation: account(UNFUNDED) };
    const method = textIn(await api.post('/payment_method/bank_account', stored), 'PaymentMethodId');
    const Retry = { Maximum: 3, Interval: 'Day' };
    const path = await subscribed(api, monthly(method, { EndAfter: { Count: 1 }, Retry }));
    expect(await history(api)).toEqual(['2026-01-01 PENDING']);
    expect(await statusOf(api, path)).toBe('Complete');
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 FAILED']);
  });

  test('of an agreement that allows less are declined', async () => {
    const { api } = await setup();
    const made = await api.post('/payment_method/payto', agreement({ MaximumAmount: 5 }));
    const method = textIn(made, 'PaymentMethodId');
    await subscribed(api, monthly(method));
    expect(await history(api)).toEqual(['2026-01-01 FAILED']);
  });

  test('bear their due instants also when real time has gone on', async () => {
    const { api, method } = await setup({ clock: { mode: 'scaled', rate: 1 } });
    await subscribed(api, monthly(method, { Interval: 'Day' }));
    await advanceTo(api, '2026-01-02T12:00:00Z');
    expect((await history(api)).map((one) => one.slice(0, 10))).toEqual(['2026-01-01', '2026-01-02']);
  });

  test('of several subscriptions due at one instant come in the order of their making', async () => {
    const { api, method } = await setup();
    for (const Amount of [1, 2, 3]) await subscribed(api, monthly(method, { Amount }));
    await advanceTo(api, '2026-02-01');
    expect((await chargesOf(api)).map(({ Amount }) => Amount)).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

describe('a declined charge', () => {
  test('is stored, and not tried again without Retry; the next is due as ever', async () => {
    const { api, method } = await setup({}, NO_FUNDS);
    const path = await subscribed(api, monthly(method));
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 FAILED', '2026-02-01 FAILED']);
    expect((await chargesOf(api))[0]).toMatchObject({
      ProviderChargeId: null,
      SuccessDate: null,
      SubscriptionId: path.split('/')[2],
      FailedAttempts: [{ ProviderId: STEADY, DateAttempted: after(0), GatewayCode: '51' }],
    });
    expect(await statusOf(api, path)).toBe('Active');
  });

  test.each<[what: string, Retry: object, retries: number[]]>([
    ['so often as Maximum says', { Maximum: 2, Interval: 'Day', Frequency: 3 }, [3 * DAY, 6 * DAY]],
    ['after hours', { Maximum: 3, Interval: 'Hour', Frequency: 6 }, [6 * HOUR, 12 * HOUR, 18 * HOUR]],
    ['once, an interval later, where no number is given', { Interval: 'Hour' }, [HOUR]],
    ['never where Maximum is 0', { Maximum: 0, Interval: 'Day' }, []],
  ])('is tried again %s', async (_, Retry, retries) => {
    const { api, method } = await setup({}, NO_FUNDS);
    await subscribed(api, monthly(method, { Retry }));
    await advanceTo(api, '2026-01-31');
    const found = (await chargesOf(api)).map(({ DateAdded }) => DateAdded);
    expect(found).toEqual([0, ...retries].map(after));
  });

  test('is not tried again once a retry succeeds, and moves no due date', async () => {
    const { api, method } = await setup({}, '4000000000002222');
    await subscribed(api, monthly(method, { Retry: { Maximum: 5, Interval: 'Day', Frequency: 2 } }));
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual([
      '2026-01-01 FAILED',
      '2026-01-03 FAILED',
      '2026-01-05 SUCCESS',
      '2026-02-01 SUCCESS',
    ]);
  });

  test('is not retried any more when the next due date comes', async () => {
    const { api, method } = await setup({}, NO_FUNDS);
    const Retry = { Maximum: 9, Interval: 'Hour', Frequency: 12 };
    await subscribed(api, monthly(method, { Interval: 'Day', Retry }));
    await advanceTo(api, '2026-01-02T12:00:00Z');
    const found = (await chargesOf(api)).map(({ DateAdded }) => DateAdded);
    expect(found).toEqual([0, 12 * HOUR, 24 * HOUR, 36 * HOUR].map(after));
  });

  test.each<
    [what: string, code: string, spoil: (api: Awaited<ReturnType<typeof setup>>) => Promise<unknown>]
  >([
    [
      'of a removed payment method',
      'Invalid PaymentMethodId (removed)',
      ({ api, method }) => api.del(`/payment_method/${method}`),
    ],
    [
      'of an expired card',
      'Expired Card',
      async ({ api, method }) => {
        await api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '02/26' } });
        await advanceTo(api, '2026-02-28');
      },
    ],
  ])('is what becomes of a charge %s, retries and all', async (_, ErrorMessage, spoil) => {
    const { api, method } = await setup();
    const Retry = { Maximum: 1, Interval: 'Day', Frequency: 1 };
    const path = await subscribed(api, monthly(method, { StartDate: '2026-03-10T00:00:00Z', Retry }));
    await spoil({ api, method });
    await advanceTo(api, '2026-03-10');
    expect((await api.read(path))['NextChargeDate']).toBe('2026-03-11T00:00:00.000Z');
    await advanceTo(api, '2026-03-31');
    expect(await history(api)).toEqual(['2026-03-10 FAILED', '2026-03-11 FAILED']);
    expect((await chargesOf(api))[0]).toMatchObject({
      ChargeId: expect.stringMatching(ID),
      Amount: 9.5,
      Initiator: 'MERCHANT',
      PaymentInformation: { PaymentMethodId: method, Card: { CcvCheck: null } },
      SubscriptionId: path.split('/')[2],
      FailedAttempts: [{ ErrorMessage, GatewayCode: null, GatewayMessage: null }],
    });
    expect(await statusOf(api, path)).toBe('Active');
  });

  test('stops with a payment method that is good again', async () => {
    const { api, method } = await setup();
    await api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '01/26' } });
    await subscribed(api, monthly(method));
    await advanceTo(api, '2026-02-01');
    await api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '01/30' } });
    await advanceTo(api, '2026-03-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 FAILED', '2026-03-01 SUCCESS']);
  });

  test('leaves nothing in a world that has no room for it, and is over as a decline is', async () => {
    const { api, method } = await setup({ recordsMax: 2 });
    const path = await subscribed(api, monthly(method, { EndAfter: { Count: 3 } }));
    await advanceTo(api, '2026-06-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 SUCCESS']);
    expect(await statusOf(api, path)).toBe('Active');
    expectRefused(
      await api.post('/charge/payment_method', { Amount: 1, Currency: 'AUD', PaymentMethodId: method }),
      409,
      90,
    );
  });
});

describe('the end of a subscription', () => {
  test.each<[what: string, more: object, dates: string[]]>([
    ['after Count charges', { EndAfter: { Count: 3 } }, ['2026-01-01', '2026-02-01', '2026-03-01']],
    ['once Amount is charged', { EndAfter: { Amount: 19 } }, ['2026-01-01', '2026-02-01']],
    ['once more than Amount is charged', { EndAfter: { Amount: 9.51 } }, ['2026-01-01', '2026-02-01']],
    [
      'with the last charge up to Date',
      { EndAfter: { Date: '2026-02-01T00:00:00Z' } },
      ['2026-01-01', '2026-02-01'],
    ],
    [
      'with the last charge before Date',
      { EndAfter: { Date: '2026-02-28T23:59:59Z' } },
      ['2026-01-01', '2026-02-01'],
    ],
    [
      'with what comes first',
      { EndAfter: { Count: 9, Amount: 900, Date: '2026-01-02T00:00:00Z' } },
      ['2026-01-01'],
    ],
  ])('comes %s: then it is Complete', async (_, more, dates) => {
    const { api, method } = await setup();
    const path = await subscribed(api, monthly(method, more));
    await advanceTo(api, `${dates.at(-1)}T00:00:00Z`);
    expect(await statusOf(api, path)).toBe('Complete');
    await advanceTo(api, '2027-01-01');
    expect(await history(api)).toEqual(dates.map((date) => `${date} SUCCESS`));
    expect((await api.read('/_sandbox/clock'))['NextDue']).toBeNull();
  });

  test('counts what was charged: a declined one is made up for at the end', async () => {
    const { api, method } = await setup({}, '4000000000002222');
    const path = await subscribed(api, monthly(method, { EndAfter: { Count: 2 } }));
    await advanceTo(api, '2026-12-31');
    expect(await history(api)).toEqual([
      '2026-01-01 FAILED',
      '2026-02-01 FAILED',
      '2026-03-01 SUCCESS',
      '2026-04-01 SUCCESS',
    ]);
    expect(await statusOf(api, path)).toBe('Complete');
  });

  test('comes after a charge late on the day of Date, by UTC', async () => {
    const { api, method } = await setup();
    const terms = { StartDate: '2026-01-01T23:00:00Z', EndAfter: { Date: '2026-02-01T00:00:00Z' } };
    const path = await subscribed(api, monthly(method, terms));
    await advanceTo(api, '2026-02-01T22:00:00Z');
    expect(await statusOf(api, path)).toBe('Active');
    await advanceTo(api, '2026-04-01');
    expect(await history(api)).toEqual([
      '2026-01-01T23:00:00.000Z SUCCESS',
      '2026-02-01T23:00:00.000Z SUCCESS',
    ]);
    expect(await statusOf(api, path)).toBe('Complete');
  });

  test('leaves out retries after Date', async () => {
    const { api, method } = await setup({}, NO_FUNDS);
    const path = await subscribed(
      api,
      monthly(method, {
        EndAfter: { Date: '2026-01-04T00:00:00Z' },
        Retry: { Maximum: 9, Interval: 'Day', Frequency: 2 },
      }),
    );
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 FAILED', '2026-01-03 FAILED']);
    expect(await statusOf(api, path)).toBe('Complete');
  });

  test('is not moved by a refund', async () => {
    const { api, method } = await setup();
    const path = await subscribed(api, monthly(method, { EndAfter: { Count: 2 } }));
    const [first] = await chargesOf(api);
    await api.del(`/refund/${String(first?.['ChargeId'])}`);
    await advanceTo(api, '2026-02-01');
    expect(await statusOf(api, path)).toBe('Complete');
  });
});

describe('a script', () => {
  test('decides charges of subscriptions by rules for charge.create', async () => {
    const { api, method } = await setup();
    const Definition = {
      name: 'a bad month',
      rules: [
        {
          when: { operation: 'charge.create', nth: 2, card: '4111*', amount: 9.5 },
          then: { outcome: 'lost_card' },
        },
      ],
    };
    await api.play(Definition);
    await subscribed(api, monthly(method));
    await advanceTo(api, '2026-03-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 FAILED', '2026-03-01 SUCCESS']);
    expect((await chargesOf(api, '&Status=FAILED'))[0]).toMatchObject({
      FailedAttempts: [{ GatewayCode: '41' }],
    });
  });

  test('gives them the outcomes that are queued for charge.create', async () => {
    const { api, method } = await setup();
    await subscribed(
      api,
      monthly(method, { StartDate: after(DAY), Retry: { Maximum: 1, Interval: 'Hour' } }),
    );
    await api.queue('charge.create', ['insufficient_funds']);
    await advanceTo(api, '2026-01-03');
    expect((await chargesOf(api)).map(({ Status }) => Status)).toEqual(['FAILED', 'SUCCESS']);
  });

  test('leaves faults that are queued for charge.create to requests, which come later', async () => {
    const { api, method } = await setup();
    const Outcomes = [{ Fault: 'status', Status: 418 }, 'lost_card'];
    await api.queue('charge.create', Outcomes);
    await subscribed(api, monthly(method));
    expect(await chargesOf(api)).toMatchObject([{ Status: 'SUCCESS' }]);
    const charge = { Amount: 1, Currency: 'AUD', PaymentMethodId: method };
    expect((await api.post('/charge/payment_method', charge)).status).toBe(418);
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 FAILED']);
  });

  test('has outcomes for them alone under subscription.charge', async () => {
    const { api, method } = await setup();
    await api.queue('subscription.charge', ['lost_card']);
    const charge = { Amount: 1, Currency: 'AUD', PaymentMethodId: method };
    await good(api.post('/charge/payment_method', charge));
    await subscribed(api, monthly(method));
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-01-01 FAILED']);
  });

  test('declines them while a timeline has their provider down', async () => {
    const { api, method } = await setup();
    const Definition = {
      name: 'an outage',
      timeline: [
        { at: '+20d', do: { providerDown: STEADY } },
        { at: '+40d', do: { providerUp: STEADY } },
      ],
    };
    await api.play(Definition);
    await subscribed(api, monthly(method));
    await advanceTo(api, '2026-03-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 FAILED', '2026-03-01 SUCCESS']);
  });

  test('has faults and delays for the wire alone: a charge that time makes is left alone', async () => {
    const { api, method } = await setup();
    const Definition = {
      name: 'lost answers',
      rules: [{ when: { operation: 'charge.create' }, then: { fault: 'reset', delay: '5s' } }],
    };
    await api.play(Definition);
    await subscribed(api, monthly(method));
    await advanceTo(api, '2026-02-01');
    expect(await history(api)).toEqual(['2026-01-01 SUCCESS', '2026-02-01 SUCCESS']);
  });
});
