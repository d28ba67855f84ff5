import fc from 'fast-check';

import { define, ending, post, refuse, textIn } from './kind.js';

/** Who is told of events; nobody is really sent anything. */

export const listen = define(
  'subscribe to events',
  fc.record({
    topics: fc.subarray(['Transaction', 'Batch', 'Subscription', 'Customer', 'PaymentMethod']),
    // Public, so nothing is delivered; and no name, so nobody's resolver is waited for.
    url: fc.constantFrom('https://192.0.2.1/a', 'https://192.0.2.1/b', 'nowhere'),
  }),
  (_, { topics, url }) => ({
    call: post('/webhook/subscription', { Types: topics, Url: url }),
    decide: () => {
      if (topics.length === 0 || url === 'nowhere') refuse(400, 90);
      return {
        events: (body) => [
          { kind: 'receiverMade', receiver: { id: textIn(body, 'WebhookSubscriptionId'), url, topics } },
        ],
      };
    },
  }),
);

export const unlisten = ending(
  'end a subscription to events',
  'receivers',
  '/webhook/subscription',
  (receiver) => ({ kind: 'receiverRemoved', receiver }),
);
