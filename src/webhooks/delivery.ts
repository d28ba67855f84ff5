import type { Host } from '../core/host.js';
import type { Identifiers } from '../core/ids/random.js';
import { Table } from '../core/store/store.js';
import { isObject, parseJson } from '../core/text/text.js';
import { TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import * as field from '../core/store/field.js';
import { type Attempt, attemptCodec } from './attempt.js';

/** Which receivers get webhooks: those on loopback and private addresses, public ones as well, or none. */
export type WebhookReach = 'private' | 'public' | 'off';

/** The prefix of the service's own headers. White labels have another one. */
export const DEFAULT_HEADER_PREFIX = 'X-Payfurl-';

/** Reasons to send nothing that are intended. A delivery's note begins with one. */
export const WEBHOOKS_ARE_OFF = 'webhooks are off';
export const DROPPED_BY_SCENARIO = 'dropped by the scenario';

/** The note of a webhook that is not sent because they are off: in its world alone, or in all. */
export function describeOff(
  own: WebhookReach | null,
  { webhookSwitch }: Pick<Host, 'webhookSwitch'>,
): string {
  const remedy = own === 'off' ? undefined : webhookSwitch;
  return remedy === undefined ? WEBHOOKS_ARE_OFF : `${WEBHOOKS_ARE_OFF}; ${remedy} turns them on`;
}

/** The maximum number of deliveries in a world. */
export const DELIVERIES_MAX = 10_000;

/** The job that makes an attempt, the first or a further one. */
export const WEBHOOK_DELIVER = 'webhook.deliver';

/**
 * The milliseconds after which a failed attempt is repeated, counted from its start: 5 s, 5 min, 30 min, 2 h,
 * 5 h, 10 h, 14 h, 20 h, 24 h. After the last one the delivery has failed.
 */
export const RETRY_AFTER_MS: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
];

/** Whether signatures are wrong: in all attempts, or once, in the first. */
const wrongSignature: field.Codec<boolean | 'once'> = {
  read: (value) => (value === 'once' ? value : field.flag.read(value)),
  write: (value) => value,
};

const troubleCodec = field.record({
  /** The policy that caused it. */
  policy: field.anyText,
  badSignature: wrongSignature,
  /** Whether it waits for the next delivery to its receiver and is sent after it. */
  swapped: field.flag,
});

/** How a scenario changes a delivery, apart from when and how often it is sent. */
export interface DeliveryTrouble extends field.ValueOf<typeof troubleCodec> {}

/** The maximum length of a message, far above that of a record with every field filled. */
const BODY_MAX = 1_048_576;

/** Documents do not contain the journal. */
const noEntry: field.Codec<number | null> = {
  read: (value) => (value === undefined ? null : field.invalid('must be left out')),
  write: () => undefined,
};

export const deliveryFields = () => ({
  ...field.webhookFields,
  /** The identifier of the message, shared by all its receivers and attempts. */
  messageId: field.anyText,
  eventType: field.tableKey(TOPIC_OF_EVENT),
  /** The identifier of the record that the event is about. */
  ref: field.anyText,
  /** The JSON text as it is sent, created at the event. */
  body: field.checked(field.text(BODY_MAX), (json) =>
    isObject(parseJson(json)) ? undefined : 'must be a string that holds a JSON object',
  ),
  dateAdded: field.instant,
  status: field.word('pending', 'delivered', 'failed', 'withheld'),
  /** How many attempts have ended. */
  attempts: field.count,
  /** The attempts that have ended, the first one first. Documents of earlier versions have none. */
  tried: field.list<Attempt>(attemptCodec),
  /** When the last attempt began; null if there was none. */
  attempted: field.maybeInstant,
  /** When the next attempt is due, or when the running one began; null if there is none. */
  due: field.maybeInstant,
  /** The status of the last response; null if there was none. */
  responseStatus: field.orNull(field.whole(0, 999)),
  /** Why the last attempt failed or the delivery was withheld, or another note; null for none. */
  note: field.maybeText,
  /** The number of the journal entry of the call that caused it; null if a job caused it or the entry is unknown. */
  entry: noEntry,
  trouble: field.orNull<DeliveryTrouble>(troubleCodec),
  /** The delivery whose message was sent again by hand; null if the message is new. */
  resendOf: field.maybeText,
});

/** The delivery of an event to a receiver, with all its attempts. */
export interface Delivery extends field.RecordOf<typeof deliveryFields> {}

export type DeliveryStatus = Delivery['status'];

/** The log of deliveries of a world. To make room, it removes ended deliveries, the earliest first. */
export class DeliveryStore extends Table<Delivery> {
  /** The identifiers of pending and of ended deliveries, each in the order in which they became so. */
  readonly #pending = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(ids: Identifiers) {
    super(ids, DELIVERIES_MAX, {});
  }

  /** The identifiers of pending deliveries, the oldest first. */
  get pending(): Iterable<string> {
    return this.#pending;
  }

  /** The delivery to remove before the next one is added; undefined while there is room. */
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
