import fc from 'fast-check';

import { major } from '../arithmetic.js';
import { PROVIDER } from '../spec.js';
import { type Body, type Context, define, get, ref, refuse, type Verdict } from './kind.js';

/** Searches, whose answers must be what a filter over all records of the model gives. */

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const page = {
  limit: fc.constantFrom(null, null, '1', '2', '500', '0', '501', 'x'),
  skip: fc.constantFrom(null, null, '1', '3', '-1'),
};

function queryOf(filters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** What an answer must list: all that match, newest first, cut to the page. */
function listed(
  name: 'Charges' | 'Customers' | 'PaymentMethods' | 'Tokens',
  id: 'ChargeId' | 'CustomerId' | 'PaymentMethodId' | 'TokenId',
  asked: { readonly limit: string | null; readonly skip: string | null },
  matches: () => readonly { readonly id: string | null }[],
): Verdict {
  if (asked.limit === '0' || asked.limit === '501' || asked.limit === 'x' || asked.skip === '-1')
    refuse(400, 90);
  return {
    check: (body: Body) => {
      const found = matches().map((one) => one.id);
      const skip = Number(asked.skip ?? 0);
      const expected = found.slice(skip, skip + Number(asked.limit ?? 100));
      const shown = (body[name] as Body[]).map((one) => one[id]);
      const said = JSON.stringify([body['Count'], shown]);
      if (said !== JSON.stringify([found.length, expected])) {
        throw new Error(`${name} are ${said}, the model finds ${JSON.stringify([found.length, expected])}`);
      }
    },
  };
}

const recent = <R>(records: readonly R[]): R[] => records.toReversed();

const INSTANTS = [0, 1, 60_000, 86_400_000];

export const charges = define(
  'search charges',
  fc.record({
    ...page,
    reference: maybe(fc.constantFrom('r1', 'R1', 'b1', 'none')),
    status: maybe(
      fc.constantFrom('SUCCESS', 'failed', 'Authorised', 'AUTHORISE', 'refund', 'PENDING', 'unknown'),
    ),
    currency: maybe(fc.constantFrom('AUD', 'JPY')),
    provider: maybe(fc.constantFrom(PROVIDER.steady, PROVIDER.amounts)),
    customer: maybe(ref()),
    method: maybe(ref()),
    batch: maybe(ref()),
    above: maybe(fc.constantFrom('0', '10', '12.5')),
    below: maybe(fc.constantFrom('10', '33.51', '1e3')),
    since: maybe(fc.constantFrom(...INSTANTS)),
    until: maybe(fc.constantFrom(...INSTANTS)),
    type: maybe(fc.constantFrom('CARD', 'bank_account')),
    sort: fc.constantFrom(null, 'Date', '-Date', 'Amount', '-amount', 'Name'),
  }),
  (context, args) => {
    const { state } = context;
    const isOdd = args.sort === 'Name';
    const customer = args.customer && context.find('customers', args.customer);
    const method = args.method && context.find('methods', args.method);
    const batch = args.batch && context.find('batches', args.batch);
    const instant = (back: number | null): string | null =>
      back === null ? null : new Date(state.now - back).toISOString();
    const query = queryOf({
      Reference: args.reference,
      status: args.status,
      Currency: args.currency,
      ProviderId: args.provider,
      CustomerId: customer?.id ?? null,
      PaymentMethodId: method?.id ?? null,
      BatchId: batch?.id ?? null,
      AmountGreaterThan: args.above,
      AmountLessThan: args.below,
      AddedAfter: instant(args.since),
      addedbefore: instant(args.until),
      PaymentType: args.type,
      SortBy: args.sort,
      Limit: args.limit,
      Skip: args.skip,
    });
    const matches = () => {
      const status = args.status?.toLowerCase().replace(/^authorise$/, 'authorised') ?? null;
      const found = state.charges.filter((charge) => {
        const amount = major(charge.minor, charge.currency);
        return (
          (args.reference === null || charge.reference === args.reference) &&
          (status === null || charge.status.toLowerCase() === status) &&
          (args.currency === null || charge.currency === args.currency) &&
          (args.provider === null || charge.provider === args.provider) &&
          (customer === null || (customer.n !== null && charge.customer === customer.n)) &&
          (method === null || (method.n !== null && charge.method === method.n)) &&
          (batch === null || (batch.n !== null && charge.batch === batch.n)) &&
          (args.above === null || amount > Number(args.above)) &&
          (args.below === null || amount < Number(args.below)) &&
          (args.since === null || charge.at > state.now - args.since) &&
          (args.until === null || charge.at < state.now - args.until) &&
          (args.type === null || charge.source.type === args.type.toUpperCase())
        );
      });
      if (args.sort === 'Date') return found;
      const newest = recent(found);
      if (args.sort === null || args.sort === '-Date' || isOdd) return newest;
      const sign = args.sort === 'Amount' ? 1 : -1;
      return newest.sort((a, b) => sign * (major(a.minor, a.currency) - major(b.minor, b.currency)));
    };
    return {
      call: get(`/charge${query}`),
      decide: () => {
        // Client libraries take any text for an order.
        const isRefused = isOdd && context.dialect === 'documented';
        if (args.status === 'unknown' || args.below === '1e3' || isRefused) refuse(400, 90);
        return listed('Charges', 'ChargeId', args, matches);
      },
    };
  },
);

const within = (text: string | null, part: string | null): boolean =>
  part === null || (text !== null && text.toLowerCase().includes(part.toLowerCase()));
const same = (text: string | null, asked: string | null): boolean =>
  asked === null || text?.toLowerCase() === asked.toLowerCase();

export const customers = define(
  'search customers',
  fc.record({
    ...page,
    name: maybe(fc.constantFrom('jo', 'JO SM', 'o ann', 'x', 'wei')),
    email: maybe(fc.constantFrom('jo@example.com', 'JO@EXAMPLE.COM', 'Li@example.com', 'deleted', 'example')),
    reference: maybe(fc.constantFrom('c1', 'C1', 'c3')),
    search: maybe(fc.constantFrom('example', 'C1', 'smith')),
    removed: maybe(fc.constantFrom('true', 'False', 'maybe')),
  }),
  ({ state }, args) => {
    const query = queryOf({
      Name: args.name,
      EMAIL: args.email,
      reference: args.reference,
      Search: args.search,
      IncludeRemoved: args.removed,
      Limit: args.limit,
      Skip: args.skip,
    });
    const matches = () =>
      recent(state.customers).filter(({ first, last, email, reference, removedAt }) => {
        const name = `${first ?? ''} ${last ?? ''}`;
        return (
          (removedAt === null || args.removed === 'true') &&
          within(name, args.name) &&
          same(email, args.email) &&
          (args.reference === null || reference === args.reference) &&
          [name, email, reference].some((text) => within(text, args.search))
        );
      });
    return {
      call: get(`/customer${query}`),
      decide: () => {
        if (args.removed === 'maybe') refuse(400, 90);
        return listed('Customers', 'CustomerId', args, matches);
      },
    };
  },
);

export const methods = define(
  'search payment methods',
  fc.record({
    ...page,
    customer: maybe(ref()),
    provider: maybe(fc.constantFrom(PROVIDER.steady, PROVIDER.flaky)),
    type: maybe(fc.constantFrom('CARD', 'bank_account')),
    search: maybe(fc.constantFrom('EXAMPLE', '4242', 'jo smith', 'c1')),
  }),
  (context, args) => {
    const { state } = context;
    const customer = args.customer && context.find('customers', args.customer);
    const query = queryOf({
      CustomerId: customer?.id ?? null,
      ProviderId: args.provider,
      PaymentType: args.type,
      Search: args.search,
      Limit: args.limit,
      Skip: args.skip,
    });
    const matches = () =>
      recent(state.methods).filter((method) => {
        const owner = method.customer === null ? undefined : state.customers[method.customer];
        const { source } = method;
        const isCard = source.type === 'CARD';
        const masked = isCard
          ? `${source.number.slice(0, 4)}****${source.number.slice(-4)}`
          : source.type === 'PAYTO'
            ? source.number
            : source.number.slice(-3);
        const texts = [
          masked,
          isCard ? null : source.type === 'PAYTO' ? 'Pat Payer' : 'Jo Smith',
          owner ? `${owner.first} ${owner.last}` : null,
          owner?.email ?? null,
          owner?.reference ?? null,
        ];
        return (
          method.removedAt === null &&
          (customer === null || (customer.n !== null && method.customer === customer.n)) &&
          (args.provider === null || method.provider === args.provider) &&
          (args.type === null || source.type === args.type.toUpperCase()) &&
          (args.search === null || texts.some((text) => within(text, args.search)))
        );
      });
    return {
      call: get(`/payment_method${query}`),
      decide: () => listed('PaymentMethods', 'PaymentMethodId', args, matches),
    };
  },
);

export const tokens = define(
  'search tokens',
  fc.record({ ...page, status: fc.constantFrom('ACTIVE', 'USED', 'EXPIRED') }),
  ({ state }: Context, args) => ({
    call: get(`/token${queryOf({ Status: args.status, Limit: args.limit, Skip: args.skip })}`),
    decide: () =>
      listed('Tokens', 'TokenId', args, () =>
        recent(state.tokens).filter(({ status }) => status === args.status),
      ),
  }),
);
