import fc from 'fast-check';

import { define, ending, post, put, ref, refuse, textIn } from './kind.js';

/** Providers as a program configures them; what is charged through them is in charges.ts. */

export const configure = define(
  'configure a provider',
  fc.record({
    type: fc.constantFrom('dummy', 'other'),
    name: fc.constantFrom('first', 'second', ''),
    hasCosts: fc.boolean(),
  }),
  (_, { type, name, hasCosts }) => ({
    call: post('/provider', {
      Type: type,
      Name: name,
      Environment: 'SANDBOX',
      Currency: 'AUD',
      ...(hasCosts && { CostData: [{ TransactionCost: '0.25', TransactionPercentage: 10 }] }),
    }),
    decide: () => {
      if (name === '') refuse(400, 90);
      return {
        events: (body) => [
          { kind: 'providerMade', provider: { id: textIn(body, 'ProviderId'), name, hasCosts } },
        ],
      };
    },
  }),
);

export const rename = define(
  'rename a provider',
  fc.record({ provider: ref(), name: fc.constantFrom('third', 'fourth') }),
  (context, { provider, name }) => {
    const { id, n } = context.find('providers', provider);
    return {
      call: put(`/provider/${id}`, { Name: name }),
      decide: () => {
        context.live('providers', n);
        return { events: () => [{ kind: 'providerNamed', provider: n ?? 0, name }] };
      },
    };
  },
);

export const remove = ending('remove a provider', 'providers', '/provider', (provider) => ({
  kind: 'providerRemoved',
  provider,
}));
