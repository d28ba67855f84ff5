import { CreateBatch, SearchBatches } from '../batches/schema.js';
import { CODE } from '../core/errors.js';
import { page } from '../http/answers.js';
import type { Section } from './operation.js';
import { Batch, BatchStatus, BatchSummary } from './payment-answers.js';

/** A batch has no code of its own that says it is unknown. */
const UNKNOWN_BATCH = [CODE.InvalidBatch, 404] as const;

export const BATCHES: Section = {
  tag: 'Batches',
  text: 'Many charges at once. A batch goes from RECEIVED over CREATED and IN_PROGRESS to SUCCESS or FAILED, as the clock goes.',
  rows: [
    {
      method: 'post',
      path: '/batch/transaction/payment_method',
      id: 'createBatch',
      summary: 'Charge many payment methods',
      body: CreateBatch,
      response: BatchStatus,
      errors: [CODE.InvalidBatch, CODE.InvalidBatchData],
    },
    {
      method: 'get',
      path: '/batch',
      id: 'searchBatches',
      summary: 'Search batches',
      query: SearchBatches,
      response: page('Batches', BatchSummary),
    },
    {
      method: 'get',
      path: '/batch/{id}/status',
      id: 'getBatchStatus',
      summary: 'Read how far a batch is',
      response: BatchStatus,
      errors: [UNKNOWN_BATCH],
    },
    {
      method: 'get',
      path: '/batch/{id}',
      id: 'getBatch',
      summary: 'Read a batch with what became of each row',
      response: Batch,
      errors: [UNKNOWN_BATCH],
    },
  ],
};
