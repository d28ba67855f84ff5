import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { whyImpossible } from '../../http/fields/expected.js';
import { messageSchema } from '../../http/fields/message-schema.js';
import { type EventTopic, type EventType, TOPIC_OF_EVENT } from '../../records/webhook-subscription.js';
import { BatchStatusResponse } from '../../resources/batches/schema.js';
import { ChargeResponse } from '../../resources/charges/schema.js';
import { CustomerResponse } from '../../resources/customers/schema.js';
import { PaymentMethodResponse } from '../../resources/payment-methods/schema.js';
import { SubscriptionResponse } from '../../resources/subscriptions/schema.js';

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
      messageId: z.string(),
      timestamp: answers.instant(),
      type: z.enum([event.slice(0, event.indexOf('.'))]),
      eventType: z.enum([event]),
    }),
    data: messageSchema(RECORD_OF_TOPIC[TOPIC_OF_EVENT[event]]),
  });
  return whyImpossible(message, expected, { noun: `a message of ${event}`, path: [] });
}
