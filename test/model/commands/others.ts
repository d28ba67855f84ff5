import fc from 'fast-check';

import { account, batchOf } from '../../support/bodies.js';
import { type Body, del, get, given, post, put } from '../calls.js';
import { ACCOUNTS, DEMANDING_CARDS, TOKENS } from '../spec.js';
import { cardFields, details, makeCard, makeCharge } from './charges.js';
import {
  amountText,
  currency,
  define,
  find,
  free,
  header,
  provider,
  type Ref,
  ref,
  type View,
  weighted,
} from './kind.js';

/** Calls of which only the laws are known: those of money, of refusals, and of what a call must not touch. */

const anyToken = () =>
  fc.oneof({ weight: 3, arbitrary: ref() }, { weight: 1, arbitrary: fc.constantFrom(...TOKENS) });

const nameToken = (view: View, token: Ref | string): string =>
  typeof token === 'string' ? token : find(view, 'tokens', token, ({ DateUsed }) => DateUsed === null).id;

const isLive = (one: Body): boolean => (one['DateRemoved'] ?? null) === null;

/** Cards that demand 3-D Secure, and one of which only a header demands it. */
const CHALLENGED_CARDS = [...DEMANDING_CARDS, '4242424242424242'];

export const challenged = free(
  'charge a card whose payer can be asked',
  fc.record({
    ...details,
    ...cardFields,
    pan: fc.constantFrom(...CHALLENGED_CARDS),
    provider: provider(),
    header: weighted<string | null>([3, [null]], [2, ['require_3ds']]),
  }),
  (_, args) =>
    makeCharge('/charge/card', args, {
      ProviderId: args.provider,
      PaymentInformation: makeCard(args),
      ThreeDSNotificationUrl: 'https://shop.example/3ds',
    }),
);

export const chargeToken = free(
  'charge a token',
  fc.record({ ...details, token: anyToken() }),
  (view, args) => makeCharge('/charge/token', args, { Token: nameToken(view, args.token) }),
);

export const createToken = free(
  'make a token',
  fc.record({
    ...cardFields,
    pan: fc.oneof(cardFields.pan, fc.constantFrom(...DEMANDING_CARDS)),
    provider: provider(),
    isVaulted: fc.boolean(),
  }),
  (_, args) => ({
    ...post('/token/card', { PaymentInformation: makeCard(args), VaultCard: args.isVaulted }),
    headers: { providerid: args.provider },
  }),
);

const pathOf = (step: string, token: string): string => `/3ds/${step}/token/${encodeURIComponent(token)}`;

export const beginAuthentication = free(
  'begin an authentication',
  fc.record({ token: anyToken() }),
  (view, { token }) => post(pathOf('preauth', nameToken(view, token)), {}),
);

export const askIssuer = free('ask the issuer', fc.record({ token: anyToken() }), (view, { token }) =>
  post(pathOf('auth', nameToken(view, token)), {}),
);

export const answerChallenge = free(
  'answer a challenge',
  fc.record({
    transaction: ref(),
    ending: fc.constantFrom('approve', 'approve', 'fail', 'abandon', 'timeOut'),
  }),
  (view, { transaction, ending }) => {
    const { id } = find(view, 'transactions', transaction, ({ Status }) => Status === 'CHALLENGED');
    return post('/_sandbox/simulate', { Action: `challenge.${ending}`, Ref: id });
  },
);

export const makeLink = free(
  'make a payment link',
  fc.record({
    amount: fc.oneof(fc.constant(null), amountText()),
    currency: currency(),
    limit: fc.constantFrom(null, 1, 2, 0),
    types: fc.constantFrom([], ['card'], ['PAYTO']),
    invoice: fc.constantFrom(null, 'i1'),
  }),
  (_, args) =>
    post(
      '/payment_link',
      given({
        Title: 'Gift',
        Amount: args.amount,
        Currency: args.currency,
        LimitPayments: args.limit,
        AllowedPaymentTypes: args.types,
        InvoiceId: args.invoice,
      }),
    ),
);

export const payLink = free(
  'pay a link',
  fc.record({
    ...cardFields,
    link: ref(),
    amount: fc.oneof(fc.constant(null), amountText()),
    header: header(),
  }),
  (view, args) =>
    post(
      `/_sandbox/pay/${find(view, 'links', args.link).id}`,
      given({ Amount: args.amount, PaymentInformation: makeCard(args) }),
      args.header,
    ),
);

export const storeAccount = free(
  'store a bank account',
  fc.record({ provider: provider(), number: fc.constantFrom(...ACCOUNTS) }),
  (_, args) =>
    post('/payment_method/bank_account', {
      ProviderId: args.provider,
      BankPaymentInformation: account(args.number),
    }),
);

export const storeToken = free(
  'store a token',
  fc.record({ token: anyToken(), isVaulted: fc.boolean() }),
  (view, { token, isVaulted }) =>
    post('/payment_method/token', { Token: nameToken(view, token), VaultCard: isVaulted }),
);

export const fromVault = free(
  'make a method from the vault',
  fc.record({ provider: provider(), method: ref(), ccv: fc.constantFrom(null, '321', '12') }),
  (view, args) => {
    const { id } = find(view, 'methods', args.method, ({ VaultId }) => (VaultId ?? null) !== null);
    return post(
      '/payment_method/vault',
      given({ ProviderId: args.provider, PaymentMethodId: id, Ccv: args.ccv }),
    );
  },
);

export const createEntry = free(
  'put a card into the vault',
  fc.record({ ...cardFields, seconds: fc.constantFrom(null, 60, 900, 0) }),
  (_, { pan, seconds }) => post('/vault', given({ CardNumber: pan, Ccv: '123', ExpireSeconds: seconds })),
);

export const deleteEntry = free('delete a vault entry', fc.record({ entry: ref() }), (view, { entry }) =>
  del(`/vault/${find(view, 'entries', entry).id}`),
);

export const createBatch = free(
  'make a batch',
  fc.record({
    rows: fc.array(
      fc.record({
        method: ref(),
        // In a cell an amount with a comma would be two cells.
        amount: amountText().filter((text) => !text.includes(',')),
        currency: fc.constantFrom('AUD', 'AUD', 'JPY', 'aud'),
      }),
      { maxLength: 4 },
    ),
    isMiscounted: weighted([10, [false]], [1, [true]]),
  }),
  (view, { rows, isMiscounted }) => {
    const lines = rows.map(({ method, amount, currency: code }) =>
      [find(view, 'methods', method, isLive).id, amount, code, 'b1'].join(','),
    );
    const body = batchOf(lines, { Count: rows.length + (isMiscounted ? 1 : 0) });
    return post('/batch/transaction/payment_method', body);
  },
);

export const subscribe = free(
  'subscribe',
  fc.record({
    method: ref(),
    amount: amountText(),
    unit: fc.constantFrom('Day', 'Week', 'Month'),
    count: fc.constantFrom(null, 1, 2, 3),
    /** Days before or after now. */
    start: fc.constantFrom(null, -1, 0, 1, 30),
    retry: fc.constantFrom(null, { Maximum: 2, Interval: 'Hour', Frequency: 12 }),
  }),
  (view, { method, start, count, ...args }) =>
    post(
      '/subscription/payment_method',
      given({
        PaymentMethodId: find(view, 'methods', method, isLive).id,
        StartDate: start && new Date(view.own.now + start * 86_400_000).toISOString(),
        Amount: args.amount,
        Currency: 'AUD',
        Interval: args.unit,
        Frequency: 1,
        EndAfter: count && { Count: count },
        Retry: args.retry,
      }),
    ),
);

export const moveSubscription = free(
  'move a subscription',
  fc.record({ subscription: ref(), status: fc.constantFrom('Active', 'Suspended', 'Cancelled', 'Complete') }),
  (view, { subscription, status }) =>
    put(`/subscription/${find(view, 'subscriptions', subscription).id}/status`, { Status: status }),
);

/** What a tester lets happen to one record, and in which status it can. */
const SIMULATED = {
  'charge.settle': 'PENDING',
  'authorisation.expire': 'Authorised',
  'batch.fail': 'RECEIVED',
};

export const simulate = free(
  'have something happen now',
  fc.record({
    action: fc.constantFrom(...(Object.keys(SIMULATED) as (keyof typeof SIMULATED)[])),
    record: ref(),
  }),
  (view, { action, record }) => {
    const table = action === 'batch.fail' ? 'batches' : 'charges';
    const { id } = find(view, table, record, ({ Status }) => Status === SIMULATED[action]);
    return post('/_sandbox/simulate', { Action: action, Ref: id });
  },
);

export const searchCharges = free(
  'search charges',
  fc.record({
    by: fc.constantFrom('Date', '-Amount', 'Name'),
    limit: fc.constantFrom('1', '500', '0'),
    method: ref(),
  }),
  (view, { by, limit, method }) =>
    get(`/charge?SortBy=${by}&Limit=${limit}&PaymentMethodId=${find(view, 'methods', method).id}`),
);

export const queue = define(
  'queue outcomes',
  fc.record({
    operation: fc.constantFrom('charge.create', 'charge.capture', 'charge.refund', 'paymentMethod.create'),
    outcome: fc.constantFrom('approve', 'issuer_unavailable', 'insufficient_funds'),
  }),
  (_, { operation, outcome }) => ({
    call: post('/_sandbox/outcomes', { Operation: operation, Outcomes: [outcome] }),
    isScript: true,
  }),
);

export const scenario = define(
  'switch the scenario',
  fc.record({
    outcome: fc.constantFrom('do_not_honor', 'unable_to_refund'),
    failAt: fc.constantFrom(null, 0.5),
  }),
  (_, { outcome, failAt }) => {
    const rules = [{ name: 'the rule', when: { amount: { gte: 100 } }, then: { outcome }, times: 2 }];
    const Definition = { name: 'some', rules, ...(failAt === null ? {} : { batches: { failAt } }) };
    return { call: put('/_sandbox/scenario', { Definition }), isScript: true };
  },
);
