import fc from 'fast-check';

import { readAmount } from '../arithmetic.js';
import { decideCharge, type Demand, fromMethod, NO_LINKS } from '../charging.js';
import type { Event } from '../event.js';
import { ACCOUNTS, EXPONENTS } from '../spec.js';
import { at } from '../state.js';
import {
  amountText,
  checkAmount,
  checkProvider,
  type Context,
  currency,
  define,
  header,
  liveMethod,
  post,
  provider,
  ref,
  refuse,
  type Verdict,
  verdictOf,
  weighted,
} from './kind.js';

import { accountSource, bankInformation, cardMembers, cardSource, paymentInformation } from './storing.js';
import { anyToken, openToken, tokenNamed } from './tokens.js';

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

const membersOf = ({ amount, currency: Currency, capture, reference }: Details): object => ({
  Amount: amount,
  Currency,
  Capture: capture,
  ...(reference === null ? {} : { Reference: reference }),
});

function checkCurrency(code: string): void {
  if (EXPONENTS[code] === undefined) refuse(400, 29);
}

/** Refuses decimals that the currency does not have. */
function checkDecimals(amount: string, code: string): void {
  const read = readAmount(amount, EXPONENTS[code] ?? 2);
  if ('code' in read) refuse(400, read.code);
}

function decide(
  context: Context,
  args: Details,
  rest: Omit<Demand, 'amount' | 'currency' | 'capture' | 'told'>,
  told: string | null,
): Verdict {
  const { amount, currency: code, capture, reference } = args;
  const links = { ...rest.links, reference };
  return verdictOf(decideCharge(context.state, { ...rest, links, amount, currency: code, capture, told }));
}

const ask = (context: Context, { amount, header: wish }: Details): string | null =>
  context.told('charge.create', amount, wish);

export const card = define(
  'charge a card',
  fc.record({ ...details, provider: provider(), ...cardMembers }),
  (context, args) => {
    const PaymentInformation = paymentInformation(args);
    const body = { ...membersOf(args), ProviderId: args.provider, PaymentInformation };
    return {
      call: post('/charge/card', body, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkProvider(args.provider);
        checkCurrency(args.currency);
        const source = cardSource(args);
        const rest = { provider: args.provider, source, hasCcv: args.hasCcv, uses: [], links: NO_LINKS };
        return decide(context, args, rest, ask(context, args));
      },
    };
  },
);

export const configured = define(
  'charge a card through a configured provider',
  fc.record({ ...details, ...cardMembers, configured: ref() }),
  (context, args) => {
    const { id } = context.find('providers', args.configured);
    const PaymentInformation = paymentInformation(args);
    const body = { ...membersOf(args), ProviderId: id, PaymentInformation };
    return {
      call: post('/charge/card', body, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkCurrency(args.currency);
        const source = cardSource(args);
        const rest = { provider: id, source, hasCcv: args.hasCcv, uses: [], links: NO_LINKS };
        return decide(context, args, rest, ask(context, args));
      },
    };
  },
);

export const account = define(
  'charge a bank account',
  fc.record({ ...details, provider: provider(), number: fc.constantFrom(...ACCOUNTS) }),
  (context, args) => {
    const BankPaymentInformation = bankInformation(args.number);
    const body = { ...membersOf(args), ProviderId: args.provider, BankPaymentInformation };
    return {
      call: post('/charge/bank_account', body, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkProvider(args.provider);
        checkCurrency(args.currency);
        const source = accountSource(args.number);
        const rest = { provider: args.provider, source, hasCcv: false, uses: [], links: NO_LINKS };
        return decide(context, args, rest, ask(context, args));
      },
    };
  },
);

export const token = define(
  'charge a token',
  fc.record({ ...details, token: anyToken() }),
  (context, args) => {
    const named = tokenNamed(context, args.token);
    return {
      call: post('/charge/token', { ...membersOf(args), Token: named.id }, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkCurrency(args.currency);
        const told = ask(context, args);
        checkDecimals(args.amount, args.currency);
        const { entry, ccv, spent, ...opened } = openToken(context, named);
        const dropped: Event[] = entry === null ? [] : [{ kind: 'ccvSet', entry, ccv: null }];
        return decide(
          context,
          args,
          { ...opened, hasCcv: ccv !== null, uses: [...spent, ...dropped], links: NO_LINKS },
          told,
        );
      },
    };
  },
);

/** Charges a stored method, through its own provider or another. */
function decideMethod(
  context: Context,
  args: Details,
  n: number,
  asked: string | null,
  told: string | null,
): Verdict {
  const { source, hasCcv, uses, entry, method } = fromMethod(context.state, n);
  if (asked !== null && asked !== method.provider && entry === null) refuse(400, 57);
  const links = { ...NO_LINKS, customer: method.customer, method: n };
  return decide(context, args, { provider: asked ?? method.provider, source, hasCcv, uses, links }, told);
}

export const customer = define(
  'charge a customer',
  fc.record({ ...details, customer: ref(), provider: provider() }),
  (context, args) => {
    const { id, n } = context.find('customers', args.customer);
    const body = { ...membersOf(args), CustomerId: id, ProviderId: args.provider };
    return {
      call: post('/charge/customer', body, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkProvider(args.provider);
        checkCurrency(args.currency);
        const told = ask(context, args);
        checkDecimals(args.amount, args.currency);
        if (n === null) return refuse(404, 52);
        const found = at(context.state.customers, n);
        if (found.removedAt !== null) return refuse(409, 72);
        if (found.defaultMethod === null) return refuse(400, 64);
        return decideMethod(context, args, found.defaultMethod, args.provider, told);
      },
    };
  },
);

export const method = define(
  'charge a payment method',
  fc.record({ ...details, method: ref() }),
  (context, args) => {
    const { id, n } = context.find('methods', args.method);
    return {
      call: post('/charge/payment_method', { ...membersOf(args), PaymentMethodId: id }, args.header),
      decide: () => {
        checkAmount(args.amount);
        checkCurrency(args.currency);
        const told = ask(context, args);
        checkDecimals(args.amount, args.currency);
        liveMethod(context, n);
        return decideMethod(context, args, n ?? 0, null, told);
      },
    };
  },
);
