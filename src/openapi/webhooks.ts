import { RECORD_OF_TOPIC, messageSchema } from '../control/webhooks/message.js';
import { type EventTopic, type EventType, TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import { formatMessage } from '../webhooks/message.js';
import { DEFAULT_HEADER_PREFIX } from '../webhooks/delivery.js';
import type { Examples } from './examples.js';
import type { Json, DocumentObject } from './compact.js';

/** The section `webhooks`, derived from the answers, like the messages themselves. */

/** The operation whose answer is the example of a message. */
const EXAMPLE_OPERATIONS: Readonly<Record<EventTopic, string>> = {
  Transaction: 'chargeCard',
  Batch: 'getBatchStatus',
  Subscription: 'createSubscription',
  Customer: 'createCustomerFromCard',
  PaymentMethod: 'createMethodFromCard',
};

const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  'transaction.status.changed':
    'A charge was created or declined, its status changed, or part of it was refunded.',
  'batch.status.changed': 'A batch became CREATED, IN_PROGRESS, SUCCESS or FAILED.',
  'subscription.status.changed': 'The status of a subscription changed.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.removed': 'A customer was removed.',
  'paymentMethod.created': 'A payment method was created.',
  'paymentMethod.updated': 'A payment method was changed, or its PayTo agreement became active.',
  'paymentMethod.removed': 'A payment method was removed.',
};

const headerParameter = (of: string, required: boolean, description: string): [string, DocumentObject] => {
  const name = `${DEFAULT_HEADER_PREFIX}${of}`;
  return [name, { name, in: 'header', required, description, schema: { type: 'string' } }];
};

const MESSAGE_HEADERS = Object.fromEntries([
  headerParameter('Version', true, 'The version of the message.'),
  headerParameter(
    'Signature',
    false,
    'The HMAC-SHA-256 of the raw body in Base64, with --webhook-secret as the key. Sent only if a secret is set.',
  ),
]);

/** The schemas of the records in messages, by component. */
export const EVENT_SCHEMAS = Object.fromEntries(
  Object.entries(RECORD_OF_TOPIC).map(([topic, record]) => [`${topic}Event`, messageSchema(record)]),
);

/** The document with its webhooks. */
export function addWebhooks(document: DocumentObject, examples: Examples): DocumentObject {
  const components = document['components'] as DocumentObject;
  const events = (Object.keys(EVENT_TEXTS) as EventType[]).map((type) => [
    type,
    { post: buildWebhook(type, examples) },
  ]);
  return {
    ...document,
    webhooks: Object.fromEntries(events) as DocumentObject,
    components: {
      ...components,
      parameters: { ...(components['parameters'] as DocumentObject), ...MESSAGE_HEADERS },
    },
  };
}

function buildWebhook(type: EventType, examples: Examples): object {
  const topic = TOPIC_OF_EVENT[type];
  const text = { type: 'string' };
  const meta = {
    messageId: { ...text, description: 'The same for every attempt to deliver the message.' },
    timestamp: { ...text, format: 'date-time' },
    type: { ...text, const: type.slice(0, type.indexOf('.')) },
    eventType: { ...text, const: type },
  };
  const schema = requiredObject({
    meta: requiredObject(meta),
    data: { $ref: `#/components/schemas/${topic}Event` },
  });
  return {
    operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Webhook subscriptions'],
    summary: type,
    description: EVENT_TEXTS[type],
    security: [],
    parameters: Object.keys(MESSAGE_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: buildExampleMessage(type, topic, examples) } },
    },
    responses: {
      '2XX': { description: 'Received. After any other response, or none, the message is sent again.' },
    },
  };
}

function requiredObject(properties: object): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The message about the record of an example. */
function buildExampleMessage(type: EventType, topic: EventTopic, examples: Examples): Json {
  const data = examples.findExample(EXAMPLE_OPERATIONS[topic])?.answer as Readonly<Record<string, unknown>>;
  const event = { type, messageId: MESSAGE_ID, ref: '', data, dialect: 'documented' } as const;
  return JSON.parse(formatMessage(event, EXAMPLE_AT)) as Json;
}

const EXAMPLE_AT = Date.UTC(2026, 0, 1);
const MESSAGE_ID = '9f1c2b7a4e5d4c3b8a69708f1e2d3c4b';
