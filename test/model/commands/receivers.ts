import fc from 'fast-check';

import { define, ending, post, refuse, textIn } from './kind.js';

/** Who is told of events; nobody is really sent anything. */

export const listen = define(
  'subscribe to events',
  fc.record({
    topics: fc.subarray(['Transaction', 'Batch', 'Subscription', 'Customer', 'PaymentMethod']),
    // Where clouds give credentials, so nothing is delivered; and no name, so nobody's resolver is waited for.
    url: fc.constantFrom('https://[fd00:ec2::254]/a', 'https://[fd00:ec2::254]/b', 'nowhere'),
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
