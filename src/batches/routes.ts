import { type Context, Hono } from 'hono';

import { validating } from '../http/body.js';
import { spell } from '../http/dialect.js';
import { type Env, worldOf } from '../http/exchange.js';
import type { JsonValue } from '../http/json.js';
import { operation } from '../http/operation.js';
import { respond, respondStream } from '../http/respond.js';
import { spoken } from '../http/webhook.js';
import { CreateBatch } from './schema.js';
import { presentBatchStatus } from './presenter.js';
import { createBatch, requireBatch } from './service.js';

/** The answer with more rows is streamed. */
const WHOLE_ROWS_MAX = 2000;

/** The reader of large bodies is loaded with the first batch: no start pays for it. */
const readLazily = async (c: Context<Env>): Promise<JsonValue> =>
  (await import('./body-routes.js')).readBatchBody(c);

export function batchRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post(
      '/batch/transaction/payment_method',
      validating(CreateBatch, readLazily),
      operation('batch.create'),
      async (c) => {
        const world = worldOf(c);
        const { command, text } = c.req.valid('json');
        const webhook = command.webhook && (await spoken(c, command.webhook));
        const { indexRows } = await import('./body-routes.js');
        const { host } = world;
        const told = (done: number, total: number): void =>
          host.progress?.('reading the bytes of a batch', done, total);
        const indexed = await indexRows(text, command.count, () => host.pause(), told);
        // Time went on and a reset may have come while the text was read.
        await world.enter();
        world.requireOpen();
        const batch = createBatch(world, { ...command, webhook }, indexed);
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
