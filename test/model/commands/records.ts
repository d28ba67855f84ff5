import fc from 'fast-check';

import { isOver } from '../arithmetic.js';
import { askProvider } from '../provider.js';
import { AMEX } from '../spec.js';
import { at, type Customer } from '../state.js';
import {
  checkProvider,
  type Context,
  define,
  expiry,
  header,
  headersOf,
  provider,
  ref,
  refuse,
  textIn,
} from './kind.js';
import {
  cardMembers,
  cardSource,
  ccvOf,
  checkBoth,
  checkSeconds,
  paymentInformation,
  vault,
  vaultMembers,
} from './storing.js';

/** What happens to customers, methods, vault entries and tokens. */

function liveCustomer({ state }: Context, n: number | null): Customer {
  if (n === null) return refuse(404, 52);
  const found = at(state.customers, n);
  return found.removedAt === null ? found : refuse(409, 72);
}

export const changeCustomer = define(
  'change a customer',
  fc.record({
    customer: ref(),
    first: fc.constantFrom(null, 'Alex', 'JO'),
    email: fc.constantFrom(null, 'new@example.com', 'JO@example.com'),
    reference: fc.constantFrom(null, 'c3'),
    method: fc.oneof(fc.constant(null), ref()),
  }),
  (context, args) => {
    const { id, n } = context.find('customers', args.customer);
    const chosen = args.method === null ? null : context.find('methods', args.method);
    const said = {
      FirstName: args.first,
      Email: args.email,
      Reference: args.reference,
      DefaultPaymentMethodId: chosen?.id ?? null,
    };
    return {
      call: { method: 'PUT', path: `/customer/${id}`, body: said },
      decide: () => {
        const found = liveCustomer(context, n);
        if (chosen !== null) {
          if (chosen.n === null) return refuse(404, 56);
          const method = at(context.state.methods, chosen.n);
          if (method.removedAt !== null) refuse(409, 73);
          if (method.customer !== n) refuse(400, 57);
        }
        const change = {
          first: args.first ?? found.first,
          email: args.email ?? found.email,
          reference: args.reference ?? found.reference,
          defaultMethod: chosen === null ? found.defaultMethod : chosen.n,
        };
        return { events: () => [{ kind: 'customerChanged', customer: n ?? 0, change }] };
      },
    };
  },
);

export const removeCustomer = define('remove a customer', fc.record({ customer: ref() }), (context, args) => {
  const { id, n } = context.find('customers', args.customer);
  return {
    call: { method: 'DELETE', path: `/customer/${id}` },
    decide: () => {
      liveCustomer(context, n);
      return { events: () => [{ kind: 'customerRemoved', customer: n ?? 0 }] };
    },
  };
});

export const removeMethod = define(
  'remove a payment method',
  fc.record({ method: ref() }),
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    return {
      call: { method: 'DELETE', path: `/payment_method/${id}` },
      decide: () => {
        if (n === null) return refuse(404, 56);
        if (at(context.state.methods, n).removedAt !== null) refuse(409, 73);
        return { events: () => [{ kind: 'methodRemoved', method: n }] };
      },
    };
  },
);

export const changeMethod = define(
  'change a payment method',
  fc.record({ method: ref(), expiry: fc.oneof(fc.constant(null), expiry()) }),
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    const Card = args.expiry === null ? {} : { ExpiryDate: args.expiry };
    return {
      call: { method: 'PUT', path: `/payment_method/${id}`, body: { Card } },
      decide: () => {
        if (args.expiry === null) refuse(400, 105);
        if (n === null) return refuse(404, 56);
        const { removedAt, source } = at(context.state.methods, n);
        if (removedAt !== null) refuse(409, 73);
        if (source.type !== 'CARD') refuse(400, 106);
        if (args.expiry !== null && isOver(args.expiry, context.state.now)) refuse(402, 14);
        return {
          events: () => [{ kind: 'methodChanged', method: n, source: { ...source, expiry: args.expiry } }],
        };
      },
    };
  },
);

export const createEntry = define(
  'put a card into the vault',
  fc.record({
    ...cardMembers,
    vault: vault(),
    wrongCcv: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
  (_, args) => {
    const { seconds, both } = args.vault;
    const ccv = args.wrongCcv ? (args.pan === AMEX ? '123' : '1234') : ccvOf(args);
    const body = {
      CardNumber: args.pan,
      ...(ccv === null ? {} : { Ccv: ccv }),
      ...(seconds === null ? {} : { ExpireSeconds: seconds }),
      ...(both ? { ExpireDate: '2099-01-01T00:00:00Z' } : {}),
    };
    return {
      call: { method: 'POST', path: '/vault', body },
      decide: () => {
        if (seconds === 0) refuse(400, 83);
        if (args.wrongCcv) refuse(400, 6);
        if (both && seconds !== null) refuse(400, 82);
        return {
          events: (answer) => [
            {
              kind: 'entryMade',
              entry: { id: textIn(answer, 'VaultId'), pan: args.pan, ccv },
              seconds: both ? null : seconds,
            },
          ],
        };
      },
    };
  },
);

export const deleteEntry = define('delete a vault entry', fc.record({ entry: ref() }), (context, args) => {
  const { id, n } = context.find('entries', args.entry);
  return {
    call: { method: 'DELETE', path: `/vault/${id}` },
    decide: () => {
      if (n === null || at(context.state.entries, n).gone) return refuse(404, 62);
      return { events: () => [{ kind: 'entryDeleted', entry: n }] };
    },
  };
});

export const createToken = define(
  'make a token',
  fc.record({ ...cardMembers, provider: provider(), vault: vault(), header: header() }),
  (context, args) => {
    const { state } = context;
    return {
      call: {
        method: 'POST',
        path: '/token/card',
        body: { PaymentInformation: paymentInformation(args), ...vaultMembers(args.vault) },
        headers: { ...headersOf(args.header), providerid: args.provider },
      },
      decide: () => {
        checkSeconds(args.vault);
        checkProvider(args.provider);
        const told = context.told('token.create', null, args.header);
        checkBoth(args.vault);
        if (isOver(args.expiry, state.now)) refuse(402, 14);
        const question = {
          asked: 'tokenise',
          provider: args.provider,
          trigger: args.pan,
          minor: null,
          currency: null,
        } as const;
        const { decline, used } = askProvider(state, { ...question, told });
        return {
          decline,
          events: (answer) => {
            if (decline !== null) return used;
            const ccv = ccvOf(args);
            const { wanted, both, seconds } = args.vault;
            const entry = wanted ? { id: textIn(answer, 'VaultId'), pan: args.pan, ccv } : null;
            const token = {
              id: textIn(answer, 'TokenId'),
              provider: args.provider,
              source: cardSource(args),
              ccv,
              vault: entry === null ? null : state.entries.length,
            };
            return [
              ...used,
              ...(entry === null
                ? []
                : [{ kind: 'entryMade' as const, entry, seconds: both ? null : seconds }]),
              { kind: 'tokenMade', token },
            ];
          },
        };
      },
    };
  },
);
