import fc from 'fast-check';

import { isOver } from '../arithmetic.js';
import { askProvider } from '../provider.js';
import { AMEX, DEMANDING_CARDS } from '../spec.js';
import {
  type Body,
  checkProvider,
  define,
  ending,
  expiry,
  given,
  header,
  post,
  provider,
  put,
  ref,
  refuse,
  textIn,
  weighted,
} from './kind.js';
import {
  cardMembers,
  cardSource,
  ccvOf,
  checkBoth,
  checkSeconds,
  FAR,
  paymentInformation,
  vault,
  vaultMembers,
} from './storing.js';

/** What happens to customers, methods, vault entries and tokens. */

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
      call: put(`/customer/${id}`, said),
      decide: () => {
        const found = context.live('customers', n);
        if (chosen !== null) {
          if (context.live('methods', chosen.n).customer !== n) refuse(400, 57);
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

export const removeCustomer = ending('remove a customer', 'customers', '/customer', (customer) => ({
  kind: 'customerRemoved',
  customer,
}));

export const removeMethod = ending('remove a payment method', 'methods', '/payment_method', (method) => ({
  kind: 'methodRemoved',
  method,
}));

export const deleteEntry = ending('delete a vault entry', 'entries', '/vault', (entry) => ({
  kind: 'entryDeleted',
  entry,
}));

export const changeMethod = define(
  'change a payment method',
  fc.record({ method: ref(), expiry: fc.oneof(fc.constant(null), expiry()) }),
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    return {
      call: put(`/payment_method/${id}`, { Card: given({ ExpiryDate: args.expiry }) }),
      decide: () => {
        if (args.expiry === null) refuse(400, 105);
        const { source } = context.live('methods', n);
        if (source.type !== 'CARD') refuse(400, 106);
        if (args.expiry !== null && isOver(args.expiry, context.state.now)) refuse(400, 14);
        const changed = { ...source, expiry: args.expiry };
        return { events: () => [{ kind: 'methodChanged', method: n ?? 0, source: changed }] };
      },
    };
  },
);

export const createEntry = define(
  'put a card into the vault',
  fc.record({ ...cardMembers, vault: vault(), wrongCcv: weighted([9, [false]], [1, [true]]) }),
  (_, args) => {
    const { seconds, both } = args.vault;
    const ccv = args.wrongCcv ? (args.pan === AMEX ? '123' : '1234') : ccvOf(args);
    const ExpireDate = both ? FAR : null;
    const body = given({ CardNumber: args.pan, Ccv: ccv, ExpireSeconds: seconds, ExpireDate });
    return {
      call: post('/vault', body),
      decide: () => {
        if (seconds === 0) refuse(400, 83);
        if (args.wrongCcv) refuse(400, 6);
        if (both && seconds !== null) refuse(400, 82);
        const entry = (answer: Body) => ({ id: textIn(answer, 'VaultId'), pan: args.pan, ccv });
        const kept = both ? null : seconds;
        return { events: (answer) => [{ kind: 'entryMade', entry: entry(answer), seconds: kept }] };
      },
    };
  },
);

export const createToken = define(
  'make a token',
  fc.record({
    ...cardMembers,
    pan: fc.oneof(
      { weight: 3, arbitrary: cardMembers.pan },
      { weight: 2, arbitrary: fc.constantFrom(...DEMANDING_CARDS) },
    ),
    provider: provider(),
    vault: vault(),
    header: header(),
  }),
  (context, args) => {
    const { state } = context;
    const body = { PaymentInformation: paymentInformation(args), ...vaultMembers(args.vault) };
    const call = post('/token/card', body, args.header);
    return {
      call: { ...call, headers: { ...call.headers, providerid: args.provider } },
      decide: () => {
        checkSeconds(args.vault);
        checkProvider(args.provider);
        const told = context.told('token.create', null, args.header);
        checkBoth(args.vault);
        if (isOver(args.expiry, state.now)) refuse(400, 14);
        const asked = { asked: 'tokenise', provider: args.provider, trigger: args.pan } as const;
        const { decline, used } = askProvider(state, { ...asked, minor: null, currency: null, told });
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
