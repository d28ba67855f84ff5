import type { Dialect } from '../core/dialect.js';
import type { Identifiers } from '../core/random.js';
import { Table } from '../core/store.js';
import type { EventType } from '../webhook-subscriptions/record.js';

/** To which receivers webhooks go: to those on loopback and private addresses, to public ones as well, or to none. */
export type Reach = 'private' | 'public' | 'off';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'withheld';

/** What a scenario does to a delivery, beside when it is sent and how often. */
export interface Trouble {
  /** The policy that did it. */
  readonly policy: string;
  readonly badSignature: boolean;
  /** How old its timestamp is made, in milliseconds. */
  readonly staleMs: number;
  /** Whether it waits for the next one to its receiver, and is sent after that. */
  readonly swapped: boolean;
}

/** One event on its way to one receiver, with all its attempts. */
export interface Delivery {
  readonly id: string;
  readonly index: number;
  /** The same for every receiver and attempt. */
  readonly messageId: string;
  readonly eventType: EventType;
  /** The identifier of the record that the event is about. */
  readonly ref: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly dialect: Dialect;
  /** The JSON text as it is sent; made at the event. */
  readonly body: string;
  readonly dateAdded: number;
  readonly status: DeliveryStatus;
  /** How many attempts have ended. */
  readonly attempts: number;
  /** When the last of them began; null: there was none. */
  readonly attempted: number | null;
  /** When the next one is due, or since when it is under way; null: there is none. */
  readonly due: number | null;
  /** The status of the last attempt's answer; null where none came. */
  readonly responseStatus: number | null;
  /** Why the last attempt failed, or it was withheld, and what else is to be known; null: nothing. */
  readonly note: string | null;
  /** The number of the journal's entry for the call that caused it; null: a job did, or the entry is not known. */
  readonly entry: number | null;
  readonly trouble: Trouble | null;
}

/** Why nothing is sent where that is meant, at the beginning of a delivery's note. */
export const WEBHOOKS_ARE_OFF = 'webhooks are off';
export const DROPPED_BY_SCENARIO = 'dropped by the scenario';

/** How many deliveries a world holds at most. */
export const DELIVERIES_MAX = 10_000;

/** The job that sends a delivery, at first and again. */
export const WEBHOOK_DELIVER = 'webhook.deliver';

/**
 * After how many milliseconds a failed attempt is repeated, counted from its beginning: 5 s, 5 min, 30 min, 2 h,
 * 5 h, 10 h, 14 h, 20 h, 24 h. After the last one the delivery has failed.
 */
export const RETRY_AFTER_MS: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
];

/** The deliveries of a world: a log that forgets what has ended, the earliest first, to make room for more. */
export class DeliveryStore extends Table<Delivery> {
  /** The identifiers of those that are not at their end, and of those that are, each in order of its becoming so. */
  readonly #pending = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(ids: Identifiers) {
    super(ids, DELIVERIES_MAX, {});
  }

  /** The identifiers of those that are not at their end, the oldest first. */
  get pending(): Iterable<string> {
    return this.#pending;
  }

  /** The delivery that has to make room for the next one; undefined while there is room. */
  get superfluous(): Delivery | undefined {
    if (this.size < this.max) return undefined;
    const [first = ''] = this.#ended.size > 0 ? this.#ended : this.#pending;
    return this.find(first);
  }

  *newestFirst(): Generator<Delivery, void> {
    let left = this.size;
    for (let n = this.next - 1; left > 0; n--) {
      const delivery = this.at(n);
      if (delivery === undefined) continue;
      left--;
      yield delivery;
    }
  }

  override add(delivery: Delivery): void {
    this.#note(delivery);
    super.add(delivery);
  }

  override replace(delivery: Delivery): void {
    this.#note(delivery);
    super.replace(delivery);
  }

  override remove(delivery: Delivery): void {
    this.#pending.delete(delivery.id);
    this.#ended.delete(delivery.id);
    super.remove(delivery);
  }

  #note({ id, status }: Delivery): void {
    const isPending = status === 'pending';
    (isPending ? this.#ended : this.#pending).delete(id);
    (isPending ? this.#pending : this.#ended).add(id);
  }
}
