import { presentBatchStatus } from '../resources/batches/presenter.js';
import { presentCharge } from '../resources/charges/presenter.js';
import { presentCustomer } from '../resources/customers/presenter.js';
import { presentMethod } from '../resources/payment-methods/presenter.js';
import { presentSubscriptionEvent } from '../resources/subscriptions/presenter.js';
import { type EventTopic, TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import type { WebhookEvent } from '../webhooks/message.js';
import type { World, WorldParts } from '../world/world.js';

type EventPresenter = (world: World, id: string) => WebhookEvent['data'];

/** Presents a record as the responses of its own calls do. */
function presenter<R>(
  tableOf: (world: World) => { find(id: string): R | undefined },
  present: (world: World, record: R) => WebhookEvent['data'],
): EventPresenter {
  return (world, id) => {
    const record = tableOf(world).find(id);
    if (record === undefined) throw new Error(`Failed to send a webhook: there is no record ${id}`);
    return present(world, record);
  };
}

/** The world receives this table, because the outbox must not import presenters. */
const EVENT_PRESENTERS: Readonly<Record<EventTopic, EventPresenter>> = {
  Transaction: presenter((world) => world.charges, presentCharge),
  Batch: presenter((world) => world.batches, presentBatchStatus),
  Subscription: presenter((world) => world.subscriptions, presentSubscriptionEvent),
  Customer: presenter((world) => world.customers, presentCustomer),
  PaymentMethod: presenter((world) => world.paymentMethods, presentMethod),
};

export const presentEvent: WorldParts['presentEvent'] = (world, type, id) =>
  EVENT_PRESENTERS[TOPIC_OF_EVENT[type]](world, id);
