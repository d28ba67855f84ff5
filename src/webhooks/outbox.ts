import type { Chance } from '../core/ids/chance.js';
import { DEFAULT_DIALECT } from '../core/dialect/dialect.js';
import type { Webhook } from '../core/store/field.js';
import type { Host } from '../core/host.js';
import type { JobQueue } from '../core/time/jobs.js';
import type { Script } from '../scenarios/script/script.js';
import {
  type EventType,
  listSubscribers,
  TOPIC_OF_EVENT,
  type WebhookSubscriptionTable,
} from '../records/webhook-subscription.js';
import { readEventFacts, forgeEvent, formatMessage, type NotifiedEvent } from './message.js';
import {
  DELIVERIES_MAX,
  type Delivery,
  type DeliveryStore,
  DROPPED_BY_SCENARIO,
  describeOff,
  type WebhookReach,
  WEBHOOK_DELIVER,
} from './delivery.js';

/** The parts of a world that the outbox uses. */
export interface OutboxWorld {
  readonly now: number;
  readonly settings: {
    readonly webhooks: WebhookReach;
    readonly own: { readonly webhooks: WebhookReach | null };
  };
  readonly chance: Chance;
  readonly host: Host;
  readonly jobs: JobQueue;
  readonly script: Script;
  readonly deliveries: DeliveryStore;
  readonly webhookSubscriptions: WebhookSubscriptionTable;
}

/** The record of an event, like the answers of its own calls. */
type PresentRecord = (type: EventType, id: string) => NotifiedEvent['data'];

/** The counter of pending deliveries that were removed from the log to make room. */
export const LOST = 'deliveries lost';

/** How long a swapped webhook waits for the next one, by the world's clock. */
const SWAP_WAIT_MS = 60_000;

/** A delivery before it is logged. */
type NewDelivery = Omit<
  Delivery,
  'id' | 'index' | 'status' | 'attempts' | 'tried' | 'attempted' | 'due' | 'responseStatus' | 'note' | 'entry'
>;

/** The deliveries of a world. Each is a record and a job; dispatch.ts sends them. */
export class Outbox {
  /** Deliveries that the current request or job caused. */
  #caused: string[] = [];
  /** Deliveries that are sent before the answer to the request. */
  #first: string[] = [];
  /** By receiver: the delivery that waits until the next one is sent. */
  readonly #swapped = new Map<string, string>();

  constructor(
    private readonly world: OutboxWorld,
    private readonly present: PresentRecord,
  ) {}

  /**
   * Notifies receivers of something that happened to a record: its own webhook, and the subscriptions to its topic. The dialect is that of
   * the request that created the record; it matters if the status of the record differs between the dialects.
   */
  notify(type: EventType, id: string, webhook: Webhook | null, dialect = DEFAULT_DIALECT): void {
    const { webhookSubscriptions, chance } = this.world;
    if (webhook === null && webhookSubscriptions.live === 0) return;
    const takers: Webhook[] = listSubscribers(webhookSubscriptions, TOPIC_OF_EVENT[type]);
    if (webhook !== null) takers.unshift(webhook);
    if (takers.length === 0) return;
    const messageId = chance.identifiers('message').at(chance.next('messages'));
    const event = { type, messageId, ref: id, data: this.present(type, id), dialect };
    for (const taker of takers) this.#notify(event, taker);
  }

  #notify(event: NotifiedEvent, { url, authorization }: Webhook): void {
    const { script, now } = this.world;
    const policy = script.policyFor(() => readEventFacts(event, url, now));
    const { duplicate: copies = 0, delay: delayMs = 0, first, ...effect } = policy?.effect.webhook ?? {};
    const { swap = false, drop = false, forged = false, badSignature = forged } = effect;
    const { staleTimestamp: staleMs = 0 } = effect;
    const delivery: NewDelivery = {
      messageId: event.messageId,
      eventType: event.type,
      ref: event.ref,
      url,
      authorization,
      body: formatMessage(forged ? forgeEvent(event) : event, now - staleMs),
      dateAdded: now,
      trouble: policy && { policy: policy.name, badSignature, swapped: swap },
      resendOf: null,
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
    if (first) this.#first.push(...this.#caused.slice(-1 - copies));
    if (waits) this.#letPass(url, id);
    if (passed !== undefined) this.#follow(passed, due);
  }

  #letPass(url: string, id: string): void {
    // Bounded, because receivers may all be different. Deliveries that are removed here are sent alone.
    if (this.#swapped.size >= DELIVERIES_MAX) this.#swapped.clear();
    this.#swapped.set(url, id);
  }

  /** The delivery that waits for the next one to the same receiver. After a time it is sent alone. */
  #waitingFor(url: string): Delivery | undefined {
    const id = this.#swapped.get(url);
    if (id === undefined) return undefined;
    this.#swapped.delete(url);
    const { deliveries, jobs } = this.world;
    const delivery = deliveries.find(id);
    const waits = delivery?.attempts === 0 && jobs.dueOf(WEBHOOK_DELIVER, id) !== undefined;
    return waits ? delivery : undefined;
  }

  /** Sends the waiting delivery right after the one that overtook it. */
  #follow(passed: Delivery, due: number): void {
    const { deliveries, jobs } = this.world;
    deliveries.replace({ ...passed, due });
    jobs.schedule(due, WEBHOOK_DELIVER, passed.id);
  }

  /** Sends a message again, as a new delivery without the effects of a policy. */
  resend(before: Delivery): Delivery {
    const { now } = this.world;
    return this.#add(
      { ...before, dateAdded: now, trouble: null, resendOf: before.resendOf ?? before.id },
      now,
    );
  }

  /** Withholds all pending deliveries. They can be resent by hand. */
  withhold(note: string): void {
    const { deliveries, jobs } = this.world;
    for (const id of deliveries.pending) {
      const delivery = deliveries.find(id);
      if (delivery === undefined) continue;
      jobs.cancel(WEBHOOK_DELIVER, id);
      deliveries.replace({ ...delivery, status: 'withheld', due: null, note });
    }
  }

  /** Logs a delivery and schedules it, unless there is a reason to withhold it. */
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
      resendOf: given.resendOf,
      id: deliveries.nextId,
      index: deliveries.next,
      status: note === null ? 'pending' : 'withheld',
      attempts: 0,
      tried: [],
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

  /** Why deliveries are withheld; null if they are sent. */
  #whyNone(): string | null {
    const { settings, host } = this.world;
    if (settings.webhooks === 'off') return describeOff(settings.own.webhooks, host);
    return host.deliver ? null : 'this sandbox has no means of delivery';
  }

  #makeRoom(): void {
    const { deliveries, jobs, chance } = this.world;
    const { superfluous } = deliveries;
    if (superfluous === undefined) return;
    if (superfluous.status === 'pending') chance.next(LOST);
    jobs.cancel(WEBHOOK_DELIVER, superfluous.id);
    deliveries.remove(superfluous);
  }

  /** Returns and clears the deliveries that the current request or job caused. */
  takeCaused(): readonly string[] {
    const caused = this.#caused;
    if (caused.length > 0) this.#caused = [];
    return caused;
  }

  /** Returns and clears those that are sent before the answer. */
  takeFirst(): readonly string[] {
    const first = this.#first;
    this.#first = [];
    return first;
  }

  /** Notes the journal entry of the request that caused deliveries. */
  noteEntry(caused: readonly string[], entry: number): void {
    const { deliveries } = this.world;
    for (const id of caused) {
      const delivery = deliveries.find(id);
      if (delivery !== undefined) deliveries.replace({ ...delivery, entry });
    }
  }

  /** Resumes the pending deliveries of a restored world. Attempts that were running or held in the snapshot are made again. */
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
