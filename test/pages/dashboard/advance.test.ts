import { expect, test } from 'vitest';

import { JOB_HANDLERS } from '../../../src/app/world-handlers.js';
import {
  describeLasting,
  describeMove,
  labelRun,
  listAdvanceParts,
} from '../../../src/pages/dashboard/text/advance.js';
import type { AdvanceResponse } from '../../../src/pages/dashboard/state/wire.js';
import { batchOf, storing } from '../../support/bodies.js';
import { client, testSandbox } from '../../support/sandbox.js';

const jobAt = (At: string) => ({ At, Kind: 'token.expire', Ref: '', About: null });
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
  expect(textsOf(advanced({ 'vault.expire': 2, 'batch.finish': 2, 'scenario.timeline': 1 }))).toEqual([
    '2 vault entries expired',
    '2 batches ended',
    '1 scenario event',
  ]);
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

test('Run to here says how many jobs run, with those of the same instant and of earlier pages.', () => {
  const page = { Limit: 4, Skip: 0, Count: 4, Jobs: ['1', '2', '2', '3'].map(jobAt) };
  expect(page.Jobs.map(({ At }) => labelRun(page, At))).toEqual([
    'Run to here (1 job)',
    'Run to here (3 jobs)',
    'Run to here (3 jobs)',
    'Run to here (4 jobs)',
  ]);
  expect(labelRun({ ...page, Skip: 46, Count: 50 }, '3')).toBe('Run to here (50 jobs)');
  expect(labelRun({ ...page, Count: 5 }, '9', '17 Mar 09:00')).toBe('Run to 17 Mar 09:00 (at least 4 jobs)');
});

test('Only a move that sent webhooks says that they cannot be undone.', () => {
  expect(describeLasting(advanced({}, 225, 31))).toBe('Webhooks that were sent cannot be undone.');
  expect(describeLasting(advanced({ 'token.expire': 1 }))).toBe('');
});
