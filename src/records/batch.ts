import { DURATION_MAX_MS } from '../core/time/time.js';
import * as field from '../core/store/field.js';

export const BATCH_STATUSES = ['RECEIVED', 'CREATED', 'IN_PROGRESS', 'SUCCESS', 'FAILED'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

export const BATCH_TRANSITIONS: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  RECEIVED: ['CREATED', 'FAILED'],
  CREATED: ['IN_PROGRESS', 'FAILED'],
  IN_PROGRESS: ['SUCCESS', 'FAILED'],
  SUCCESS: [],
  FAILED: [],
};

const failureCodec = field.record({
  reason: field.anyText,
  gatewayCode: field.maybeText,
  gatewayMessage: field.maybeText,
  retryable: field.flag,
});

/** Why a row failed. A batch stores equal failures once. */
export interface RowFailure extends field.ValueOf<typeof failureCodec> {}

/**
 * The rows of a batch, stored compactly because there may be a million. Each place in the arrays is written once, in order, so
 * rows processed later do not change what a snapshot has read.
 */
export interface BatchRows {
  readonly text: string;
  /** Where each row begins in `text`, and where the last one ends: Count + 1 entries. */
  readonly starts: Uint32Array;
  /** For each processed row: 0 for a success, otherwise its index in `failures` plus 1. */
  readonly outcome: Uint16Array;
  /** For each processed row: the index of its charge plus 1, or 0 without a charge. */
  readonly charge: Uint32Array;
  readonly failures: RowFailure[];
}

/** The rows of a batch in a document, without where each row begins. */
export const rowFields = {
  text: field.utf8,
  /** For each processed row: two bytes here, and four bytes below, the least significant first. */
  outcome: field.bytes,
  charge: field.bytes,
  failures: field.list<RowFailure>(failureCodec),
};

const rowCount = field.whole(0, 999_999_999);

export const batchFields = () => ({
  description: field.anyText,
  status: field.tableKey(BATCH_TRANSITIONS),
  count: field.whole(1, 999_999_999),
  /** How many rows were processed, and with what result. */
  done: rowCount,
  success: rowCount,
  failure: rowCount,
  dateAdded: field.instant,
  /** When processing began. */
  started: field.maybeInstant,
  /** When it became SUCCESS or FAILED. It is also null in documents of earlier versions. */
  ended: field.maybeInstant,
  /** Milliseconds for each row; null: the default pace. */
  pace: field.orNull(field.whole(0, DURATION_MAX_MS)),
  webhook: field.maybeWebhook,
  metadata: field.metadata,
});

export interface Batch extends field.RecordOf<typeof batchFields> {
  readonly rows: BatchRows;
}

/** How long a batch stays RECEIVED, and then CREATED: our assumption. */
export const RECEIVED_FOR = 1000;
export const CREATED_FOR = 1000;
/** The default pace is a row each 100 ms, but at most 30 s for the whole file: our assumption. */
const DEFAULT_PACE = 100;
const DEFAULT_WHOLE = 30_000;

/** The jobs of a batch, in the order in which they become due. */
export const BATCH_JOB = {
  create: 'batch.create',
  start: 'batch.start',
  rows: 'batch.rows',
  finish: 'batch.finish',
} as const;

/** How many rows of the batch of a job are processed; 0 for a job that processes none. */
export function countRowsDone(
  batches: { find(id: string): Batch | undefined },
  { kind, ref }: { readonly kind: string; readonly ref: string },
): number {
  return kind === BATCH_JOB.rows ? (batches.find(ref)?.done ?? 0) : 0;
}

/** When a row is done; the first is row 0. */
export function rowDoneAt(
  batch: { count: number; pace: number | null },
  started: number,
  row: number,
): number {
  if (batch.pace !== null) return started + (row + 1) * batch.pace;
  if (DEFAULT_PACE * batch.count <= DEFAULT_WHOLE) return started + (row + 1) * DEFAULT_PACE;
  return started + Math.floor(((row + 1) * DEFAULT_WHOLE) / batch.count);
}

/** How long a batch stays in a status before its rows are processed. */
export function waitInStatus(batch: { pace: number | null }, standard: number): number {
  return batch.pace === 0 ? 0 : standard;
}
