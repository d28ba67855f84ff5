import { DURATION_MAX_MS } from '../../core/time.js';
import {
  type EventType,
  TOPIC_OF_EVENT,
  TOPICS,
  type WebhookSubscription,
} from '../../webhook-subscriptions/record.js';
import { type Delivery, RETRY_AFTER_MS, type Trouble } from '../../webhooks/record.js';
import {
  anyText,
  instant,
  maybeInstant,
  maybeText,
  type Unnumbered,
  webhookMembers,
} from './state-members.js';
import {
  flag,
  isPlainObject,
  list,
  misfit,
  orNull,
  record,
  type Shape,
  text,
  whole,
  word,
} from './state-shape.js';

/** The longest message: that of a record with every member filled, many times over. */
const BODY_MAX = 1_048_576;

const bodyText = text(BODY_MAX);

/** What was or will be sent: an object of JSON, as it is shown. */
const body: Shape<string> = {
  read: (value) => {
    const read = bodyText.read(value);
    return isObjectText(read) ? read : misfit('must be the JSON of an object');
  },
  write: bodyText.write,
};

function isObjectText(json: string): boolean {
  try {
    return isPlainObject(JSON.parse(json));
  } catch {
    return false;
  }
}

export const webhookSubscription: Unnumbered<WebhookSubscription> = record<
  Omit<WebhookSubscription, 'id' | 'index'>
>({
  ...webhookMembers,
  topics: list(word(...TOPICS)),
  dateAdded: instant,
  dateRemoved: maybeInstant,
});

/** The journal does not go along. */
const noEntry: Shape<number | null> = {
  read: (value) => (value === undefined ? null : misfit('is not taken')),
  write: () => undefined,
};

export const delivery: Unnumbered<Delivery> = record<Omit<Delivery, 'id' | 'index'>>({
  ...webhookMembers,
  messageId: anyText,
  eventType: word(...(Object.keys(TOPIC_OF_EVENT) as EventType[])),
  ref: anyText,
  body,
  dateAdded: instant,
  status: word('pending', 'delivered', 'failed', 'withheld'),
  attempts: whole(0, RETRY_AFTER_MS.length + 1),
  attempted: maybeInstant,
  due: maybeInstant,
  responseStatus: orNull(whole(0, 999)),
  note: maybeText,
  entry: noEntry,
  trouble: orNull(
    record<Trouble>({
      policy: anyText,
      badSignature: flag,
      staleMs: whole(0, DURATION_MAX_MS),
      swapped: flag,
    }),
  ),
});
