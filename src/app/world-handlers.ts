import { batchJobs } from '../resources/batches/rows.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE } from '../records/charge.js';
import { endChallenge, expireAuthorisation, settleCharge } from '../resources/charges/later.js';
import { chargeSubscription } from '../resources/subscriptions/charging.js';
import { SUBSCRIPTION_CHARGE } from '../records/subscription.js';
import { playTimelineEntry, SCENARIO_TIMELINE } from '../scenarios/script/timeline.js';
import { CHALLENGE_EXPIRE } from '../records/authentication.js';
import { CHECKOUT_EXPIRE } from '../records/checkout.js';
import { endCheckout } from '../resources/checkouts/service.js';
import { TOKEN_EXPIRE } from '../records/token.js';
import { expireToken } from '../resources/tokens/service.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE } from '../records/vault-entry.js';
import { TRANSFER_ARRIVE } from '../records/transfer.js';
import { completeTransfer } from '../resources/transfers/service.js';
import { expireCcv, removeVaultEntry } from '../resources/vault/service.js';
import { WEBHOOK_DELIVER } from '../webhooks/delivery.js';
import type { JOB_KINDS } from '../control/job-record.js';
import type { JobHandler, JobHandlers, World, WorldParts } from '../world/world.js';
import { presentBatchStatus } from '../resources/batches/presenter.js';
import { presentCharge } from '../resources/charges/presenter.js';
import { presentCustomer } from '../resources/customers/presenter.js';
import { presentMethod } from '../resources/payment-methods/presenter.js';
import { presentSubscriptionEvent } from '../resources/subscriptions/presenter.js';
import { type EventTopic, TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import type { NotifiedEvent } from '../webhooks/message.js';

/** A handler of jobs that process one record in one step. */
function oneStepHandler(run: (world: World, ref: string) => void): JobHandler {
  return (world, job) => {
    run(world, job.ref);
    return 1;
  };
}

/** The handler of each kind of job, so that the world can run jobs without importing the services. */
export const JOB_HANDLERS: JobHandlers = {
  [AUTHORISATION_EXPIRE]: oneStepHandler(expireAuthorisation),
  [CHARGE_SETTLE]: oneStepHandler(settleCharge),
  [TOKEN_EXPIRE]: oneStepHandler(expireToken),
  [VAULT_EXPIRE]: oneStepHandler(removeVaultEntry),
  [VAULT_CCV_EXPIRE]: oneStepHandler(expireCcv),
  [SUBSCRIPTION_CHARGE]: oneStepHandler(chargeSubscription),
  [TRANSFER_ARRIVE]: oneStepHandler(completeTransfer),
  [CHALLENGE_EXPIRE]: oneStepHandler((world, id) => void endChallenge(world, id, 'timeOut')),
  [CHECKOUT_EXPIRE]: oneStepHandler((world, id) => void endCheckout(world, id, 'EXPIRED')),
  [WEBHOOK_DELIVER]: oneStepHandler((world, id) => world.runningDeliveries.start(id)),
  [SCENARIO_TIMELINE]: oneStepHandler((world, ref) => playTimelineEntry(world.script, ref)),
  ...batchJobs,
} satisfies Readonly<Record<(typeof JOB_KINDS)[number], JobHandler>>;

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
