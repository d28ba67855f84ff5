import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { ValidationError } from '../../core/validation-error.js';
import {
  optionalField,
  convertField,
  requestSchema,
  convertText,
  readDigits,
} from '../../http/fields/field.js';
import { optionalText } from '../../http/fields/fields.js';
import { dateFields, toListing, pageFields, sortOrder } from '../../http/fields/list-fields.js';
import { webhookFields } from '../../http/fields/webhook-fields.js';
import { type Topic, TOPICS } from '../../records/webhook-subscription.js';

/** A topic by its name in any case, or by its place in the list of client libraries. */
function parseTopic(value: unknown): Topic | undefined {
  const given = readDigits(value)?.toLowerCase();
  return TOPICS.find((topic, place) => topic.toLowerCase() === given || String(place) === given);
}

const TOPICS_WRONG = `must be a list of ${TOPICS.join(', ')}`;

const topicsField = () =>
  convertField(z.array(z.unknown()), (given): readonly Topic[] | ValidationError => {
    if (given.length === 0) return new ValidationError(TOPICS_WRONG);
    const known = new Set<Topic>();
    for (const [index, text] of given.slice(0, 2 * TOPICS.length).entries()) {
      const topic = parseTopic(text);
      if (topic === undefined) return new ValidationError(`[${index}] must be one of ${TOPICS.join(', ')}`);
      known.add(topic);
    }
    return [...known];
  }).meta({
    sample: '["Transaction", "Batch"]',
    wrong: TOPICS_WRONG,
    minItems: 1,
    items: {
      anyOf: [
        { type: 'string', enum: [...TOPICS] },
        { type: 'integer', minimum: 0, maximum: TOPICS.length - 1 },
      ],
    },
  });

export const CreateWebhookSubscription = requestSchema(
  () => ({ Types: topicsField().describe('The topics to subscribe to.'), ...webhookFields() }),
  (body) => ({ topics: body.Types, url: body.Url, authorization: body.Authorization }),
);

const optionalTopic = () =>
  optionalField(convertText(parseTopic, `must be one of ${TOPICS.join(', ')}`).meta({ enum: [...TOPICS] }));

/** One client library sends `Sort` in place of `SortBy`, with NONE for no order. */
const optionalSort = () =>
  optionalField(z.string().regex(/^-?(?:none|date)$/i, { error: 'must be NONE or DATE' }));

export const SearchWebhookSubscriptions = requestSchema(
  () => ({
    Id: optionalText().describe('The identifier of the subscription.'),
    Type: optionalTopic().describe('Only subscriptions to this topic.'),
    ...dateFields(),
    ...pageFields(),
    SortBy: sortOrder('Date'),
    Sort: optionalSort().describe('The name that one client library uses for SortBy.'),
  }),
  toListing,
);

export const WebhookSubscriptionResponse = answers.component('WebhookSubscription', () => ({
  WebhookSubscriptionId: answers.id(),
  AccountId: answers.id(),
  Url: z.string(),
  Authorization: answers.text().describe('Only the scheme; the credentials are never shown.'),
  Types: z.array(z.enum(TOPICS)),
  CreatedDate: answers.instant(),
  DateRemoved: answers.maybeInstant(),
}));
export type WebhookSubscriptionResponse = z.output<typeof WebhookSubscriptionResponse>;

export const WebhookSubscriptionList = answers.object(() => ({
  Count: answers.count(),
  WebhookSubscriptions: z.array(WebhookSubscriptionResponse),
}));
