import fc from 'fast-check';

import type { Event } from '../event.js';
import { askProvider } from '../provider.js';
import { AMEX, CARDS, GOOD_CARDS } from '../spec.js';
import { type Source } from '../state.js';
import {
  type Body,
  type Context,
  expiry,
  given,
  ref,
  refuse,
  textIn,
  type Verdict,
  weighted,
} from './kind.js';

/** What calls that store a card or an account share. */

/** Whether a card also goes to the vault, and for how long. */
export const vault = (): fc.Arbitrary<VaultWish> =>
  fc.record({
    wanted: fc.boolean(),
    seconds: weighted([8, [null, 60, 900, 3600, 86_400]], [1, [0]]),
    both: weighted([12, [false]], [1, [true]]),
  });

export interface VaultWish {
  readonly wanted: boolean;
  readonly seconds: number | null;
  /** Whether it names a date, too: one is taken, both are not. */
  readonly both: boolean;
}

/** Far beyond what any test waits for. */
export const FAR = '2099-01-01T00:00:00Z';

export const vaultMembers = ({ wanted, seconds, both }: VaultWish): object =>
  given({ VaultCard: wanted, VaultExpireSeconds: seconds, VaultExpireDate: both ? FAR : null });

export function checkSeconds({ seconds }: VaultWish): void {
  if (seconds === 0) refuse(400, 86);
}

export function checkBoth({ seconds, both }: VaultWish): void {
  if (both && seconds !== null) refuse(400, 85);
}

export const cardMembers = {
  pan: weighted([1, GOOD_CARDS], [1, CARDS]),
  expiry: expiry(),
  hasCcv: fc.boolean(),
};

export interface CardArgs {
  readonly pan: string;
  readonly expiry: string;
  readonly hasCcv: boolean;
}

export const ccvOf = ({ pan, hasCcv }: CardArgs): string | null =>
  hasCcv ? (pan === AMEX ? '1234' : '123') : null;

export const paymentInformation = (args: CardArgs): object =>
  given({ CardNumber: args.pan, ExpiryDate: args.expiry, Ccv: ccvOf(args) });

export const cardSource = ({ pan, expiry: month }: CardArgs): Source => ({
  type: 'CARD',
  number: pan,
  expiry: month,
  trigger: pan,
});

export const bankInformation = (AccountNumber: string): object => ({
  BankCode: '062-000',
  AccountNumber,
  AccountName: 'Jo Smith',
});

export const accountSource = (number: string): Source => ({
  type: 'BANK_ACCOUNT',
  number,
  expiry: null,
  trigger: number,
});

/** The expiry of an entry that the date alone gives: far beyond what any test waits for. */
export const KEPT: number | null = null;

const NOBODY = { customer: null, isDefault: false };

/** What is stored for whom; `customer`: the number that a customer made with it gets. */
export interface Storing {
  readonly provider: string;
  readonly source: Source;
  readonly told: string | null;
  /** A card for the vault. */
  readonly vaulted?: {
    readonly pan: string;
    readonly ccv: string | null;
    readonly seconds: number | null;
  } | null;
  /** An entry that is there already. */
  readonly entry?: number | null;
  /** Nobody unless it is said. */
  readonly owner?: { readonly customer: number | null; readonly isDefault: boolean };
  /** What is used up in any case. */
  readonly spent?: readonly Event[];
  readonly before?: (body: Body) => readonly Event[];
  /** What a provider calls it that knows it for one use; null: it may be stored again. */
  readonly once?: string | null;
  /** The method in the answer, unless it is the answer. */
  readonly methodOf?: (body: Body) => Body;
}

/** Puts a source to its provider; where that declines, nothing is stored, and what was spent stays so. */
export function store({ state }: Context, storing: Storing): Verdict {
  const {
    provider: providerId,
    source,
    told,
    vaulted = null,
    entry: known = null,
    owner = NOBODY,
    spent = [],
  } = storing;
  const { trigger } = source;
  const { decline, used } = askProvider(state, {
    asked: 'store',
    provider: providerId,
    trigger,
    minor: null,
    currency: null,
    told,
  });
  return {
    decline,
    events: (body) => {
      if (decline !== null) return [...used, ...spent];
      const shown = storing.methodOf?.(body) ?? body;
      const made: Event[] = [];
      if (vaulted !== null) {
        const { seconds, ...card } = vaulted;
        made.push({ kind: 'entryMade', entry: { id: textIn(shown, 'VaultId'), ...card }, seconds });
      }
      const entry = vaulted === null ? known : state.entries.length;
      const method = {
        id: textIn(shown, 'PaymentMethodId'),
        provider: providerId,
        customer: owner.customer,
        vault: entry,
        source,
        once: storing.once ?? null,
      };
      return [
        ...used,
        ...spent,
        ...made,
        ...(storing.before?.(body) ?? []),
        { kind: 'methodMade', method, isDefault: owner.isDefault },
      ];
    },
  };
}

const PEOPLE = [
  { FirstName: 'Jo', LastName: 'Smith', Email: 'Jo@Example.com', Reference: 'c1' },
  { FirstName: 'Jo Ann', LastName: 'Jones', Email: 'ann@example.com', Reference: 'c2' },
  { FirstName: 'Li', LastName: 'Wei', Email: 'li@example.com', Reference: 'C1' },
] as const;

const person = () => fc.constantFrom(...PEOPLE);

/** The customer that an answer makes, and its default method, which comes next. */
const customerMade =
  (context: Context, who: (typeof PEOPLE)[number]) =>
  (body: Body): Event[] => [
    {
      kind: 'customerMade',
      customer: {
        id: textIn(body, 'CustomerId'),
        first: who.FirstName,
        last: who.LastName,
        email: who.Email,
        reference: who.Reference,
        defaultMethod: context.state.methods.length,
      },
    },
  ];

/** To whom a method goes: to nobody, to a new customer, or to one that is there. */
export const target = () =>
  fc.oneof(
    fc.record({ kind: fc.constant('nobody' as const) }),
    fc.record({ kind: fc.constant('new' as const), who: person() }),
    fc.record({ kind: fc.constant('old' as const), customer: ref(), setDefault: fc.boolean() }),
  );

type Target = typeof target extends () => fc.Arbitrary<infer T> ? T : never;

type Owner = NonNullable<Storing['owner']>;

interface Goal {
  readonly path: string;
  readonly members: object;
  readonly operation: string;
  /** Whose the method becomes; refuses a customer that is none. */
  readonly owner: () => Owner;
  /** Where the method stands in the answer, and what comes before it. */
  readonly shape: Pick<Storing, 'before' | 'methodOf'>;
}

export function goalOf(context: Context, asked: Target, what: 'card' | 'token'): Goal {
  if (asked.kind === 'nobody') {
    const path = `/payment_method/${what}`;
    return { path, members: {}, operation: 'paymentMethod.create', owner: () => NOBODY, shape: {} };
  }
  if (asked.kind === 'new') {
    return {
      path: `/customer/${what}`,
      members: asked.who,
      operation: 'customer.create',
      owner: () => ({ customer: context.state.customers.length, isDefault: true }),
      shape: {
        before: customerMade(context, asked.who),
        methodOf: (body) => body['DefaultPaymentMethod'] as Body,
      },
    };
  }
  const { id, n } = context.find('customers', asked.customer);
  return {
    path: `/customer/${id}/payment_method/${what}`,
    members: { SetDefault: asked.setDefault },
    operation: 'paymentMethod.create',
    owner: () => ownerOf(context, n, asked.setDefault),
    shape: {},
  };
}

/** The live customer of a number; its first live method becomes the default. */
function ownerOf(context: Context, n: number | null, setDefault: boolean): Owner {
  context.live('customers', n);
  const isFirst = !context.state.methods.some(
    ({ customer, removedAt }) => customer === n && removedAt === null,
  );
  return { customer: n, isDefault: setDefault || isFirst };
}
