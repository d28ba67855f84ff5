import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { whyImpossible } from '../../http/fields/expected.js';
import { type EventTopic, type EventType, TOPIC_OF_EVENT } from '../../records/webhook-subscription.js';
import { BatchStatusResponse } from '../../resources/batches/schema.js';
import { ChargeResponse } from '../../resources/charges/schema.js';
import { CustomerResponse } from '../../resources/customers/schema.js';
import { PaymentMethodResponse } from '../../resources/payment-methods/schema.js';
import { SubscriptionResponse } from '../../resources/subscriptions/schema.js';
import { toSdkName, ABSENT_FIELDS, ANSWER_WORDS, OWN_MAPS } from '../../core/dialect/sdk.js';
import { metaAt, unwrapped } from '../../http/fields/issues.js';

type Schema = z.core.$ZodType;

/** The schema of a record in a message, made from that of answers: in camelCase, without null, and with the words of both dialects. */
export function messageSchema(schema: Schema, name = ''): z.ZodType {
  const { id: _, ...meta } = metaAt(schema, []);
  return messageType(unwrapped(schema), name).meta(meta);
}

function messageType(schema: Schema, name: string): z.ZodType {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return z.strictObject(Object.fromEntries(messageFields(def.shape, name)));
    case 'array':
      return z.array(messageSchema(def.element, name));
    case 'enum':
      return z.enum(Object.values(def.entries).flatMap((word) => wordsFor(String(word), name)));
    default:
      return schema as z.ZodType;
  }
}

/** Adds the fields that only client libraries read, except those that are null. */
function messageFields(shape: Readonly<Record<string, Schema>>, within: string): [string, z.ZodType][] {
  const absent = Object.keys(shape).flatMap((name) => ABSENT_FIELDS.get(name) ?? []);
  const added = absent.flatMap(([name, value]): [string, z.ZodType][] =>
    value === null ? [] : [[toSdkName(name), z.boolean().optional()]],
  );
  if (within === 'PaymentInformation') added.push(['providerType', z.string().optional()]);
  const sent = Object.entries(shape)
    .filter(([, field]) => field._zod.def.type !== 'null')
    .map(([name, field]): [string, z.ZodType] => {
      // The keys of a caller's own map are not renamed.
      const message = OWN_MAPS.has(name) ? (unwrapped(field) as z.ZodType) : messageSchema(field, name);
      return [toSdkName(name), z.safeParse(field, null).success ? message.optional() : message];
    });
  return [...added, ...sent];
}

function wordsFor(word: string, name: string): string[] {
  const inSdk = ANSWER_WORDS.get(name)?.get(word);
  return inSdk === undefined ? [word] : [word, inSdk];
}

/** The response that the messages of a topic are made of. */
export const RECORD_OF_TOPIC: Readonly<Record<EventTopic, z.ZodType>> = {
  Transaction: ChargeResponse,
  Batch: BatchStatusResponse,
  Subscription: SubscriptionResponse,
  Customer: CustomerResponse,
  PaymentMethod: PaymentMethodResponse,
};

/** Why no message of an event has a part like the expected one; null if one may. */
export function explainNeverSent(event: EventType, expected: unknown): string | null {
  const message = z.strictObject({
    meta: z.strictObject({
      messageId: answers.id(),
      timestamp: answers.instant(),
      type: z.enum([event.slice(0, event.indexOf('.'))]),
      eventType: z.enum([event]),
    }),
    data: messageSchema(RECORD_OF_TOPIC[TOPIC_OF_EVENT[event]]),
  });
  return whyImpossible(message, expected, { noun: `a message of ${event}`, path: [] });
}
