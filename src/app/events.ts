import { presentBatchStatus } from '../resources/batches/presenter.js';
import { presentCharge } from '../resources/charges/presenter.js';
import { presentCustomer } from '../resources/customers/presenter.js';
import { presentMethod } from '../resources/payment-methods/presenter.js';
import { presentSubscriptionEvent } from '../resources/subscriptions/presenter.js';
import { type EventTopic, TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import type { NotifiedEvent } from '../webhooks/message.js';
import type { World, WorldParts } from '../world/world.js';

type EventPresenter = (world: World, id: string) => NotifiedEvent['data'];

/** Presents a record as the responses of its own calls do. */
function buildPresenter<R>(
  tableOf: (world: World) => { find(id: string): R | undefined },
  present: (world: World, record: R) => NotifiedEvent['data'],
): EventPresenter {
  return (world, id) => {
    const record = tableOf(world).find(id);
    if (record === undefined) throw new Error(`Failed to send a webhook: there is no record ${id}`);
    return present(world, record);
  };
}

/** The world receives this table, because the outbox must not import presenters. */
const EVENT_PRESENTERS: Readonly<Record<EventTopic, EventPresenter>> = {
  Transaction: buildPresenter((world) => world.charges, presentCharge),
  Batch: buildPresenter((world) => world.batches, presentBatchStatus),
  Subscription: buildPresenter((world) => world.subscriptions, presentSubscriptionEvent),
  Customer: buildPresenter((world) => world.customers, presentCustomer),
  PaymentMethod: buildPresenter((world) => world.paymentMethods, presentMethod),
};

export const presentEvent: WorldParts['presentEvent'] = (world, type, id) =>
  EVENT_PRESENTERS[TOPIC_OF_EVENT[type]](world, id);
