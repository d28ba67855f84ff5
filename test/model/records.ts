import { major, written } from './arithmetic.js';
import type { Body } from './commands/kind.js';
import type { ModelWorld } from './model-world.js';
import { brokenLaw } from './money.js';
import { type Ask, requireSame } from './same.js';
import { DAY, EXPONENTS, START } from './spec.js';
import {
  at,
  type Batch,
  type Charge,
  type Customer,
  type Link,
  type Method,
  refundedOf,
  type State,
  type Subscription,
  type Transaction,
  type Transfer,
} from './state.js';

/** All records of a world as its answers show them, against those of its model. */

/** The most that a list shows at once. */
const PAGE = 500;

/** A whole list, in the order of its pages. */
async function listAll(ask: Ask, path: string, name: string, more = ''): Promise<Body[]> {
  const all: Body[] = [];
  for (;;) {
    const { body } = await ask({ method: 'GET', path: `${path}?Limit=${PAGE}&Skip=${all.length}${more}` });
    const page = body[name] as Body[];
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** The most settlements that an answer lists. */
const SETTLEMENTS = 1000;

/** All settlements of some days: a list that is cut short is asked for by halves. */
async function settlementsBetween(ask: Ask, first: number, last: number): Promise<Body[]> {
  const [start, end] = [first, last].map((day) => new Date(day).toISOString().slice(0, 10));
  const { body } = await ask({ method: 'GET', path: `/settlements?StartDate=${start}&EndDate=${end}` });
  const found = body as unknown as Body[];
  if (found.length < SETTLEMENTS) return found;
  const middle = first + Math.floor((last - first) / DAY / 2) * DAY;
  return [
    ...(await settlementsBetween(ask, first, middle)),
    ...(await settlementsBetween(ask, middle + DAY, last)),
  ];
}

/** How an answer shows what the model knows by another name, or deeper in it. */
type Readers = Readonly<Record<string, (body: Body) => unknown>>;

/** Requires of each answer what the model says of its record, under the names that the model gives. */
function requireAll<R>(
  what: string,
  bodies: readonly Body[],
  state: State,
  records: readonly R[],
  expected: (state: State, record: R) => Body,
  readers: Readers = {},
): void {
  requireSame(`The number of records of the kind ${what}`, bodies.length, records.length);
  for (const [n, record] of records.entries()) {
    const wanted = expected(state, record);
    const body = bodies[n] ?? {};
    const shown = Object.keys(wanted).map((name) => [name, (readers[name] ?? ((one) => one[name]))(body)]);
    requireSame(`${what} ${n}`, Object.fromEntries(shown), wanted);
  }
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function masked(number: string): string {
  return `${number.slice(0, 4)}${'*'.repeat(number.length - 8)}${number.slice(-4)}`;
}

const idIn = (records: readonly { readonly id: string | null }[], n: number | null): string | null =>
  n === null ? null : (records[n]?.id ?? null);

/** What a provider with costs takes: 0.25 and a tenth. */
function costOf({ providers }: State, { provider, status, minor, currency }: Charge): number | null {
  const hasCosts = providers.some((one) => one.id === provider && one.hasCosts);
  if (!hasCosts || status === 'FAILED') return null;
  return (2500 + (minor * 1000) / 10 ** (EXPONENTS[currency] ?? 2)) / 10_000;
}

function chargeOf(state: State, charge: Charge): Body {
  const { currency, source, status } = charge;
  const refunded = refundedOf(charge);
  return {
    ChargeId: charge.id,
    ProviderId: charge.provider,
    Amount: major(charge.minor, currency),
    Currency: currency,
    Status: status,
    Reference: charge.reference,
    AuthorisationAmount: charge.authorised === null ? null : major(charge.authorised, currency),
    RefundedAmount: refunded === 0 ? null : major(refunded, currency),
    Refunds: charge.refunds.map((minor) => major(minor, currency)),
    EstimatedCost: costOf(state, charge),
    CustomerId: idIn(state.customers, charge.customer),
    PaymentMethodId: idIn(state.methods, charge.method),
    BatchId: idIn(state.batches, charge.batch),
    SubscriptionId: idIn(state.subscriptions, charge.subscription),
    Number: source.type === 'CARD' ? masked(source.number) : null,
    CcvCheck: charge.ccvCheck,
    DateAdded: instant(charge.at),
    SuccessDate: instant(charge.successAt),
    VoidDate: instant(charge.voidAt),
    FailedAttempts: charge.attempts,
    ...authenticationOf(state, charge),
  };
}

/** The transaction of 3-D Secure that a charge has used. */
function authenticationOf({ charges, transactions }: State, charge: Charge): Body {
  const found = transactions.find((one) => one.charge !== null && charges[one.charge] === charge);
  return { ThreeDSServerTransID: found?.id ?? null, ThreeDsVerified: found?.status === 'PASSED' };
}

const cardIn = (body: Body): Body | null => body['Card'] as Body | null;
const paymentIn = (body: Body): Body => body['PaymentInformation'] as Body;

const CHARGE_READERS: Readers = {
  Refunds: (body) => (body['Refunds'] as Body[]).map((refund) => refund['Amount']),
  PaymentMethodId: (body) => paymentIn(body)['PaymentMethodId'],
  Number: (body) => cardIn(paymentIn(body))?.['CardNumber'] ?? null,
  CcvCheck: (body) => cardIn(paymentIn(body))?.['CcvCheck'] ?? null,
  FailedAttempts: (body) => (body['FailedAttempts'] as Body[]).length,
};

const customerOf = (state: State, customer: Customer): Body => ({
  CustomerId: customer.id,
  FirstName: customer.first,
  LastName: customer.last,
  Email: customer.email,
  Reference: customer.reference,
  DateRemoved: instant(customer.removedAt),
  Default: idIn(state.methods, customer.defaultMethod),
});

const CUSTOMER_READERS: Readers = {
  Default: (body) => (body['DefaultPaymentMethod'] as Body | null)?.['PaymentMethodId'] ?? null,
};

const methodOf = (state: State, method: Method): Body => ({
  PaymentMethodId: method.id,
  CustomerId: idIn(state.customers, method.customer),
  ProviderId: method.provider,
  VaultId: idIn(state.entries, method.vault),
  Number: method.source.type === 'CARD' ? masked(method.source.number) : null,
  ExpiryDate: method.source.expiry,
  DateRemoved: instant(method.removedAt),
});

const METHOD_READERS: Readers = {
  Number: (body) => cardIn(body)?.['CardNumber'] ?? null,
  ExpiryDate: (body) => cardIn(body)?.['ExpiryDate'] ?? null,
};

/** The lines that the Results of a batch must have below their header, as far as the model knows their cells. */
function linesOf(state: State, batch: Batch): string[] {
  return batch.rows.map(({ text }, n) => {
    const done = batch.done[n];
    if (done === undefined) return `${text},${batch.status},,${batch.status === 'FAILED' ? 'true' : ''}`;
    if ('charge' in done) return `${text},SUCCESS,${idIn(state.charges, done.charge)},`;
    return `${text},FAILED,,${done.retryable}`;
  });
}

const batchOf = (state: State, batch: Batch): Body => ({
  Status: batch.status,
  Progress: batch.done.length / batch.rows.length,
  Success: batch.done.filter((row) => 'charge' in row).length,
  Failure: batch.done.filter((row) => !('charge' in row)).length,
  Lines: linesOf(state, batch),
});

/** The four cells of the row, its status, its TransactionId, and the last cell: reasons have no commas. */
function shownLine(line: string): string {
  const cells = line.split(',');
  return [...cells.slice(0, 6), cells.at(-1)].join(',');
}

const BATCH_READERS: Readers = {
  Lines: (body) => String(body['Results']).split('\n').slice(1).map(shownLine),
};

const subscriptionOf = (state: State, { status, minor, currency, method }: Subscription): Body => ({
  Status: status,
  Amount: Number(written(minor, currency)),
  PaymentMethodId: idIn(state.methods, method),
});

function transferOf(state: State, { charge, group, reference, minor, total, status }: Transfer): Body {
  const { id, currency } = at(state.charges, charge);
  return {
    Status: status,
    GroupReference: group,
    Reference: reference,
    Amount: major(minor, currency),
    TotalAmount: major(total, currency),
    ChargeId: id,
  };
}

const transactionOf = (state: State, found: Transaction): Body => ({
  Status: found.status,
  Ending: found.ending,
  TokenId: found.token,
  ChargeId: idIn(state.charges, found.charge),
  CardNumber: masked(found.source.number),
});

const linkOf = (_: State, { paid, minor, currency }: Link): Body => ({
  CountPayments: paid,
  Amount: minor === null ? null : major(minor, currency),
  Currency: currency,
});

/** Compares everything; identifiers that time gave are learnt on the way. Answers all identifiers shown. */
export async function compareAll(ask: Ask, world: ModelWorld): Promise<string[]> {
  const { state } = world;
  const { charges, customers, methods, batches, subscriptions, transfers, links } = state;
  const read = async (path: string) => (await ask({ method: 'GET', path })).body;
  const readEach = (path: string, records: readonly { readonly id: string }[]): Promise<Body[]> =>
    Promise.all(records.map(({ id }) => read(`${path}/${id}`)));

  const bodies = await listAll(ask, '/charge', 'Charges', '&SortBy=Date');
  if (charges.some(({ id }) => id === null)) {
    world.accept([
      { kind: 'named', ids: bodies.map((body) => String(body['ChargeId'])).slice(0, charges.length) },
    ]);
  }
  const authenticated = (await listAll(ask, '/_sandbox/records/authentications', 'Records')).toReversed();
  if (state.transactions.some(({ id }) => id === null)) {
    const ids = authenticated.map((body) => String(body['ThreeDSServerTransID']));
    world.accept([{ kind: 'transactionsNamed', ids: ids.slice(0, state.transactions.length) }]);
  }
  requireAll('transaction', authenticated, state, state.transactions, transactionOf);
  requireAll('charge', bodies, state, charges, chargeOf, CHARGE_READERS);
  const people = await listAll(ask, '/customer', 'Customers', '&SortBy=Date&IncludeRemoved=true');
  requireAll('customer', people, state, customers, customerOf, CUSTOMER_READERS);
  const stored = await readEach('/payment_method', methods);
  requireAll('payment method', stored, state, methods, methodOf, METHOD_READERS);
  const imports = await readEach('/batch', batches);
  requireAll('batch', imports, state, batches, batchOf, BATCH_READERS);
  const plans = await readEach('/subscription', subscriptions);
  requireAll('subscription', plans, state, subscriptions, subscriptionOf);
  const moved = await readEach('/transfer', transfers);
  requireAll('transfer', moved, state, transfers, transferOf);
  const pages = await readEach('/payment_link', links);
  requireAll('payment link', pages, state, links, linkOf);
  const law = brokenLaw({
    now: state.now,
    charges: bodies,
    transfers: moved,
    settlements: await settlementsBetween(ask, START, state.now),
    batches: imports,
    subscriptions: plans,
    links: pages,
    transactions: authenticated,
  });
  requireSame('The law of money', law, null);
  await compareTokens(ask, state);
  await compareEntries(ask, state);
  await compareProviders(ask, state);
  if (state.receivers.length > 0) await compareTold(ask, state);
  const others = [state.transactions, state.entries, state.tokens, state.receivers, state.providers];
  return [charges, customers, methods, batches, subscriptions, transfers, links, ...others].flatMap(
    (records) => records.map(({ id }) => String(id)),
  );
}

/** Which tokens are spent. */
async function compareTokens(ask: Ask, { tokens }: State): Promise<void> {
  if (tokens.length === 0) return;
  const { body } = await ask({ method: 'GET', path: `/token?Limit=${tokens.length}` });
  const shown = (body['Tokens'] as Body[]).map(({ TokenId, DateUsed }) => [TokenId, DateUsed !== null]);
  const expected = tokens.map(({ id, status }) => [id, status === 'USED']);
  requireSame('The tokens that are spent', shown, expected.toReversed());
}

async function compareEntries(ask: Ask, { entries }: State): Promise<void> {
  for (const [n, { id, pan, ccv, isGone }] of entries.entries()) {
    const { status, body } = await ask({ method: 'GET', path: `/vault/${id}` });
    const shown = status === 200 ? [body['CardNumber'], body['Ccv'], body['HasCvv']] : [body['Code']];
    requireSame(`vault entry ${n}`, [status, ...shown], isGone ? [404, 62] : [200, pan, ccv, ccv !== null]);
  }
}

async function compareProviders(ask: Ask, { providers }: State): Promise<void> {
  for (const { id, name, isGone } of providers) {
    const { status, body } = await ask({ method: 'GET', path: `/provider/${id}` });
    requireSame(`provider ${id}`, [status, body['Name'] ?? null], isGone ? [404, null] : [200, name]);
  }
}

async function compareTold(ask: Ask, state: State): Promise<void> {
  const shown = await listAll(ask, '/_sandbox/webhooks', 'Deliveries');
  const expected = state.told.map(({ type, table, n, url }) => [type, state[table][n]?.id, url]);
  requireSame(
    'What receivers were told',
    shown.map(({ EventType, Ref, Url }) => [EventType, Ref, Url]),
    expected.toReversed(),
  );
}
