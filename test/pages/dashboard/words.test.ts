import { expect, test } from 'vitest';

import type { BriefCall } from '../../../src/pages/dashboard/state/wire.js';
import { summariseEntry } from '../../../src/pages/dashboard/text/names.js';
import { describeBriefly, describeJob, parseSpan } from '../../../src/pages/dashboard/text/jobs.js';
import { describeRestart } from '../../../src/pages/dashboard/text/when.js';
import { describeQueued, explainInBrief } from '../../../src/pages/dashboard/text/why.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { cardOf, storing } from '../../support/stored.js';

test('A row of a refused call says what was wrong, and no two mistakes look alike.', async () => {
  const api = client(testSandbox());
  const mistakes = [{ Amount: -1 }, { Currency: 'ZZZ' }, { ProviderId: 'x' }, { PaymentInformation: {} }];
  for (const mistake of mistakes) await api.charge({ ...storing(), Amount: 5, ...mistake });
  const { Entries } = (await api.read('/_sandbox/journal?Brief=true')) as { Entries: BriefCall[] };
  const briefs = Entries.toReversed().map(explainInBrief);
  expect(briefs.map((brief) => brief.split(';')[0])).toEqual([
    'Amount is -1',
    'Currency is "ZZZ"',
    'ProviderId is "x"',
    expect.stringMatching(/^PaymentInformation/),
  ]);
});

test.each([
  [['unable_to_capture'], 'the next capture fails: unable_to_capture'],
  [['approve'], 'the next capture is approved'],
  [[{ Fault: 'hang', Delay: '3s' }], 'the next capture fails: fault hang'],
  [[{ Delay: '3s' }], 'the next capture is late'],
])('A queue of %j: %s', (Outcomes, said) => {
  const queue = { Operation: 'charge.capture', Outcomes } as unknown as Parameters<typeof describeQueued>[0];
  expect(describeQueued(queue)).toBe(said);
});

test.each([
  [
    'webhook.deliver',
    'to /hooks/pay, try 2 of 10, order-4005',
    'Webhook to /hooks/pay, try 2 of 10, order-4005',
    'webhook for order-4005',
  ],
  ['webhook.deliver', 'to /hooks, try 1 of 10', 'Webhook to /hooks, try 1 of 10', 'webhook'],
  [
    'charge.settle',
    'AUD 30.00 of order-1042',
    'The bank settles AUD 30.00 of order-1042',
    'the bank settles order-1042',
  ],
  [
    'authorisation.expire',
    'AUD 1,030.00 of to, try 2',
    'Authorisation expires: AUD 1,030.00 of to, try 2',
    'authorisation expires for to, try 2',
  ],
  [
    'subscription.charge',
    'AUD 5.00',
    'Subscription is charged: AUD 5.00',
    'subscription is charged for AUD 5.00',
  ],
  ['batch.finish', 'Fees', 'Batch ends: Fees', 'batch ends for Fees'],
  ['token.expire', null, 'Token expires', 'token expires'],
])('A job %s about %s: %s', (Kind, About, said, brief) => {
  expect(describeJob({ Kind, About }).text).toBe(said);
  expect(describeBriefly({ Kind, About })).toBe(brief);
});

test('Lists in records show when and what.', async () => {
  const api = client(testSandbox());
  await api.charge({ ...storing(), Amount: 5, PaymentInformation: cardOf('4000000000009995') });
  const { Records } = (await api.read('/_sandbox/records/charges')) as {
    Records: { FailedAttempts: object[] }[];
  };
  expect(Records[0]?.FailedAttempts.map(summariseEntry)).toEqual(['00:00:00, Insufficient Funds']);
  expect(summariseEntry('plain')).toBe('plain');
});

test('A server that was restarted says whether the world is still there.', () => {
  const Started = '2026-11-28T03:52:10.000Z';
  expect(describeRestart({ Started, Counts: { Charges: 0 } })).toBe(
    'The server was restarted at 03:52:10 UTC: this world is new and empty.',
  );
  expect(describeRestart({ Started, Counts: { Charges: 2 } })).toContain('loaded again');
});

test.each([
  ['7d', 7 * 864e5],
  ['2h 30m', 9e6],
  ['1h 30min', 54e5],
  ['1d2h', 936e5],
  ['PT2H', 72e5],
  ['P1DT30M', 882e5],
  ['PT1.5S', 1_500],
  ['P1M', null],
  ['P', null],
  ['PT', null],
  ['2 weeks', null],
  ['', null],
])('The duration %j is %s ms.', (typed, ms) => {
  expect(parseSpan(typed)).toBe(ms);
});
