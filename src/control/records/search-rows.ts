import * as z from 'zod';

import { findRowFailure, rowResult, rowStatus } from '../../resources/batches/presenter.js';
import { type Batch, BATCH_STATUSES } from '../../records/batch.js';
import { requireBatch } from '../../resources/batches/service.js';
import { CODE } from '../../core/errors.js';
import { maskPans } from '../../core/cards/card.js';
import type { Page } from '../../core/store/search.js';
import { requireWorld } from '../../http/exchange.js';
import { optionalQueryWord, pageFields } from '../../http/fields/list-fields.js';
import { route } from '../../http/route.js';
import type { World } from '../../world/world.js';
import { type BatchReasonResponse, BatchRowsResponse, type BatchRowResponse } from './schema.js';
import type { Job } from '../../core/time/jobs.js';
import { requestSchema } from '../../http/fields/field.js';
import { optionalText } from '../../http/fields/fields.js';
import { buildSearchRow } from '../../http/answers/rows.js';
import { describeJobRecord, JOB_KINDS } from '../job-record.js';
import { presentJob } from '../presenter.js';
import { JobResponse } from '../schema.js';

const ListRows = z.lazy(() =>
  z.object({
    ...pageFields(),
    Status: optionalQueryWord(BATCH_STATUSES).describe('Only rows with this status.'),
  }),
);

/** Unlike Results, the rows can be read without the whole batch. */
export const BATCH_ROWS_ROW = route({
  method: 'get',
  path: '/_sandbox/records/batches/{id}/rows',
  id: 'lookBatchRows',
  summary: 'List the rows of a batch without affecting the world',
  text: 'In the order of the batch, each with its result as in Results. Reasons counts all failed rows of the batch by FailureReason, the most frequent first.',
  query: ListRows,
  response: BatchRowsResponse,
  errors: [[CODE.InvalidBatch, 404]],
  handle: (c, { params, query }) => {
    const world = requireWorld(c);
    const batch = requireBatch(world, params.id);
    const { Limit, Skip, Status } = query;
    const { rows, count } = listRows(batch, Status, { limit: Limit, skip: Skip });
    const Rows = rows.map((row) => presentBatchRow(world, batch, row));
    return { Limit, Skip, Count: count, Rows, Reasons: countReasons(batch) };
  },
});

/** The numbers (from 0) of the rows on a page, and how many rows match. */
function listRows(batch: Batch, wanted: string | null, { limit, skip }: Page) {
  const rows: number[] = [];
  let count = 0;
  for (let row = 0; row < batch.count; row++) {
    if (wanted !== null && rowStatus(batch, row) !== wanted) continue;
    if (count >= skip && rows.length < limit) rows.push(row);
    count++;
  }
  return { rows, count };
}

/** How often rows failed, by the FailureReason that they have in Results. */
function countReasons(batch: Batch): BatchReasonResponse[] {
  const counts = new Map<string, number>();
  for (let row = 0; row < batch.count; row++) {
    const failure = findRowFailure(batch, row);
    if (failure !== null) counts.set(failure.reason, (counts.get(failure.reason) ?? 0) + 1);
  }
  return [...counts].map(([Reason, Count]) => ({ Reason, Count })).toSorted((a, b) => b.Count - a.Count);
}

function presentBatchRow(world: World, batch: Batch, row: number): BatchRowResponse {
  const { fields, status, chargeId, failure } = rowResult(world, batch, row);
  const [PaymentMethodId = '', Amount = '', Currency = '', Reference = ''] = fields.map(maskPans);
  return {
    Row: row + 1,
    PaymentMethodId,
    Amount,
    Currency,
    Reference,
    Status: status,
    ChargeId: chargeId,
    FailureReason: failure?.reason ?? null,
    GatewayErrorCode: failure?.gatewayCode ?? null,
    GatewayErrorResponse: failure?.gatewayMessage ?? null,
    IsRetryable: failure?.retryable ?? null,
  };
}

const SearchJobs = requestSchema(
  () => ({
    Kind: optionalQueryWord(JOB_KINDS).describe('Only jobs of this kind.'),
    Ref: optionalText().describe('Only jobs of the record with this identifier or reference.'),
    ...pageFields(),
  }),
  ({ Kind, Ref, Limit, Skip }) => ({ kind: Kind, ref: Ref, page: { limit: Limit, skip: Skip } }),
);

export const JOBS_ROW = buildSearchRow({
  path: '/_sandbox/jobs',
  id: 'lookJobs',
  summary: 'List what is due',
  text: 'The jobs of the world, the next one first. An advance of the clock runs those that become due.',
  query: SearchJobs,
  list: 'Jobs',
  item: JobResponse,
  search: (world, { kind, ref, page: { skip, limit } }) => {
    const isOf = (job: Job, name: string): boolean =>
      job.ref === name || describeJobRecord(world, job)?.endsWith(` ${name}`) === true;
    const fits = (job: Job): boolean => (kind ?? job.kind) === job.kind && (ref === null || isOf(job, ref));
    const all = world.jobs.inOrder().filter(fits);
    return { found: all.slice(skip, skip + limit), count: all.length };
  },
  present: presentJob,
});
