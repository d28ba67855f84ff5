import fc from 'fast-check';

import { major } from '../arithmetic.js';
import { LISTED_TOKENS, PROVIDER } from '../spec.js';
import type { Charge, Customer, Method, Source, State, Token } from '../state.js';
import { type Body, type Context, define, get, type Kind, ref, type Ref, refuse } from './kind.js';

/** Searches, whose answers must be what a filter over all records of the model gives. */

/** What a search may be asked for by one name of its query. */
interface Filter<R> {
  /** What is asked for, where anything is. */
  readonly asked: fc.Arbitrary<unknown>;
  readonly text: (asked: never, context: Context) => string;
  readonly fits: (record: R, asked: never, context: Context) => boolean;
  readonly refused: readonly unknown[];
}

/** A filter by a text. */
const byText = <R>(
  values: readonly string[],
  fits: (record: R, asked: string, context: Context) => boolean,
  refused: readonly string[] = [],
): Filter<R> => ({
  asked: fc.constantFrom(...values, ...refused),
  text: (asked: string) => asked,
  fits,
  refused,
});

/** A filter by a record of another kind. */
const byRecord = <R>(
  table: 'customers' | 'methods' | 'batches',
  numberIn: (record: R) => number | null,
): Filter<R> => ({
  asked: ref(),
  text: (asked: Ref, context) => context.find(table, asked).id,
  fits: (record, asked: Ref, context) => {
    const { n } = context.find(table, asked);
    return n !== null && numberIn(record) === n;
  },
  refused: [],
});

/** A filter by an instant, which is so many milliseconds ago. */
const byInstant = <R>(fits: (record: R, instant: number) => boolean): Filter<R> => ({
  asked: fc.constantFrom(0, 1, 60_000, 86_400_000),
  text: (back: number, { state }) => new Date(state.now - back).toISOString(),
  fits: (record, back: number, { state }) => fits(record, state.now - back),
  refused: [],
});

const PAGE = {
  Limit: fc.constantFrom(null, null, '1', '2', '500', '0', '501', 'x'),
  Skip: fc.constantFrom(null, null, '1', '3', '-1'),
};
const BAD_PAGES = ['0', '501', 'x', '-1'];

type Asked = Readonly<Record<string, unknown>>;

interface Search<R> {
  readonly path: string;
  /** Under which names an answer lists the records and their identifiers. */
  readonly list: readonly [list: string, id: string];
  readonly filters: Readonly<Record<string, Filter<R>>>;
  /** All records that a search without filters finds, newest first. */
  readonly records: (state: State, asked: Asked) => readonly R[];
  readonly sort?: (found: R[], asked: Asked) => R[];
  readonly refuses?: (asked: Asked, context: Context) => boolean;
}

/** A search, whose answer must list all that match, in their order, cut to the page. */
function search<R extends { readonly id: string | null }>(
  name: string,
  { path, list: [list, id], filters, records, sort = (found) => found, refuses = () => false }: Search<R>,
): Kind {
  const maybe = ([one, { asked }]: [string, Filter<R>]) =>
    [one, fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: asked })] as const;
  const arbitrary = fc.record({ ...PAGE, ...Object.fromEntries(Object.entries(filters).map(maybe)) });
  return define(name, arbitrary, (context, asked: Asked & { Limit: string | null; Skip: string | null }) => {
    const { Limit, Skip } = asked;
    const given = Object.entries(filters).filter(([one]) => asked[one] !== null);
    const query = new URLSearchParams(
      given.map(([one, { text }]) => [one, text(asked[one] as never, context)]),
    );
    for (const [one, text] of Object.entries({ Limit, Skip })) if (text !== null) query.set(one, text);
    const matches = (): R[] =>
      records(context.state, asked).filter((record) =>
        given.every(([one, { fits }]) => fits(record, asked[one] as never, context)),
      );
    return {
      call: get(query.size === 0 ? path : `${path}?${query.toString()}`),
      decide: () => {
        const isRefused = given.some(([one, { refused }]) => refused.includes(asked[one]));
        if (isRefused || refuses(asked, context)) refuse(400, 90);
        if ([Limit, Skip].some((one) => one !== null && BAD_PAGES.includes(one))) refuse(400, 90);
        return {
          check: (body: Body) => {
            const found = sort(matches(), asked).map((one) => one.id);
            const skip = Number(Skip ?? 0);
            const expected = JSON.stringify([found.length, found.slice(skip, skip + Number(Limit ?? 100))]);
            const said = JSON.stringify([body['Count'], (body[list] as Body[]).map((one) => one[id])]);
            if (said !== expected) throw new Error(`${list} are ${said}, the model finds ${expected}`);
          },
        };
      },
    };
  });
}

const amountOf = ({ minor, currency }: Charge): number => major(minor, currency);
const within = (text: string | null, part: string): boolean =>
  text !== null && text.toLowerCase().includes(part.toLowerCase());
const same = (text: string | null, asked: string): boolean => text?.toLowerCase() === asked.toLowerCase();

const bySource = <R extends { readonly source: Source }>(): Filter<R> =>
  byText(['CARD', 'bank_account'], ({ source }, asked) => same(source.type, asked));
const byProvider = <R extends { readonly provider: string }>(...providers: string[]): Filter<R> =>
  byText(providers, ({ provider }, asked) => provider === asked);

export const charges = search<Charge>('search charges', {
  path: '/charge',
  list: ['Charges', 'ChargeId'],
  filters: {
    Reference: byText(['r1', 'R1', 'b1', 'none'], ({ reference }, asked) => reference === asked),
    status: byText(
      ['SUCCESS', 'failed', 'Authorised', 'AUTHORISE', 'refund', 'PENDING'],
      ({ status }, asked) => same(status, asked === 'AUTHORISE' ? 'Authorised' : asked),
      ['unknown'],
    ),
    Currency: byText(['AUD', 'JPY'], ({ currency }, asked) => currency === asked),
    ProviderId: byProvider(PROVIDER.steady, PROVIDER.amounts),
    CustomerId: byRecord('customers', ({ customer }) => customer),
    PaymentMethodId: byRecord('methods', ({ method }) => method),
    BatchId: byRecord('batches', ({ batch }) => batch),
    AmountGreaterThan: byText(['0', '10', '12.5'], (charge, asked) => amountOf(charge) > Number(asked)),
    AmountLessThan: byText(['10', '33.51'], (charge, asked) => amountOf(charge) < Number(asked), ['1x3']),
    AddedAfter: byInstant((charge, instant) => charge.at > instant),
    addedbefore: byInstant((charge, instant) => charge.at < instant),
    PaymentType: bySource(),
    SortBy: byText(['Date', '-Date', 'Amount', '-amount', 'Name'], () => true),
  },
  records: (state) => state.charges.toReversed(),
  sort: (found, { SortBy: by }) => {
    if (by === 'Date') return found.toReversed();
    if (by !== 'Amount' && by !== '-amount') return found;
    const sign = by === 'Amount' ? 1 : -1;
    return found.toSorted((a, b) => sign * (amountOf(a) - amountOf(b)));
  },
  // Client libraries take any text for an order.
  refuses: ({ SortBy: by }, { dialect }) => by === 'Name' && dialect === 'documented',
});

const nameOf = ({ first, last }: Customer): string => `${first ?? ''} ${last ?? ''}`;

export const customers = search<Customer>('search customers', {
  path: '/customer',
  list: ['Customers', 'CustomerId'],
  filters: {
    Name: byText(['jo', 'JO SM', 'o ann', 'x', 'wei'], (one, asked) => within(nameOf(one), asked)),
    EMAIL: byText(
      ['jo@example.com', 'JO@EXAMPLE.COM', 'Li@example.com', 'deleted', 'example'],
      ({ email }, asked) => same(email, asked),
    ),
    reference: byText(['c1', 'C1', 'c3'], ({ reference }, asked) => reference === asked),
    Search: byText(['example', 'C1', 'smith'], (one, asked) =>
      [nameOf(one), one.email, one.reference].some((text) => within(text, asked)),
    ),
    IncludeRemoved: byText(['true', 'False'], () => true, ['maybe']),
  },
  records: (state, { IncludeRemoved: removed }) =>
    state.customers.filter(({ removedAt }) => removedAt === null || removed === 'true').toReversed(),
});

/** What the text of a search is looked for in: the number as it shows, the name on it, and whose it is. */
function textsOf({ source, customer }: Method, state: State): (string | null)[] {
  const { type, number } = source;
  const owner = customer === null ? undefined : state.customers[customer];
  const person = owner === undefined ? [] : [`${owner.first} ${owner.last}`, owner.email, owner.reference];
  if (type === 'CARD') return [`${number.slice(0, 4)}****${number.slice(-4)}`, ...person];
  if (type === 'PAYTO') return [number, 'Pat Payer', ...person];
  return [number.slice(-3), 'Jo Smith', ...person];
}

export const methods = search<Method>('search payment methods', {
  path: '/payment_method',
  list: ['PaymentMethods', 'PaymentMethodId'],
  filters: {
    CustomerId: byRecord('customers', ({ customer }) => customer),
    ProviderId: byProvider(PROVIDER.steady, PROVIDER.flaky),
    PaymentType: bySource(),
    Search: byText(['EXAMPLE', '4242', 'jo smith', 'c1'], (method, asked, { state }) =>
      textsOf(method, state).some((text) => within(text, asked)),
    ),
  },
  records: (state) => state.methods.filter(({ removedAt }) => removedAt === null).toReversed(),
});

export const tokens = search<Pick<Token, 'status'> & { readonly id: string | null }>('search tokens', {
  path: '/token',
  list: ['Tokens', 'TokenId'],
  filters: { Status: byText(['ACTIVE', 'USED', 'EXPIRED'], ({ status }, asked) => status === asked) },
  records: (state) => [...state.tokens.toReversed(), ...LISTED_TOKENS],
});
