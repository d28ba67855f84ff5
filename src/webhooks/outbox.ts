import type { Chance } from '../core/chance.js';
import { DEFAULT_DIALECT } from '../core/dialect.js';
import type { Webhook } from '../core/field.js';
import type { Host } from '../core/host.js';
import type { JobQueue } from '../core/jobs.js';
import type { Conditioned } from '../scenarios/model.js';
import type { Script } from '../scenarios/script.js';
import {
  type EventType,
  takersOf,
  TOPIC_OF_EVENT,
  type WebhookSubscriptionTable,
} from '../webhook-subscriptions/record.js';
import { messageText, type WebhookEvent } from './message.js';
import {
  DELIVERIES_MAX,
  type Delivery,
  type DeliveryStore,
  DROPPED_BY_SCENARIO,
  type Reach,
  WEBHOOK_DELIVER,
  WEBHOOKS_ARE_OFF,
} from './record.js';

/** What the outbox needs of its world. */
export interface OutboxWorld {
  readonly now: number;
  readonly settings: { readonly webhooks: Reach };
  readonly chance: Chance;
  readonly host: Host;
  readonly jobs: JobQueue;
  readonly script: Script;
  readonly deliveries: DeliveryStore;
  readonly webhookSubscriptions: WebhookSubscriptionTable;
}

/** The record of an event, like the answers of its own calls. */
type Present = (type: EventType, id: string) => WebhookEvent['data'];

/** Pending deliveries that had to make room for others are counted under this name. */
export const LOST = 'deliveries lost';

/** How long a webhook that changes places waits for the next one, by the world's clock. */
const SWAP_WAIT_MS = 60_000;

/** What is known of a delivery before it is logged. */
type NewDelivery = Omit<
  Delivery,
  'id' | 'index' | 'status' | 'attempts' | 'attempted' | 'due' | 'responseStatus' | 'note' | 'entry'
>;

/** What a world has to tell its receivers. All of it is data, a record and a job each; how it is sent: dispatch.ts. */
export class Outbox {
  /** Deliveries that the work at hand caused. */
  #caused: string[] = [];
  /** By receiver: the delivery that lets the next one pass. */
  readonly #swapped = new Map<string, string>();

  constructor(
    private readonly world: OutboxWorld,
    private readonly present: Present,
  ) {}

  /**
   * Notifies receivers of something that happened to a record: its own webhook, and the subscriptions to its topic. The dialect is that of
   * the request that created the record; it matters while the record has a status with two spellings.
   */
  notify(type: EventType, id: string, webhook: Webhook | null, dialect = DEFAULT_DIALECT): void {
    const { webhookSubscriptions, chance } = this.world;
    if (webhook === null && webhookSubscriptions.live === 0) return;
    const takers: Webhook[] = takersOf(webhookSubscriptions, TOPIC_OF_EVENT[type]);
    if (webhook !== null) takers.unshift(webhook);
    if (takers.length === 0) return;
    const messageId = chance.identifiers('message').at(chance.next('messages'));
    const event = { type, messageId, ref: id, data: this.present(type, id), dialect };
    for (const taker of takers) this.#notify(event, taker);
  }

  #notify(event: WebhookEvent, { url, authorization }: Webhook): void {
    const { script, now } = this.world;
    const policy = script.policyFor(() => factsOf(event, url, now));
    const { duplicate: copies = 0, delay: delayMs = 0, ...effect } = policy?.effect.webhook ?? {};
    const { swap = false, drop = false, badSignature = false, staleTimestamp: staleMs = 0 } = effect;
    const delivery: NewDelivery = {
      messageId: event.messageId,
      eventType: event.type,
      ref: event.ref,
      url,
      authorization,
      body: messageText(event, now - staleMs),
      dateAdded: now,
      trouble: policy && { policy: policy.name, badSignature, swapped: swap },
    };
    if (drop) {
      this.#add(delivery, null, `${DROPPED_BY_SCENARIO}: ${policy?.name}`);
      return;
    }
    const passed = this.#waitingFor(url);
    const waits = swap && passed === undefined;
    const due = now + (waits ? SWAP_WAIT_MS : delayMs);
    for (let copy = 0; copy < copies; copy++) this.#add(delivery, due);
    const { id } = this.#add(delivery, due);
    if (waits) this.#letPass(url, id);
    if (passed !== undefined) this.#follow(passed, due);
  }

  #letPass(url: string, id: string): void {
    // Bounded: receivers may all be different. What is forgotten here goes alone.
    if (this.#swapped.size >= DELIVERIES_MAX) this.#swapped.clear();
    this.#swapped.set(url, id);
  }

  /** The delivery that lets the next one to a receiver pass; one that has waited long enough goes alone. */
  #waitingFor(url: string): Delivery | undefined {
    const id = this.#swapped.get(url);
    if (id === undefined) return undefined;
    this.#swapped.delete(url);
    const { deliveries, jobs } = this.world;
    const delivery = deliveries.find(id);
    const waits = delivery?.attempts === 0 && jobs.dueOf(WEBHOOK_DELIVER, id) !== undefined;
    return waits ? delivery : undefined;
  }

  /** Sends what has let another one pass right behind that. */
  #follow(passed: Delivery, due: number): void {
    const { deliveries, jobs } = this.world;
    deliveries.replace({ ...passed, due });
    jobs.schedule(due, WEBHOOK_DELIVER, passed.id);
  }

  /** Sends once more what was sent before, as a delivery of its own and as it should be. */
  resend(before: Delivery): Delivery {
    const { now } = this.world;
    return this.#add({ ...before, dateAdded: now, trouble: null }, now);
  }

  /** Withholds all that is pending: it is sent by hand, or not at all. */
  withhold(note: string): void {
    const { deliveries, jobs } = this.world;
    for (const id of deliveries.pending) {
      const delivery = deliveries.find(id);
      if (delivery === undefined) continue;
      jobs.cancel(WEBHOOK_DELIVER, id);
      deliveries.replace({ ...delivery, status: 'withheld', due: null, note });
    }
  }

  /** Logs a delivery, and schedules it unless it is withheld for a reason. */
  #add(given: NewDelivery, due: number | null, reason: string | null = null): Delivery {
    const { deliveries, jobs } = this.world;
    this.#makeRoom();
    const note = reason ?? this.#whyNone();
    // Field by field, since V8 makes slower objects of spread ones.
    const delivery: Delivery = {
      messageId: given.messageId,
      eventType: given.eventType,
      ref: given.ref,
      url: given.url,
      authorization: given.authorization,
      body: given.body,
      dateAdded: given.dateAdded,
      trouble: given.trouble,
      id: deliveries.nextId,
      index: deliveries.next,
      status: note === null ? 'pending' : 'withheld',
      attempts: 0,
      attempted: null,
      due: note === null ? due : null,
      responseStatus: null,
      note,
      entry: null,
    };
    deliveries.add(delivery);
    this.#caused.push(delivery.id);
    if (delivery.due !== null) jobs.schedule(delivery.due, WEBHOOK_DELIVER, delivery.id);
    return delivery;
  }

  /** Why nothing is sent from here; null: it is. */
  #whyNone(): string | null {
    if (this.world.settings.webhooks === 'off') return WEBHOOKS_ARE_OFF;
    return this.world.host.deliver ? null : 'this sandbox was given nothing to deliver with';
  }

  #makeRoom(): void {
    const { deliveries, jobs, chance } = this.world;
    const { superfluous } = deliveries;
    if (superfluous === undefined) return;
    if (superfluous.status === 'pending') chance.next(LOST);
    jobs.cancel(WEBHOOK_DELIVER, superfluous.id);
    deliveries.remove(superfluous);
  }

  /** The deliveries that the work at hand caused, for who answers for them. */
  takeCaused(): readonly string[] {
    const caused = this.#caused;
    if (caused.length > 0) this.#caused = [];
    return caused;
  }

  /** Notes which entry of the journal is about the request that caused deliveries. */
  noteEntry(caused: readonly string[], entry: number): void {
    const { deliveries } = this.world;
    for (const id of caused) {
      const delivery = deliveries.find(id);
      if (delivery !== undefined) deliveries.replace({ ...delivery, entry });
    }
  }

  /** Takes up what a restored world holds as pending: what was under way or held when it was taken down is sent again. */
  resume(): void {
    const { deliveries, jobs, now } = this.world;
    for (const id of deliveries.pending) {
      const delivery = deliveries.find(id);
      if (delivery === undefined) continue;
      const due = Math.max(delivery.due ?? now, now);
      if (jobs.dueOf(WEBHOOK_DELIVER, id) === undefined) jobs.schedule(due, WEBHOOK_DELIVER, id);
      if (delivery.trouble?.swapped && delivery.attempts === 0 && due > now)
        this.#swapped.set(delivery.url, id);
    }
  }
}

/** What a policy is asked about. */
function factsOf({ type, data }: WebhookEvent, url: string, now: number): Conditioned {
  const textOf = (name: string): string | null => {
    const value = data[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    now,
    event: type,
    url,
    status: textOf('Status'),
    reference: textOf('Reference'),
    currency: textOf('Currency'),
    providerId: textOf('ProviderId'),
    customerId: textOf('CustomerId'),
    paymentMethodId: textOf('PaymentMethodId'),
    cardNumber: null,
    amount: null,
    header: () => undefined,
  };
}
