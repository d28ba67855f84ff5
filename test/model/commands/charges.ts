import fc from 'fast-check';

import { readAmount } from '../arithmetic.js';
import { decideCharge, type Demand, fromMethod, NO_LINKS } from '../charging.js';
import type { Event } from '../event.js';
import { ACCOUNTS, BAD_TOKENS, DEMANDING_CARDS, EXPONENTS, GOOD_TOKENS } from '../spec.js';
import {
  amountText,
  checkAmount,
  checkProvider,
  type Context,
  currency,
  define,
  given,
  header,
  post,
  provider,
  ref,
  refuse,
  verdictOf,
  weighted,
} from './kind.js';

import {
  accountSource,
  bankInformation,
  type CardArgs,
  cardMembers,
  cardSource,
  paymentInformation,
} from './storing.js';
import { anyToken, magicSource, openToken, tokenNamed } from './tokens.js';

/** The ways to make a charge. */

const details = {
  amount: amountText(),
  currency: currency(),
  capture: weighted([2, [true]], [1, [false]]),
  reference: fc.constantFrom('r1', 'r2', 'R1', null),
  header: header(),
};

type Details = {
  readonly [name in keyof typeof details]: (typeof details)[name] extends fc.Arbitrary<infer T> ? T : never;
};

const membersOf = ({ amount, currency: code, capture, reference }: Details): object =>
  given({ Amount: amount, Currency: code, Capture: capture, Reference: reference });

/** What kinds of charges differ in. */
interface Charging {
  /** What the body has besides what all charges have. */
  readonly members: object;
  /** The provider that the request names, where it names one of those that are built in. */
  readonly provider?: string;
  /** What is charged, once the script was asked; refuses what cannot be. */
  readonly demand: () => Omit<Demand, 'amount' | 'currency' | 'capture' | 'told'>;
}

/** A kind of command that charges something. */
const charging = <A extends object>(
  name: string,
  path: string,
  more: { readonly [name in keyof A]: fc.Arbitrary<A[name]> },
  plan: (context: Context, args: A & Details) => Charging,
) =>
  define(name, fc.record({ ...details, ...more }) as fc.Arbitrary<A & Details>, (context, args) => {
    const { members, provider: named, demand } = plan(context, args);
    const { amount, capture, reference } = args;
    const code = args.currency.toUpperCase();
    return {
      call: post(path, { ...membersOf(args), ...members }, args.header),
      decide: () => {
        checkAmount(amount);
        if (named !== undefined) checkProvider(named);
        if (EXPONENTS[code] === undefined) refuse(400, 29);
        const told = context.told('charge.create', amount, args.header);
        const rest = demand();
        const links = { ...rest.links, reference };
        return verdictOf(
          decideCharge(context.state, { ...rest, links, amount, currency: code, capture, told }),
        );
      },
    };
  });

/** Refuses decimals that the currency does not have. */
function checkDecimals({ amount, currency: code }: Details): void {
  const read = readAmount(amount, EXPONENTS[code.toUpperCase()] ?? 2);
  if ('code' in read) refuse(400, read.code);
}

const ofCard = (args: CardArgs, providerId: string): Charging => ({
  members: { ProviderId: providerId, PaymentInformation: paymentInformation(args) },
  demand: () => ({
    provider: providerId,
    source: cardSource(args),
    hasCcv: args.hasCcv,
    uses: [],
    links: NO_LINKS,
  }),
});

export const card = charging(
  'charge a card',
  '/charge/card',
  { provider: provider(), ...cardMembers },
  (_, args) => ({ ...ofCard(args, args.provider), provider: args.provider }),
);

/** Cards that demand 3-D Secure, one that never gets it, and one of which only a header demands it. */
const CHALLENGED_CARDS = [...DEMANDING_CARDS, '4000000000002313', '4242424242424242'];

export const challenged = charging(
  'charge a card whose payer can be asked',
  '/charge/card',
  {
    ...cardMembers,
    provider: provider(),
    pan: fc.constantFrom(...CHALLENGED_CARDS),
    header: weighted<string | null>([3, [null]], [2, ['require_3ds']]),
  },
  (_, args) => {
    const { members, demand } = ofCard(args, args.provider);
    return {
      members: { ...members, ThreeDSNotificationUrl: 'https://shop.example/3ds' },
      provider: args.provider,
      demand: () => ({ ...demand(), challenges: true }),
    };
  },
);

export const configured = charging(
  'charge a card through a configured provider',
  '/charge/card',
  { ...cardMembers, configured: ref() },
  (context, args) => ofCard(args, context.find('providers', args.configured).id),
);

export const account = charging(
  'charge a bank account',
  '/charge/bank_account',
  { provider: provider(), number: fc.constantFrom(...ACCOUNTS) },
  (_, args) => ({
    members: { ProviderId: args.provider, BankPaymentInformation: bankInformation(args.number) },
    provider: args.provider,
    demand: () => ({
      provider: args.provider,
      source: accountSource(args.number),
      hasCcv: false,
      uses: [],
      links: NO_LINKS,
    }),
  }),
);

export const token = charging('charge a token', '/charge/token', { token: anyToken() }, (context, args) => {
  const named = tokenNamed(context, args.token);
  return {
    members: { Token: named.id },
    demand: () => {
      checkDecimals(args);
      const { entry, ccv, spent, ...opened } = openToken(context, named);
      const dropped: Event[] = entry === null ? [] : [{ kind: 'ccvSet', entry, ccv: null }];
      const uses = [...spent, ...dropped];
      return { ...opened, token: named.id, hasCcv: ccv !== null, uses, links: NO_LINKS };
    },
  };
});

export const networkToken = charging(
  'charge a network token',
  '/charge/network_token',
  { provider: provider(), token: fc.constantFrom(...GOOD_TOKENS, ...BAD_TOKENS) },
  (_, args) => ({
    members: { ProviderId: args.provider, NetworkTokenId: args.token },
    provider: args.provider,
    demand: () => {
      checkDecimals(args);
      if (!GOOD_TOKENS.includes(args.token)) return refuse(404, 87);
      const source = magicSource(args.token);
      return { provider: args.provider, source, hasCcv: false, uses: [], links: NO_LINKS };
    },
  }),
);

/** What charging a stored method means, through its own provider or another. */
function ofMethod({ state }: Context, n: number, asked: string | null): ReturnType<Charging['demand']> {
  const { source, hasCcv, uses, entry, method: stored } = fromMethod(state, n);
  if (asked !== null && asked !== stored.provider && entry === null) refuse(400, 57);
  const links = { ...NO_LINKS, customer: stored.customer, method: n };
  return { provider: asked ?? stored.provider, source, hasCcv, uses, links };
}

export const customer = charging(
  'charge a customer',
  '/charge/customer',
  { customer: ref(), provider: provider() },
  (context, args) => {
    const { id, n } = context.find('customers', args.customer);
    return {
      members: { CustomerId: id, ProviderId: args.provider },
      provider: args.provider,
      demand: () => {
        checkDecimals(args);
        const { defaultMethod } = context.live('customers', n);
        return defaultMethod === null ? refuse(400, 64) : ofMethod(context, defaultMethod, args.provider);
      },
    };
  },
);

export const method = charging(
  'charge a payment method',
  '/charge/payment_method',
  { method: ref() },
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    return {
      members: { PaymentMethodId: id },
      demand: () => {
        checkDecimals(args);
        context.live('methods', n);
        return ofMethod(context, n ?? 0, null);
      },
    };
  },
);
