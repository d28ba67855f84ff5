import { expect, test } from 'vitest';

import { JOB_HANDLERS } from '../../../src/app/world-handlers.js';
import {
  countJobsThrough,
  describeMove,
  listAdvanceParts,
  runToLabel,
} from '../../../src/pages/dashboard/text/advance.js';
import type { AdvanceResponse } from '../../../src/pages/dashboard/state/wire.js';
import { batchOf, storing } from '../../support/bodies.js';
import { client, testSandbox } from '../../support/sandbox.js';

const textsOf = (answer: AdvanceResponse) => listAdvanceParts(answer).map(({ text }) => text);
const advanced = (Counts: Record<string, number>, Deliveries = 0, FailedDeliveries = 0): AdvanceResponse => ({
  From: '2026-01-01T00:00:00.000Z',
  Now: '2026-01-08T00:00:00.000Z',
  Ran: [],
  Jobs: 1,
  Counts,
  Deliveries,
  FailedDeliveries,
});

test('A move of the clock is described by what it did, each with the list that it counts.', () => {
  const counts = {
    'authorisation.expire': 25,
    'subscription.charge': 7,
    'batch.rows': 140,
    'batch.start': 1,
  };
  const answer = advanced(counts, 225, 31);
  expect(describeMove(answer)).toBe('Moved 7 days');
  expect(textsOf(answer)).toEqual([
    '25 authorisations expired',
    '7 subscriptions charged',
    '140 batch rows',
    '225 webhooks (31 failed)',
  ]);
  expect(listAdvanceParts(answer)[0]).toMatchObject({ view: 'charges', status: 'AUTHORISE_CANCELLED' });
  expect(textsOf(advanced({}))).toEqual([]);
  expect(describeMove({ From: '2026-01-01T00:00:00.000Z', Now: '2026-01-01T01:30:05.000Z' })).toBe(
    'Moved 1 hour 30 minutes',
  );
});

test('Each kind of job has words, except for the steps of a batch and of a webhook.', () => {
  const silent = Object.keys(JOB_HANDLERS).filter((kind) => textsOf(advanced({ [kind]: 1 })).length === 0);
  expect(silent.toSorted()).toEqual(['batch.create', 'batch.start', 'webhook.deliver']);
});

test('The rows of a batch are counted exactly, in whatever steps they ran.', async () => {
  const api = client(testSandbox());
  const { body } = await api.post('/payment_method/card', storing());
  const rows = Array.from({ length: 140 }, (_, n) => `${String(body['PaymentMethodId'])},5,AUD,row-${n}`);
  await api.post('/batch/transaction/payment_method', batchOf(rows));
  const first = (await api.post('/_sandbox/clock/advance', { By: '5s' })).body as unknown as AdvanceResponse;
  const rest = (await api.post('/_sandbox/clock/advance', { By: '7d' })).body as unknown as AdvanceResponse;
  const [some = 0, more = 0] = [first, rest].map(({ Counts }) => Counts['batch.rows']);
  expect(some).toBeGreaterThan(0);
  expect(some + more).toBe(140);
  expect(textsOf(rest)).toEqual([`${more} batch rows`, '1 batch ended']);
});

test('Run to here says how many jobs run, with those of the same instant.', () => {
  const jobs = ['1', '2', '2', '3'].map((At) => ({ At }));
  expect(jobs.map(({ At }) => countJobsThrough(jobs, At))).toEqual([1, 3, 3, 4]);
  expect([runToLabel(1), runToLabel(50)]).toEqual(['Run to here (1 job)', 'Run to here (50 jobs)']);
});
