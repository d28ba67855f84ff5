import { Hono } from 'hono';

import { query, validating } from '../http/validation.js';
import { spell } from '../http/dialect.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { readBatchBody } from '../http/read-body.js';
import { respond, respondStream } from '../http/respond.js';
import { resolveWebhook } from '../http/webhook.js';
import { presentBatch, presentBatchStatus, presentBatchSummary, streamBatch } from './presenter.js';
import { CreateBatch, SearchBatches } from './schema.js';
import { createBatch, requireBatch, searchBatches } from './service.js';

/** The answer with more rows is streamed. */
const WHOLE_ROWS_MAX = 2000;

const readSearch = query(SearchBatches);

export function batchRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post(
      '/batch/transaction/payment_method',
      validating(CreateBatch, readBatchBody),
      operation('batch.create'),
      (c) => {
        const command = c.req.valid('json');
        const webhook = command.webhook && resolveWebhook(c, command.webhook);
        const world = worldOf(c);
        const batch = createBatch(world, { ...command, webhook });
        return respond(c, presentBatchStatus(world, batch));
      },
    )
    .get('/batch/:id/status', operation('batch.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentBatchStatus(world, requireBatch(world, c.req.param('id'))));
    })
    .get('/batch/:id', operation('batch.read'), (c) => {
      const world = worldOf(c);
      const batch = requireBatch(world, c.req.param('id'));
      if (batch.count <= WHOLE_ROWS_MAX) return respond(c, presentBatch(world, batch));
      const spelt = (answer: object): object => spell(answer, c.get('exchange'));
      return respondStream(
        c,
        streamBatch(world, batch, () => world.host.pause(), spelt),
      );
    })
    .get('/batch', operation('batch.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchBatches(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map(presentBatchSummary);
      return respond(c, { Limit: limit, Skip: skip, Count: count, Batches: shown });
    });
}
