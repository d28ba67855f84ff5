import { shortenId } from '../../core/cards/card.js';
import { CODE, refuse } from '../../core/errors.js';
import { requireWorld } from '../../http/exchange.js';
import { type AnyRow, route } from '../../http/route.js';
import { maskPasswords } from '../../core/text/secrets.js';
import { matchesPathGlob } from '../../journal/match.js';
import { LOST } from '../../webhooks/outbox.js';
import type { Delivery } from '../../webhooks/delivery.js';
import type { World } from '../../world/world.js';
import { presentDelivery, presentReceiver, findMessageReference } from './presenter.js';
import { listFailing, sumReceivers } from './receivers.js';
import { DeliveriesResponse, type DeliveryFilter, DeliveryResponse, ListDeliveries } from './schema.js';

const RECEIVERS_MAX = 100;

/** The log of deliveries, and sending one again. */
export const DELIVERY_ROWS: readonly AnyRow[] = [
  route({
    method: 'get',
    path: '/_sandbox/webhooks',
    id: 'getDeliveries',
    summary: 'List webhook deliveries, newest first',
    text: 'Returns each delivery with its attempts so far and the receiver’s response, and sums by receiver.',
    query: ListDeliveries,
    response: DeliveriesResponse,
    handle: (c, { query }) => {
      const world = requireWorld(c);
      const { limit, skip } = query.page;
      const all = [...world.deliveries.newestFirst()];
      const candidates = query.filter.status === 'failing' ? listFailing(all) : all;
      const found = candidates.filter(buildDeliveryTest(query.filter));
      return {
        Limit: limit,
        Skip: skip,
        Count: found.length,
        Evicted: world.deliveries.next - world.deliveries.size,
        Lost: world.chance.countOf(LOST),
        Deliveries: found.slice(skip, skip + limit).map(presentDelivery),
        Receivers: sumReceivers(all).slice(0, RECEIVERS_MAX).map(presentReceiver),
      };
    },
  }),
  route({
    method: 'post',
    path: '/_sandbox/webhooks/{id}/resend',
    id: 'resendDelivery',
    summary: 'Resend a webhook',
    text: 'Sends the same message again, whether or not it was delivered.',
    response: DeliveryResponse,
    errors: [[CODE.ValidationError, 404]],
    handle: (c, { params }) => {
      const world = requireWorld(c);
      const delivery = requireDelivery(world, params.id);
      return presentDelivery(world.webhooks.resend(delivery));
    },
  }),
];

function buildDeliveryTest({
  status,
  reference,
  ref,
  url,
  search,
}: DeliveryFilter): (delivery: Delivery) => boolean {
  const text = search?.toLowerCase() ?? null;
  return (delivery) =>
    (status === null || fitsStatus(delivery, status)) &&
    (ref ?? delivery.ref) === delivery.ref &&
    (url === null || matchesPathGlob(maskPasswords(delivery.url), url)) &&
    (reference === null || findMessageReference(delivery.body) === reference) &&
    (text === null || JSON.stringify(presentDelivery(delivery)).toLowerCase().includes(text));
}

function fitsStatus({ status, attempts }: Delivery, wanted: NonNullable<DeliveryFilter['status']>): boolean {
  if (wanted === 'waiting' || wanted === 'retrying')
    return status === 'pending' && attempts > 0 === (wanted === 'retrying');
  // The candidates are failing already.
  return wanted === 'failing' || status === wanted;
}

function requireDelivery(world: World, id: string): Delivery {
  const found = world.deliveries.find(id);
  if (found !== undefined) return found;
  const detail = `This world has no delivery ${JSON.stringify(shortenId(id))}. GET /_sandbox/webhooks lists them.`;
  return refuse(CODE.ValidationError, detail, { httpStatus: 404 });
}
