import { expect, test } from 'vitest';

import { groupDigits } from '../../../src/pages/dashboard/text/format.js';
import {
  describeRecord,
  listRecordStates,
  listRecordSteps,
  type RecordHistory,
} from '../../../src/pages/dashboard/text/record-story.js';
import { toPlainText } from '../../../src/pages/dashboard/text/sentence.js';
import type { RecordDetail } from '../../../src/pages/dashboard/state/wire.js';
import { batchOf } from '../../support/bodies.js';
import type { Client } from '../../support/sandbox.js';
import { cardOf, STEADY, storing, textIn } from '../../support/stored.js';
import { setup } from '../../webhooks/support.js';

async function historyOf(api: Client, view: string, id: string): Promise<RecordHistory> {
  const detail = (await api.read(`/_sandbox/records/${view}/${id}`)) as unknown as RecordDetail;
  const { Clock } = (await api.read('/_sandbox/world')) as unknown as { Clock: { Now: string } };
  return { record: detail.Record, timeline: detail.Timeline, now: Date.parse(Clock.Now) };
}

/** The sentence of a record, its states, and the names of the steps that can follow. */
async function tell(api: Client, view: string, id: string): Promise<[string, string[], string[]]> {
  const history = await historyOf(api, view, id);
  return [
    toPlainText(describeRecord(view, history)).replaceAll('\u00a0', ' '),
    listRecordStates(history).map(({ name }) => name),
    listRecordSteps(view, history).map(({ name }) => name),
  ];
}

test('a batch says how far it is and when it ends, at each stage; its end can be reached with one step.', async () => {
  const { api } = setup();
  const method = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
  const rows = Array.from({ length: 40 }, (_, n) => `${method},${n === 3 ? '-1' : '5'},AUD,row-${n}`);
  const id = textIn(await api.post('/batch/transaction/payment_method', batchOf(rows)), 'BatchId');
  expect(await tell(api, 'batches', id)).toEqual([
    '0 of 40 rows processed. It ends at 00:00:06, in 6 s.',
    ['Created', 'RECEIVED'],
    ['Run to its end', 'Fail now'],
  ]);
  await api.advance('1500ms');
  expect((await tell(api, 'batches', id))[0]).toContain('It ends at 00:00:06, in 4 s 500 ms.');
  await api.advance('2s');
  const [said, states, steps] = await tell(api, 'batches', id);
  expect([said, states, steps]).toEqual([
    '15 of 40 rows processed. It ends at 00:00:06, in 2 s 500 ms.',
    ['Created', 'IN_PROGRESS'],
    ['Run to its end', 'Fail now'],
  ]);
  const [end] = listRecordSteps('batches', await historyOf(api, 'batches', id));
  const action = end?.act('');
  await api.post('/_sandbox/clock/advance', { To: action?.does === 'run' ? action.to : '' });
  expect(await tell(api, 'batches', id)).toEqual(['All 40 rows were processed.', ['Created', 'SUCCESS'], []]);
});

test('the rows of a batch come with the reasons of all that failed, whatever the page shows.', async () => {
  const { api } = setup();
  const good = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
  const poor = textIn(
    await api.post('/payment_method/card', storing({ PaymentInformation: cardOf('4000000000009995') })),
    'PaymentMethodId',
  );
  const rows = Array.from({ length: 20 }, (_, n) =>
    n === 0 ? `${good},-1,AUD,r` : `${n % 2 === 0 ? poor : good},5,AUD,r`,
  );
  const id = textIn(await api.post('/batch/transaction/payment_method', batchOf(rows)), 'BatchId');
  await api.advance('1m');
  const page = await api.read(`/_sandbox/records/batches/${id}/rows?Limit=1&Status=SUCCESS`);
  expect(page).toMatchObject({
    Count: 10,
    Reasons: [
      { Reason: 'Insufficient Funds', Count: 9 },
      { Reason: 'Invalid Amount. Amount must be positive', Count: 1 },
    ],
  });
});

test('a subscription says what it charges and when; it can be suspended, resumed and cancelled.', async () => {
  const { api } = setup();
  const method = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
  const body = { PaymentMethodId: method, Amount: 12, Currency: 'AUD', Interval: 'Week', Frequency: 2 };
  const id = textIn(await api.post('/subscription/payment_method', body), 'SubscriptionId');
  await api.advance('1s');
  const terms = 'AUD 12.00 every 2 weeks, from a payment method.';
  expect(await tell(api, 'subscriptions', id)).toEqual([
    `${terms} The next charge is due on 15 Jan at 00:00, in 13 d 23 h.`,
    ['Created', 'Active'],
    ['Let it charge', 'Suspend', 'Cancel'],
  ]);
  for (const [step, said, next] of [
    ['Suspend', 'It is suspended: nothing is charged until it is resumed.', ['Resume', 'Cancel']],
    ['Cancel', 'It has ended: nothing more will be charged.', []],
  ] as const) {
    const steps = listRecordSteps('subscriptions', await historyOf(api, 'subscriptions', id));
    const action = steps.find(({ name }) => name === step)?.act('');
    if (action?.does !== 'call') throw new Error(`${step} is no call`);
    if (action.method === 'PUT') await api.put(action.path, action.body ?? {});
    else await api.del(action.path);
    expect(await tell(api, 'subscriptions', id)).toEqual([
      `${terms} ${said}`,
      ['Created', step === 'Suspend' ? 'Suspended' : 'Cancelled'],
      next,
    ]);
  }
});

test('a customer, a method, a vault entry, a link and a challenge each say what they are.', async () => {
  const { api } = setup();
  const customer = await api.post('/customer/card', {
    ProviderId: STEADY,
    FirstName: 'Ada',
    LastName: 'Byron',
    PaymentInformation: cardOf('4242424242424242'),
  });
  const customerId = textIn(customer, 'CustomerId');
  const methodId = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
  expect((await tell(api, 'customers', customerId))[0]).toBe(
    'Ada Byron pays with VISA 4242********4242 unless a charge says otherwise.',
  );
  expect((await tell(api, 'payment-methods', methodId))[0]).toBe('VISA 4242********4242, of a customer.');
  await api.del(`/payment_method/${methodId}`);
  expect((await tell(api, 'payment-methods', methodId))[0]).toContain(
    'Removed at 00:00: it can no longer be charged.',
  );
  const link = await api.post('/payment_link', {
    Title: 'Dinner',
    Amount: 30,
    Currency: 'AUD',
    LimitPayments: 5,
    AllowedPaymentTypes: ['CARD'],
  });
  expect((await tell(api, 'payment-links', textIn(link, 'PaymentLinkId')))[0]).toBe(
    'AUD 30.00, paid 0 times of at most 5.',
  );
  await api.charge(
    storing({
      Amount: 7,
      PaymentInformation: cardOf('4000000000001133'),
      ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
    }),
  );
  const { Records } = (await api.read('/_sandbox/records/authentications')) as unknown as {
    Records: { ThreeDSServerTransID: string }[];
  };
  const [said, states, steps] = await tell(api, 'authentications', Records[0]?.ThreeDSServerTransID ?? '');
  expect(said).toMatch(/^The payer with VISA 4000\*+1133 must answer the challenge\. It times out at /);
  expect(states).toEqual(['Created', 'CHALLENGED']);
  expect(steps).toEqual(['Approve', 'Fail', 'Close without answering', 'Let it time out']);
});

test.each([
  ['378282246310005', '3782 822463 10005'],
  ['4242424242424242', '4242 4242 4242 4242'],
])('%s is grouped as on the card', (number, shown) => {
  expect(groupDigits(number)).toBe(shown);
});
