import { describe, expect, test } from 'vitest';

import { batchJobs } from '../../../src/resources/batches/rows.js';
import { failBatch, moveBatch } from '../../../src/resources/batches/service.js';
import { ApiError } from '../../../src/core/errors.js';
import { JOB_HANDLERS } from '../../../src/app/world-handlers.js';
import type { JobHandlers, World } from '../../../src/world/world.js';
import { START } from '../../support/sandbox.js';
import {
  acceptBatch,
  accepted,
  APPROVING,
  batchAt,
  FLAKY,
  LOST,
  NO_FUNDS,
  resultsOf,
  setup,
} from './support.js';
import { cells } from '../../support/tables.js';

const FIRST_ROW_MS = 2100;

/** Runs all jobs that are due up to an instant, with so many steps in each turn. */
function runJobs(world: World, through: number, stepsATurn: number): number[] {
  const counts: number[] = [];
  while (world.jobs.nextDue <= through) {
    const job = world.jobs.take();
    const handler = job && JOB_HANDLERS[job.kind];
    if (!job || !handler) throw new Error('The queue has no such job');
    world.now = Math.max(world.now, job.due);
    counts.push(handler(world, job, { through, before: world.jobs.nextDue, steps: stepsATurn }));
  }
  return counts;
}

function chargesOf(world: World): object[] {
  return Array.from({ length: world.charges.next }, (_, n) => {
    const charge = world.charges.at(n);
    if (!charge) throw new Error('Charges are never removed');
    return {
      after: charge.dateAdded - START,
      batch: charge.batch,
      reference: charge.reference,
      status: charge.status,
      id: charge.id,
    };
  });
}

describe('a row', () => {
  async function resultOf(row: (method: string) => string, pan?: string, expiry?: string): Promise<string> {
    const { world, method } = setup();
    const id = method(pan, undefined, expiry);
    const batchId = acceptBatch(world, [row(id)]);
    await world.advance({ by: 60_000 });
    expect(batchAt(world, batchId).status).toBe('SUCCESS');
    return (resultsOf(world, batchId)[0] ?? '').replaceAll(id, 'ID');
  }

  test('that is approved becomes a charge with all that the row says', async () => {
    const { world, method } = setup();
    const id = method();
    const batchId = acceptBatch(world, [`${id},10.5,USD,"order, 1"`]);
    await world.advance({ by: 60_000 });
    const charge = world.charges.at(0);
    expect(charge).toMatchObject({
      amountMinor: 1050,
      currency: 'USD',
      reference: 'order, 1',
      status: 'SUCCESS',
      paymentMethod: id,
      batch: batchId,
      dateAdded: START + FIRST_ROW_MS,
      successDate: START + FIRST_ROW_MS,
    });
    expect(resultsOf(world, batchId)).toEqual([
      `${id},10.5,USD,"order, 1",SUCCESS,${world.charges.at(0)?.id},,,,`,
    ]);
    expect(batchAt(world, batchId)).toMatchObject({ done: 1, success: 1, failure: 0 });
  });

  test('without a Reference becomes a charge without one', async () => {
    const { world, method } = setup();
    acceptBatch(world, [`${method()},10.50,AUD,`]);
    await world.advance({ by: 60_000 });
    expect(world.charges.at(0)?.reference).toBeNull();
  });

  test('that is declined says what the gateway said, and its charge is stored as failed', async () => {
    const { world, method } = setup();
    const [poor, lost] = [method(NO_FUNDS), method(LOST)];
    const batchId = acceptBatch(world, [`${poor},10.50,AUD,a`, `${lost},10.50,AUD,b`]);
    await world.advance({ by: 60_000 });
    expect(resultsOf(world, batchId)).toEqual([
      `${poor},10.50,AUD,a,FAILED,,Insufficient Funds,51,Insufficient funds,true`,
      `${lost},10.50,AUD,b,FAILED,,Lost card pick up,41,"Lost card, pick up",false`,
    ]);
    expect(world.charges.at(0)).toMatchObject({ status: 'FAILED', reference: 'a', batch: batchId });
    expect(batchAt(world, batchId)).toMatchObject({ success: 0, failure: 2, status: 'SUCCESS' });
  });

  const NO_CURRENCY = 'Currency not supported: not an ISO 4217 code such as AUD';
  const NO_AMOUNT = 'Invalid Amount: not a decimal number such as 15.50';
  const TOO_FINE = 'Invalid Amount: more decimals than the currency has';

  test.each([
    ['an unknown payment method', 'pm1,10,AUD,a', 'Invalid PaymentMethodId: unknown payment method'],
    ['no payment method', ',10,AUD,a', 'Invalid PaymentMethodId: unknown payment method'],
    ['an unknown currency', 'ID,10,XYZ,a', NO_CURRENCY],
    ['a currency in Cyrillic letters', 'ID,10,АUD,a', NO_CURRENCY],
    ['no currency', 'ID,10,,a', NO_CURRENCY],
    ['a malformed amount', 'ID,1e2,AUD,a', NO_AMOUNT],
    ['no amount', 'ID,,AUD,a', NO_AMOUNT],
    ['too many decimals', 'ID,10.5,JPY,a', TOO_FINE],
    ['too large an amount', 'ID,1000000000,AUD,a', 'Invalid Amount: more than 999999999.99'],
    ['an amount of nothing', 'ID,0.00,AUD,a', 'Invalid Amount. Amount must be positive'],
    ['a negative amount', 'ID,-5,AUD,a', 'Invalid Amount. Amount must be positive'],
  ])('with %s fails without asking a gateway', async (_, row, reason) => {
    const shown = reason.includes(',') ? `"${reason}"` : reason;
    expect(await resultOf((id) => row.replace('ID', id))).toBe(`${row},FAILED,,${shown},,,false`);
  });

  test('may have its currency in any letter case, and its result has it as it was sent', async () => {
    const { world, method } = setup();
    const batchId = acceptBatch(world, [`${method()},10,usd,a`]);
    await world.advance({ by: 60_000 });
    expect(resultsOf(world, batchId)[0]).toContain(',10,usd,a,SUCCESS,');
    expect(world.charges.at(0)?.currency).toBe('USD');
  });

  test('with too long a Reference fails', async () => {
    const long = 'r'.repeat(1025);
    expect(await resultOf((id) => `${id},10,AUD,${long}`)).toBe(
      `ID,10,AUD,${long},FAILED,,Invalid ReferenceId: more than 1024 characters,,,false`,
    );
  });

  test('of a card whose month is over fails', async () => {
    expect(await resultOf((id) => `${id},10,AUD,a`, APPROVING, '12/25')).toBe(
      'ID,10,AUD,a,FAILED,,Expired Card,,,false',
    );
  });

  test('of a removed payment method fails', async () => {
    const { world, method } = setup();
    const id = method();
    const stored = world.paymentMethods.find(id);
    if (stored) world.paymentMethods.replace({ ...stored, dateRemoved: world.now });
    const batchId = acceptBatch(world, [`${id},10,AUD,a`]);
    await world.advance({ by: 60_000 });
    expect(resultsOf(world, batchId)).toEqual([
      `${id},10,AUD,a,FAILED,,Invalid PaymentMethodId (removed),,,false`,
    ]);
  });

  test('for which the world has no room fails, and a retry cannot help', async () => {
    const { world, method } = setup({ recordsMax: 3 });
    const rows = [1, 2].map((n) => `${method()},10,AUD,a${n}`);
    const first = acceptBatch(world, rows);
    const second = acceptBatch(world, rows);
    await world.advance({ by: 60_000 });
    expect(batchAt(world, first)).toMatchObject({ success: 2 });
    expect(batchAt(world, second)).toMatchObject({ success: 1, failure: 1 });
    expect(resultsOf(world, second)[1]).toMatch(/,FAILED,,Validation Error,,,false$/);
  });

  test('shares its failure with equal ones', async () => {
    const { world, method } = setup();
    const [good, poor] = [method(), method(NO_FUNDS)];
    const rows = Array.from({ length: 50 }, () => [`${poor},1,AUD,`, 'no,1,AUD,', `${good},x,AUD,`]).flat();
    const batchId = acceptBatch(world, rows);
    await world.advance({ by: 60_000 });
    expect(batchAt(world, batchId).rows.failures).toHaveLength(3);
  });
});

describe('time', () => {
  test('rows are done 100 ms apart by default, each charge at its own instant', async () => {
    const { world } = accepted(3);
    const report = await world.advance({ by: 60_000 });
    expect(chargesOf(world)).toMatchObject([{ after: 2100 }, { after: 2200 }, { after: 2300 }]);
    expect(report.ran).toMatchObject([
      { kind: 'batch.create', due: START + 1000 },
      { kind: 'batch.start', due: START + 2000 },
      { kind: 'batch.finish', due: START + 2300 },
    ]);
  });

  test('a long file takes 30 s, its rows evenly spread over whole milliseconds', async () => {
    const { world } = accepted(700);
    await world.advance({ by: 60_000 });
    const instants = chargesOf(world).map((charge) => (charge as { after: number }).after);
    expect(instants).toEqual(
      Array.from({ length: 700 }, (_, n) => 2000 + Math.floor(((n + 1) * 30_000) / 700)),
    );
    expect(instants.at(-1)).toBe(32_000);
  });

  test('a given pace is taken as given, however long the file', async () => {
    const { world, batchId } = accepted(400, { batchPace: 250 });
    await world.advance({ by: 2000 + 400 * 250 - 1 });
    expect(batchAt(world, batchId)).toMatchObject({ done: 399, status: 'IN_PROGRESS' });
    await world.advance({ by: 1 });
    expect(batchAt(world, batchId)).toMatchObject({ done: 400, status: 'SUCCESS' });
  });

  test('an immediate pace does everything at the instant when the batch came', async () => {
    const { world, batchId } = accepted(1000, { batchPace: 0 });
    expect(batchAt(world, batchId)).toMatchObject({ done: 0, status: 'RECEIVED' });
    await world.advance({ by: 0 });
    expect(batchAt(world, batchId)).toMatchObject({ done: 1000, status: 'SUCCESS' });
    expect(new Set(chargesOf(world).map((charge) => (charge as { after: number }).after))).toEqual(
      new Set([0]),
    );
  });

  test('two batches interleave by time, and at one instant in the order of their scheduling', async () => {
    const { world, method } = setup();
    const id = method();
    const rows = (name: string): string[] => [1, 2, 3].map((n) => `${id},1,AUD,${name}${n}`);
    acceptBatch(world, rows('a'));
    await world.advance({ by: 50 });
    acceptBatch(world, rows('b'));
    await world.advance({ by: 50 });
    acceptBatch(world, rows('c'));
    await world.advance({ by: 60_000 });
    const seen = chargesOf(world).map((charge) => {
      const { reference, after } = charge as { reference: string; after: number };
      return `${reference} ${after}`;
    });
    expect(seen).toEqual(cells`
      a1 2100|b1 2150|c1 2200|a2 2200|b2 2250|c2 2300|a3 2300|b3 2350|c3 2400
    `);
  });
});

describe('turns', () => {
  function fill(stepsATurn: number, pace: number | null): object {
    const { world, method } = setup({ batchPace: pace });
    const ids = [method(), method(NO_FUNDS), method(APPROVING, FLAKY), 'unknown'];
    const rows = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${ids[n % 4]},1,AUD,${name}${n}`);
    const batches = [acceptBatch(world, rows('a', 40)), acceptBatch(world, rows('b', 25))];
    runJobs(world, START + 2050, stepsATurn);
    batches.push(acceptBatch(world, rows('c', 500)));
    runJobs(world, START + 2500, stepsATurn);
    const midway = batches.map((batchId) => resultsOf(world, batchId));
    runJobs(world, START + 80_000, stepsATurn);
    return {
      midway,
      charges: chargesOf(world),
      results: batches.map((batchId) => resultsOf(world, batchId)),
      records: batches.map((batchId) => ({ ...batchAt(world, batchId), rows: null })),
      now: world.now,
    };
  }

  test.each([null, 0, 30, 100])(
    'change nothing at a pace of %j: any number of steps gives the same charges and results',
    (pace) => {
      const whole = fill(Infinity, pace);
      for (const steps of [1, 2, 3, 7, 400]) expect(fill(steps, pace)).toEqual(whole);
    },
  );

  test('of the world itself give the same as one run', async () => {
    const { world, batchId } = accepted(1500);
    for (let day = 0; day < 7; day++) await world.advance({ by: 5_000 });
    const other = accepted(1500);
    await other.world.advance({ by: 35_000 });
    expect(resultsOf(world, batchId)).toEqual(resultsOf(other.world, other.batchId));
    expect(chargesOf(world)).toEqual(chargesOf(other.world));
  });

  test('count their rows, at least one each, and the finish takes the step of the last', async () => {
    const { world } = accepted(10);
    expect(runJobs(world, START + 60_000, 4)).toEqual([1, 1, 4, 4, 1, 1]);
  });

  test('end before a job that is due at the same instant, which was there earlier', async () => {
    const { world, batchId } = accepted(10);
    world.jobs.schedule(START + 2400, 'other', '0');
    while (world.jobs.next?.kind !== 'other') {
      const job = world.jobs.take();
      if (!job) throw new Error('The other job is gone');
      world.now = job.due;
      (batchJobs as JobHandlers)[job.kind]?.(world, job, {
        through: Infinity,
        before: world.jobs.nextDue,
        steps: 400,
      });
    }
    expect(batchAt(world, batchId).done).toBe(3);
    expect(world.jobs.dueOf('batch.rows', batchId)).toBe(START + 2400);
  });
});

describe('a batch that breaks', () => {
  async function brokenAfter(ms: number) {
    const { world, id, batchId } = accepted(3);
    await world.advance({ by: ms });
    return { world, id, batchId, failed: failBatch(world, batchId) };
  }

  test('keeps the results of rows that are done, and never reaches the others', async () => {
    const { world, id, batchId, failed } = await brokenAfter(2150);
    expect(failed).toMatchObject({ status: 'FAILED', done: 1, success: 1, failure: 0 });
    await world.advance({ by: 60_000 });
    expect(batchAt(world, batchId)).toBe(failed);
    expect(world.charges.next).toBe(1);
    expect(world.jobs.size).toBe(0);
    expect(resultsOf(world, batchId)).toEqual([
      `${id},1,AUD,r0,SUCCESS,${world.charges.at(0)?.id},,,,`,
      `${id},1,AUD,r1,FAILED,,Processing stopped before this row,,,true`,
      `${id},1,AUD,r2,FAILED,,Processing stopped before this row,,,true`,
    ]);
  });

  test.each([
    ['RECEIVED', 0],
    ['CREATED', 1500],
    ['IN_PROGRESS', 2000],
  ])('may be %s before', async (_, ms) => {
    const { world, batchId } = await brokenAfter(ms);
    await world.advance({ by: 60_000 });
    expect(batchAt(world, batchId)).toMatchObject({ status: 'FAILED', done: 0 });
    expect(resultsOf(world, batchId)).toEqual(
      expect.arrayContaining([expect.stringContaining('Processing stopped')]),
    );
  });

  test('does not break again, and one that has ended does not break', async () => {
    const { world, batchId } = await brokenAfter(2150);
    const again = (): unknown => failBatch(world, batchId);
    expect(again).toThrow(ApiError);
    expect(again).toThrow(
      /^Invalid batch: The batch \w{32} is already FAILED; only a batch in progress can fail\.$/,
    );
    const id = acceptBatch(world, ['m,1,AUD,']);
    await world.advance({ by: 60_000 });
    expect(() => failBatch(world, id)).toThrow('is already SUCCESS');
  });

  test('never goes on: a status that cannot follow is a bug', async () => {
    const { world, failed } = await brokenAfter(2150);
    expect(() => moveBatch(world, failed, 'SUCCESS')).toThrow('A batch cannot go from FAILED to SUCCESS');
  });
});
