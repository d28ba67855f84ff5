import { CODE } from '../../core/errors.js';
import { translateAnswer } from '../../http/answers/dialect.js';
import { warnOfHttpReceiver, requireWorld } from '../../http/exchange.js';
import { sendJsonStream } from '../../http/answers/respond.js';
import { route, type Section } from '../../http/route.js';
import { buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
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
        warnOfHttpReceiver(c, body.webhook);
        const world = requireWorld(c);
        return presentBatchStatus(world, createBatch(world, body));
      },
    }),
    buildSearchRow({
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
    buildReadRow({
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
        const world = requireWorld(c);
        const batch = requireBatch(world, params.id);
        if (batch.count <= WHOLE_ROWS_MAX) return presentBatch(world, batch);
        const write = (answer: BatchResponse): string =>
          JSON.stringify(translateAnswer(answer, c.get('exchange')));
        return sendJsonStream(
          c,
          streamBatch(world, batch, () => world.host.pause(), write),
        );
      },
    }),
  ],
};
