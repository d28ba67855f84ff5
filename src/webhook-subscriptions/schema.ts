import * as z from 'zod';

import { DEFAULT_DIALECT } from '../core/dialect.js';
import { digitsOf, Fault, type Member, optional, optionalText, required } from '../http/fields.js';
import { optionalQueryInstant, pageMembers, sortOrder } from '../http/list-fields.js';
import { webhookMembers } from '../http/webhook-fields.js';
import { type Topic, TOPICS } from './record.js';
import type { SubscriptionFilter } from './search.js';

/** A topic by its name in any case, or by its place in the list of client libraries. */
function topicOf(value: unknown): Topic | undefined {
  const given = digitsOf(value)?.toLowerCase();
  return TOPICS.find((topic, place) => topic.toLowerCase() === given || String(place) === given);
}

const topics = (): Member<readonly Topic[]> =>
  required((value): readonly Topic[] | Fault => {
    const takes = `a list of ${TOPICS.join(', ')}`;
    if (!Array.isArray(value) || value.length === 0) return new Fault(`must be ${takes}`);
    const known = new Set<Topic>();
    for (const [place, one] of value.slice(0, 2 * TOPICS.length).entries()) {
      const topic = topicOf(one);
      if (topic === undefined) return new Fault(`[${place}] is none of ${TOPICS.join(', ')}`);
      known.add(topic);
    }
    return [...known];
  }, '["Transaction", "Batch"]');

export const CreateSubscription = z.object({ Types: topics(), ...webhookMembers() }).transform((body) => ({
  topics: body.Types,
  url: body.Url,
  authorization: body.Authorization,
  dialect: DEFAULT_DIALECT,
}));

const optionalTopic = (): Member<Topic | null> =>
  optional((value) => topicOf(value) ?? new Fault(`must be one of ${TOPICS.join(', ')}`));

/** `Sort` is how one client library calls `SortBy`; its NONE asks for no order. */
const optionalSort = (): Member<null> =>
  optional((value) =>
    /^-?(?:none|date)$/i.test(String(value)) ? null : new Fault('must be one of NONE, DATE'),
  );

export const SearchSubscriptions = z
  .object({
    Id: optionalText(),
    Type: optionalTopic(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
    SortBy: sortOrder('Date'),
    Sort: optionalSort(),
  })
  .transform((asked): SubscriptionFilter => ({
    id: asked.Id,
    topic: asked.Type,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
