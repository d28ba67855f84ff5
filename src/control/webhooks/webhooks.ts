import { Hono } from 'hono';
import * as z from 'zod';

import { shownId } from '../../core/card.js';
import { CODE, refuse } from '../../core/errors.js';
import type { Delivery, DeliveryStatus } from '../../webhooks/record.js';
import { LOST } from '../../webhooks/outbox.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { optionalQueryWord, pageFields } from '../../http/list-fields.js';
import { query } from '../../http/validation.js';
import { respond } from '../../http/respond.js';
import type { World } from '../../world.js';
import { noBody, plain, STRICT } from '../plain.js';
import { presentDelivery } from './presenter.js';

const STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'withheld'];

export const ListDeliveries = z.object({
  ...pageFields(),
  Status: optionalQueryWord(STATUSES).describe('What became of it.'),
});

/** What became of webhooks, and sending one again. */
export function webhookRoutes(): Hono<Env> {
  const readList = query(ListDeliveries, STRICT);
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/webhooks', (c) => {
      const world = worldOf(c);
      const { Limit, Skip, Status } = readList(c);
      const all = [...world.deliveries.newestFirst()];
      const found = Status === null ? all : all.filter((delivery) => delivery.status === Status);
      return respond(c, {
        Limit,
        Skip,
        Count: found.length,
        Evicted: world.deliveries.next - world.deliveries.size,
        Lost: world.chance.countOf(LOST),
        Deliveries: found.slice(Skip, Skip + Limit).map(presentDelivery),
      });
    })
    .post('/webhooks/:id/resend', plain, noBody, (c) => {
      const world = worldOf(c);
      const delivery = requireDelivery(world, c.req.param('id'));
      return respond(c, presentDelivery(world.webhooks.outbox.resend(delivery)));
    });
}

function requireDelivery(world: World, id: string): Delivery {
  const found = world.deliveries.find(id);
  if (found !== undefined) return found;
  return refuse(
    CODE.ValidationError,
    `This world has no delivery ${JSON.stringify(shownId(id))}. GET /_sandbox/webhooks lists them.`,
    { httpStatus: 404 },
  );
}
