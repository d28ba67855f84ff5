import { formatInstant } from '../../core/time/time.js';
import { streamPieces } from '../../http/answers/respond.js';
import type { World } from '../../world/world.js';
import { HEADER, quoteField, rowText, splitRow } from './csv.js';
import type { Batch, BatchStatus, RowFailure } from '../../records/batch.js';
import type { BatchResponse, BatchStatusResponse, BatchSummary } from './schema.js';

/** Rows in one piece of a streamed response: about a millisecond of work. */
const PIECE_ROWS = 1000;

export function presentBatchStatus(_world: World, batch: Batch): BatchStatusResponse {
  const { id, count, success, failure } = batch;
  return { BatchId: id, Count: count, Success: success, Failure: failure, ...presentProgress(batch) };
}

/** A batch in a list: without its rows and their results. */
export function presentBatchSummary(_world: World, batch: Batch): BatchSummary {
  return { BatchId: batch.id, Count: batch.count, ...presentProgress(batch) };
}

function presentProgress(batch: Batch): Omit<BatchSummary, 'BatchId' | 'Count'> {
  return {
    Description: batch.description,
    Status: batch.status,
    Progress: batch.done / batch.count,
    DateAdded: formatInstant(batch.dateAdded),
    Metadata: batch.metadata,
  };
}

export function presentBatch(world: World, batch: Batch): BatchResponse {
  return { ...presentBatchStatus(world, batch), Results: formatResults(world, batch) };
}

/** Streams the JSON of `presentBatch`, with a pause between pieces. Rows that are processed later do not change the text. */
export function streamBatch(
  world: World,
  batch: Batch,
  pause: () => Promise<void>,
  write: (answer: BatchResponse) => string = JSON.stringify,
): ReadableStream<Uint8Array> {
  return streamPieces(generatePieces(world, batch, write), pause);
}

function* generatePieces(
  world: World,
  batch: Batch,
  write: (answer: BatchResponse) => string,
): Generator<string, void> {
  const shell = write({ ...presentBatchStatus(world, batch), Results: RESULTS_HEADER });
  const end = '"}';
  yield shell.slice(0, -end.length);
  for (let from = 0; from < batch.count; from += PIECE_ROWS) {
    const lines = formatResultLines(world, batch, from, Math.min(batch.count, from + PIECE_ROWS));
    // A piece ends between rows, so no character is cut and each piece is escaped on its own.
    yield JSON.stringify(lines).slice(1, -1);
  }
  yield end;
}

export const RESULTS_HEADER = `${HEADER},Status,TransactionId,FailureReason,GatewayErrorCode,GatewayErrorResponse,IsRetryable`;

/** The result of rows that a failed batch did not reach. */
const NEVER_REACHED: RowFailure = {
  reason: 'Processing stopped before this row',
  gatewayCode: null,
  gatewayMessage: null,
  retryable: true,
};

/** The complete Results: the header and a line for each row, without a line end after the last. */
export function formatResults(world: World, batch: Batch): string {
  return RESULTS_HEADER + formatResultLines(world, batch, 0, batch.count);
}

/** The lines of rows, each after a line end. */
export function formatResultLines(world: World, batch: Batch, from: number, to: number): string {
  const { text, starts, outcome, failures } = batch.rows;
  const failed = failures.map(formatFailedCells);
  const waiting = batch.status === 'FAILED' ? formatFailedCells(NEVER_REACHED) : `,${batch.status},,,,,`;
  let lines = '';
  for (let row = from; row < to; row++) {
    lines += `\n${formatRowContent(text, starts[row] ?? 0, starts[row + 1] ?? 0)}`;
    if (row >= batch.done) lines += waiting;
    else lines += failed[(outcome[row] ?? 0) - 1] ?? `,SUCCESS,${rowChargeId(world, batch, row)},,,,`;
  }
  return lines;
}

/** The result of one row, as in Results. */
export interface RowResult {
  readonly fields: readonly string[];
  /** The status of the batch until the row is processed. */
  readonly status: BatchStatus;
  /** The charge of the row, which may have been declined. */
  readonly chargeId: string | null;
  readonly failure: RowFailure | null;
}

/** The result of a row (from 0). */
export function rowResult(world: World, batch: Batch, row: number): RowResult {
  const { text, starts } = batch.rows;
  const fields = splitRow(rowText(text, starts[row] ?? 0, starts[row + 1] ?? 0));
  const chargeId = row < batch.done ? rowChargeId(world, batch, row) : null;
  return { fields, status: rowStatus(batch, row), chargeId, failure: findRowFailure(batch, row) };
}

/** Why a row (from 0) failed; null if it did not, or has not been processed yet. */
export function findRowFailure({ rows, done, status }: Batch, row: number): RowFailure | null {
  if (row >= done) return status === 'FAILED' ? NEVER_REACHED : null;
  return rows.failures[(rows.outcome[row] ?? 0) - 1] ?? null;
}

function rowChargeId(world: World, { rows }: Batch, row: number): string | null {
  return world.charges.at((rows.charge[row] ?? 0) - 1)?.id ?? null;
}

/** The status of a row (from 0), as in Results. */
export function rowStatus({ status, done, rows }: Batch, row: number): BatchStatus {
  if (row >= done) return status;
  return rows.outcome[row] === 0 ? 'SUCCESS' : 'FAILED';
}

function formatFailedCells({ reason, gatewayCode, gatewayMessage, retryable }: RowFailure): string {
  const cells = [reason, gatewayCode ?? '', gatewayMessage ?? ''].map(quoteField).join(',');
  return `,FAILED,,${cells},${retryable}`;
}

function formatRowContent(text: string, from: number, next: number): string {
  const content = rowText(text, from, next);
  // Without a quote or a return there is nothing to unquote, or to quote.
  return /["\r]/.test(content) ? splitRow(content).map(quoteField).join(',') : content;
}
