import { Hono } from 'hono';

import { validating } from '../http/validation.js';
import { spell } from '../http/dialect.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { readBatchBody } from '../http/read-body.js';
import { respond, respondStream } from '../http/respond.js';
import { resolveWebhook } from '../http/webhook.js';
import { CreateBatch } from './schema.js';
import { presentBatchStatus } from './presenter.js';
import { createBatch, requireBatch } from './service.js';

/** The answer with more rows is streamed. */
const WHOLE_ROWS_MAX = 2000;

export function batchRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post(
      '/batch/transaction/payment_method',
      validating(CreateBatch, readBatchBody),
      operation('batch.create'),
      async (c) => {
        const command = c.req.valid('json');
        const webhook = command.webhook && (await resolveWebhook(c, command.webhook));
        const world = worldOf(c);
        const batch = createBatch(world, { ...command, webhook });
        return respond(c, presentBatchStatus(world, batch));
      },
    )
    .get('/batch/:id/status', operation('batch.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentBatchStatus(world, requireBatch(world, c.req.param('id'))));
    })
    .get('/batch/:id', operation('batch.read'), async (c) => {
      const { presentBatch, streamBatch } = await import('./results-presenter.js');
      const world = worldOf(c);
      // Time may have gone on while it was loaded, and rows that are due are done before any read.
      await world.enter();
      const batch = requireBatch(world, c.req.param('id'));
      if (batch.count <= WHOLE_ROWS_MAX) return respond(c, presentBatch(world, batch));
      const spelt = (answer: object): object => spell(answer, c.get('exchange'));
      return respondStream(
        c,
        streamBatch(world, batch, () => world.host.pause(), spelt),
      );
    });
}
