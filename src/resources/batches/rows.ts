import { chargeMethod, toChargedMethod } from '../charges/instruments.js';
import { findScriptedOutcome } from '../charges/scripted.js';
import { type ChargeDetails, type ChargeResult, PLAIN_DETAILS } from '../charges/service.js';
import { ApiError, CODE, requireErrorRow } from '../../core/errors.js';
import type { Job, JobWindow } from '../../core/time/jobs.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import { isApproved, type Outcome } from '../../outcomes/outcomes.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { JobHandlers, World } from '../../world/world.js';
import { parseCsvRow, type BatchRow } from './csv.js';
import {
  BATCH_JOB,
  type Batch,
  CREATED_FOR,
  rowDoneAt,
  type RowFailure,
  waitInStatus,
} from '../../records/batch.js';
import { failBatch, moveBatch } from './service.js';
import { type AmountFault, currencyExponent, parseAmount } from '../../core/money.js';

export const batchJobs = {
  [BATCH_JOB.create]: (world, job) => {
    const batch = moveBatch(world, requireJobBatch(world, job), 'CREATED');
    world.jobs.schedule(world.now + waitInStatus(batch, CREATED_FOR), BATCH_JOB.start, job.ref);
    return 1;
  },
  [BATCH_JOB.start]: (world, job) => {
    const batch = moveBatch(world, requireJobBatch(world, job), 'IN_PROGRESS', { started: world.now });
    world.jobs.schedule(rowDoneAt(batch, world.now, 0), BATCH_JOB.rows, job.ref);
    return 1;
  },
  [BATCH_JOB.rows]: processRows,
  [BATCH_JOB.finish]: (world, job) => {
    moveBatch(world, requireJobBatch(world, job), 'SUCCESS');
    return 1;
  },
} satisfies JobHandlers;

function requireJobBatch(world: World, job: Job): Batch {
  const batch = world.batches.find(job.ref);
  if (!batch) throw new Error(`The job ${job.kind} has no batch ${job.ref}`);
  return batch;
}

/**
 * Processes rows, each at its own instant, until another job is due, the window ends or the steps are used up. The results
 * do not depend on how many rows one call processes. Returns the number of steps.
 */
function processRows(world: World, job: Job, window: JobWindow): number {
  const batch = requireJobBatch(world, job);
  if (batch.started === null) throw new Error('Rows are due before their batch has started');
  const run = new RowRun(world, batch);
  const last = countRunnableRows(world, batch);
  let instant = job.due;
  // The first row is due: its job was the next one.
  const mayRun = (): boolean =>
    run.steps === 0 || (run.steps < window.steps && canContinue(world, window, instant));
  while (run.done < last && mayRun()) {
    world.now = instant;
    run.processNext();
    instant = rowDoneAt(batch, batch.started, run.done);
  }
  world.batches.replace(run.toBatch());
  if (run.done < last) {
    world.jobs.schedule(instant, BATCH_JOB.rows, batch.id);
    return Math.max(1, run.steps);
  }
  finishRows(world, batch);
  // The end counts as the last row's step, so that no turn ends between the two.
  return Math.max(0, run.steps - 1);
}

/** The number of rows to process: all of them, unless the scenario stops earlier. */
function countRunnableRows(world: World, batch: Batch): number {
  const { failAt, stuckAt } = world.script.scenario?.batches ?? {};
  return Math.min(batch.count, stopRow(failAt, batch), stopRow(stuckAt, batch));
}

type StopPoint = NonNullable<Scenario['batches']>['failAt'];

/** The last row before a batch fails or is stuck, which a shorter batch never reaches. */
function stopRow(at: StopPoint | undefined, { count }: Batch): number {
  if (typeof at === 'number') return Math.floor(at * count);
  return at?.row ?? Infinity;
}

function finishRows(world: World, batch: Batch): void {
  const { id, count } = batch;
  const { failAt } = world.script.scenario?.batches ?? {};
  if (stopRow(failAt, batch) <= count) failBatch(world, id);
  else if (world.batches.find(id)?.done === count) world.jobs.schedule(world.now, BATCH_JOB.finish, id);
  // Otherwise the batch is stuck: nothing is scheduled, and it stays in progress.
}

/** On a tie the other job goes first, because it was scheduled earlier. A row may itself schedule one. */
function canContinue(world: World, window: JobWindow, instant: number): boolean {
  return instant <= window.through && instant < window.before && instant < world.jobs.nextDue;
}

/** Processes some rows of a batch. The caller then replaces the batch's record, once for all of them. */
class RowRun {
  done: number;
  steps = 0;
  private success: number;
  private readonly numbers = new Map<RowFailure | Outcome, number>();

  constructor(
    private readonly world: World,
    private readonly batch: Batch,
  ) {
    this.done = batch.done;
    this.success = batch.success;
  }

  processNext(): void {
    const { text, starts, outcome } = this.batch.rows;
    const row = parseCsvRow(text, starts[this.done] ?? 0, starts[this.done + 1] ?? 0);
    const failure = this.chargeRow(row);
    outcome[this.done] = failure;
    if (failure === 0) this.success++;
    this.done++;
    this.steps++;
  }

  toBatch(): Batch {
    const { done, success } = this;
    return { ...this.batch, done, success, failure: done - success };
  }

  /** Returns 0 for a success, otherwise the index of the failure plus 1. */
  private chargeRow(row: BatchRow): number {
    const method = this.world.paymentMethods.find(row.paymentMethodId);
    if (!method) return this.failureNumber(UNKNOWN_METHOD);
    const bad = findBadContent(method, row);
    if (bad) return this.failureNumber(bad);
    try {
      const result = this.chargeValidRow(method, row);
      this.batch.rows.charge[this.done] = result.charge.index + 1;
      const { outcome } = result.answer;
      return isApproved(outcome) ? 0 : (this.numbers.get(outcome) ?? this.noteDecline(outcome));
    } catch (error) {
      if (error instanceof ApiError) return this.noteRefusal(error);
      throw error;
    }
  }

  private chargeValidRow(method: PaymentMethod, row: BatchRow): ChargeResult {
    const { world, batch } = this;
    const { amount, currency } = row;
    const reference = row.reference === '' ? null : row.reference;
    const details: ChargeDetails = { ...PLAIN_DETAILS, currency, reference };
    const facts = { amount, currency, reference };
    const override = findScriptedOutcome(world, 'batch.row', toChargedMethod(method), facts);
    return chargeMethod(world, method, method.providerId, amount, details, override, batch.id);
  }

  private noteDecline(outcome: Outcome): number {
    const { code, gatewayCode, gatewayMessage, retryable } = outcome;
    const { message } = requireErrorRow(code ?? CODE.UnknownError);
    const number = this.failureNumber({ reason: message, gatewayCode, gatewayMessage, retryable });
    this.numbers.set(outcome, number);
    return number;
  }

  /** A row that was refused before its provider was asked, for example because its card has expired. */
  private noteRefusal({ refusal }: ApiError): number {
    const { message, retryable } = requireErrorRow(refusal.code);
    return this.failureNumber({
      reason: message,
      gatewayCode: null,
      gatewayMessage: null,
      retryable: refusal.retryable ?? retryable,
    });
  }

  private failureNumber(failure: RowFailure): number {
    const known = this.numbers.get(failure);
    if (known !== undefined) return known;
    const { failures } = this.batch.rows;
    const found = failures.findIndex((other) => isSameFailure(other, failure));
    const number = found >= 0 ? found + 1 : failures.push(failure);
    this.numbers.set(failure, number);
    return number;
  }
}

/** Rows that fail before the provider is asked. */

const REFERENCE_MAX = 1024;

/** A row with invalid content. A retry would not help. */
function contentFailure(code: number, why = ''): RowFailure {
  const { message } = requireErrorRow(code);
  const reason = why === '' ? message : `${message}: ${why}`;
  return Object.freeze({ reason, gatewayCode: null, gatewayMessage: null, retryable: false });
}

// A reason contains no text of the row, so that a batch has few different reasons.
const UNKNOWN_METHOD = contentFailure(CODE.InvalidPaymentMethodId, 'unknown payment method');
const REMOVED_METHOD = contentFailure(CODE.InvalidPaymentMethodIdRemoved);
const UNKNOWN_CURRENCY = contentFailure(CODE.CurrencyNotSupported, 'not an ISO 4217 code such as AUD');
const LONG_REFERENCE = contentFailure(CODE.InvalidReferenceId, `more than ${REFERENCE_MAX} characters`);
const BAD_AMOUNTS: Readonly<Record<AmountFault, RowFailure>> = {
  malformed: contentFailure(CODE.InvalidAmount, 'not a decimal number such as 15.50'),
  decimals: contentFailure(CODE.InvalidAmount, 'more decimals than the currency has'),
  'too-large': contentFailure(CODE.InvalidAmount, 'more than 999999999.99'),
  'not-positive': contentFailure(CODE.InvalidAmountMustBePositive),
};

/** Whether two failures look the same in Results. */
function isSameFailure(a: RowFailure, b: RowFailure): boolean {
  return (
    a.reason === b.reason &&
    a.gatewayCode === b.gatewayCode &&
    a.gatewayMessage === b.gatewayMessage &&
    a.retryable === b.retryable
  );
}

/** The failure of a row with invalid content; null if it is valid. */
function findBadContent(method: PaymentMethod, row: BatchRow): RowFailure | null {
  if (method.dateRemoved !== null) return REMOVED_METHOD;
  const exponent = currencyExponent(row.currency);
  if (exponent === undefined) return UNKNOWN_CURRENCY;
  const amount = parseAmount(row.amount, exponent);
  if (typeof amount !== 'number') return BAD_AMOUNTS[amount];
  return row.reference.length > REFERENCE_MAX ? LONG_REFERENCE : null;
}
