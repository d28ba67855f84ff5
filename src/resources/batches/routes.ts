import { CODE } from '../../core/errors.js';
import { answerIn } from '../../http/answers/dialect.js';
import { vetWebhook, worldOf } from '../../http/exchange.js';
import { respondStream } from '../../http/answers/respond.js';
import { route, type Section } from '../../http/route.js';
import { readRow, searchRow } from '../../http/answers/rows.js';
import { presentBatch, presentBatchStatus, presentBatchSummary, streamBatch } from './presenter.js';
import { BatchResponse, BatchStatusResponse, BatchSummary, CreateBatch, SearchBatches } from './schema.js';
import { createBatch, requireBatch, searchBatches } from './service.js';

/** Longer answers are streamed. */
const WHOLE_ROWS_MAX = 2000;

/** The service has no code for an unknown batch. */
const UNKNOWN_BATCH = [CODE.InvalidBatch, 404] as const;

export const BATCHES: Section = {
  tag: 'Batches',
  text: 'Many charges in one call. As time passes, a batch moves from RECEIVED through CREATED and IN_PROGRESS to SUCCESS or FAILED.',
  rows: [
    route({
      method: 'post',
      path: '/batch/transaction/payment_method',
      id: 'createBatch',
      operation: 'batch.create',
      summary: 'Charge many payment methods',
      text: 'Batch is CSV text: the header PaymentMethodId,Amount,Currency,Reference, then Count rows. The rows are charged one after another as time passes.',
      body: CreateBatch,
      largeBody: true,
      response: BatchStatusResponse,
      errors: [CODE.InvalidBatch, CODE.InvalidBatchData],
      webhooks: ['batch.status.changed', 'transaction.status.changed'],
      handle: (c, { body }) => {
        vetWebhook(c, body.webhook);
        const world = worldOf(c);
        return presentBatchStatus(world, createBatch(world, body));
      },
    }),
    searchRow({
      path: '/batch',
      id: 'searchBatches',
      operation: 'batch.search',
      summary: 'Search batches',
      text: 'Newest first, without Success, Failure and Results. Read a single batch to get those.',
      query: SearchBatches,
      list: 'Batches',
      item: BatchSummary,
      search: searchBatches,
      present: presentBatchSummary,
    }),
    readRow({
      path: '/batch/{id}/status',
      id: 'getBatchStatus',
      operation: 'batch.read',
      summary: 'Read the progress of a batch',
      text: 'Returns Status, and Progress from 0 to 1.',
      response: BatchStatusResponse,
      errors: [UNKNOWN_BATCH],
      find: requireBatch,
      present: presentBatchStatus,
    }),
    route({
      method: 'get',
      path: '/batch/{id}',
      id: 'getBatch',
      operation: 'batch.read',
      summary: 'Read a batch with the result of each row',
      text: 'Results is CSV text with one line for each row: its Status, and either its TransactionId or its FailureReason.',
      response: BatchResponse,
      errors: [UNKNOWN_BATCH],
      find: requireBatch,
      handle: (c, { params }) => {
        const world = worldOf(c);
        const batch = requireBatch(world, params.id);
        if (batch.count <= WHOLE_ROWS_MAX) return presentBatch(world, batch);
        const write = (answer: BatchResponse): string => JSON.stringify(answerIn(answer, c.get('exchange')));
        return respondStream(
          c,
          streamBatch(world, batch, () => world.host.pause(), write),
        );
      },
    }),
  ],
};
