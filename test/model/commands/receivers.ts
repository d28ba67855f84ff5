import fc from 'fast-check';

import { at } from '../state.js';
import { define, del, post, ref, refuse, textIn } from './kind.js';

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

export const unlisten = define(
  'end a subscription to events',
  fc.record({ receiver: ref() }),
  (context, args) => {
    const { id, n } = context.find('receivers', args.receiver);
    return {
      call: del(`/webhook/subscription/${id}`),
      decide: () => {
        if (n === null || at(context.state.receivers, n).isGone) return refuse(404, 111);
        return { events: () => [{ kind: 'receiverRemoved', receiver: n }] };
      },
    };
  },
);
