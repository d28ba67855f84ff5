import { major, written } from './arithmetic.js';
import type { Body } from './commands/kind.js';
import { compareFurther } from './further-records.js';
import type { ModelWorld } from './model-world.js';
import { requireSoundMoney } from './money.js';
import { type Ask, PAGE, requireSame } from './same.js';
import {
  type Batch,
  type Charge,
  type Customer,
  type Method,
  refundedOf,
  type State,
  type Subscription,
} from './state.js';

/** All records of a world as its answers show them, against those of its model. */

/** A whole list, oldest first. */
async function listAll(ask: Ask, path: string, name: string, more = ''): Promise<Body[]> {
  const all: Body[] = [];
  for (;;) {
    const { body } = await ask({
      method: 'GET',
      path: `${path}?SortBy=Date&Limit=${PAGE}&Skip=${all.length}${more}`,
    });
    const page = body[name] as Body[];
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function masked(number: string): string {
  return `${number.slice(0, 4)}${'*'.repeat(number.length - 8)}${number.slice(-4)}`;
}

const idIn = (records: readonly { readonly id: string | null }[], n: number | null): string | null =>
  n === null ? null : (records[n]?.id ?? null);

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
  };
}

function shownCharge(body: Body): Body {
  const payment = body['PaymentInformation'] as Body;
  const card = payment['Card'] as Body | null;
  return {
    ChargeId: body['ChargeId'],
    ProviderId: body['ProviderId'],
    Amount: body['Amount'],
    Currency: body['Currency'],
    Status: body['Status'],
    Reference: body['Reference'],
    AuthorisationAmount: body['AuthorisationAmount'],
    RefundedAmount: body['RefundedAmount'],
    Refunds: (body['Refunds'] as Body[]).map((refund) => refund['Amount']),
    CustomerId: body['CustomerId'],
    PaymentMethodId: payment['PaymentMethodId'],
    BatchId: body['BatchId'],
    SubscriptionId: body['SubscriptionId'],
    Number: card?.['CardNumber'] ?? null,
    CcvCheck: card?.['CcvCheck'] ?? null,
    DateAdded: body['DateAdded'],
    SuccessDate: body['SuccessDate'],
    VoidDate: body['VoidDate'],
    FailedAttempts: (body['FailedAttempts'] as Body[]).length,
  };
}

const customerOf = (state: State, customer: Customer): Body => ({
  CustomerId: customer.id,
  FirstName: customer.first,
  LastName: customer.last,
  Email: customer.email,
  Reference: customer.reference,
  DateRemoved: instant(customer.removedAt),
  Default: idIn(state.methods, customer.defaultMethod),
});

const shownCustomer = (body: Body): Body => ({
  CustomerId: body['CustomerId'],
  FirstName: body['FirstName'],
  LastName: body['LastName'],
  Email: body['Email'],
  Reference: body['Reference'],
  DateRemoved: body['DateRemoved'],
  Default: (body['DefaultPaymentMethod'] as Body | null)?.['PaymentMethodId'] ?? null,
});

const methodOf = (state: State, method: Method): Body => ({
  PaymentMethodId: method.id,
  CustomerId: idIn(state.customers, method.customer),
  ProviderId: method.provider,
  VaultId: idIn(state.entries, method.vault),
  Number: method.source.type === 'CARD' ? masked(method.source.number) : null,
  ExpiryDate: method.source.expiry,
  DateRemoved: instant(method.removedAt),
});

const shownMethod = (body: Body): Body => {
  const card = body['Card'] as Body | null;
  return {
    PaymentMethodId: body['PaymentMethodId'],
    CustomerId: body['CustomerId'],
    ProviderId: body['ProviderId'],
    VaultId: body['VaultId'],
    Number: card?.['CardNumber'] ?? null,
    ExpiryDate: card?.['ExpiryDate'] ?? null,
    DateRemoved: body['DateRemoved'],
  };
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

const shownBatch = (body: Body): Body => ({
  Status: body['Status'],
  Progress: body['Progress'],
  Success: body['Success'],
  Failure: body['Failure'],
  Lines: String(body['Results']).split('\n').slice(1).map(shownLine),
});

function requireAll<R>(
  what: string,
  shown: readonly Body[],
  records: readonly R[],
  expected: (record: R) => Body,
): void {
  for (const [n, body] of shown.entries()) {
    const record = records[n];
    requireSame(`${what} ${n}`, body, record && expected(record));
  }
  requireSame(`The number of records of the kind ${what}`, shown.length, records.length);
}

/** Compares everything; identifiers that time gave are learnt on the way. Answers all identifiers shown. */
export async function compareAll(ask: Ask, world: ModelWorld): Promise<string[]> {
  const { state } = world;
  const charges = await listAll(ask, '/charge', 'Charges');
  if (state.charges.some(({ id }) => id === null)) {
    world.accept([
      { kind: 'named', ids: charges.map((body) => String(body['ChargeId'])).slice(0, state.charges.length) },
    ]);
  }
  requireAll('charge', charges.map(shownCharge), state.charges, (charge) => chargeOf(state, charge));
  for (const charge of charges) requireSoundMoney(charge);
  const customers = await listAll(ask, '/customer', 'Customers', '&IncludeRemoved=true');
  requireAll('customer', customers.map(shownCustomer), state.customers, (customer) =>
    customerOf(state, customer),
  );
  const methods = await Promise.all(
    state.methods.map(async ({ id }) => (await ask({ method: 'GET', path: `/payment_method/${id}` })).body),
  );
  requireAll('payment method', methods.map(shownMethod), state.methods, (method) => methodOf(state, method));
  await compareEntries(ask, state);
  await compareLater(ask, state);
  await compareFurther(ask, state);
  const ids = [state.charges, state.customers, state.methods, state.entries, state.tokens, state.batches];
  const further = [state.subscriptions, state.transfers, state.links, state.receivers, state.providers];
  return [...ids, ...further].flatMap((records) => records.map(({ id }) => String(id)));
}

async function compareEntries(ask: Ask, { entries }: State): Promise<void> {
  for (const [n, { id, pan, ccv, gone }] of entries.entries()) {
    const { status, body } = await ask({ method: 'GET', path: `/vault/${id}` });
    const shown = status === 200 ? [body['CardNumber'], body['Ccv'], body['HasCvv']] : [body['Code']];
    requireSame(`vault entry ${n}`, [status, ...shown], gone ? [404, 62] : [200, pan, ccv, ccv !== null]);
  }
}

async function compareLater(ask: Ask, state: State): Promise<void> {
  for (const [n, batch] of state.batches.entries()) {
    const { body } = await ask({ method: 'GET', path: `/batch/${batch.id}` });
    requireSame(`batch ${n}`, shownBatch(body), batchOf(state, batch));
  }
  for (const [n, subscription] of state.subscriptions.entries()) {
    const { body } = await ask({ method: 'GET', path: `/subscription/${subscription.id}` });
    requireSame(`subscription ${n}`, shownSubscription(body), subscriptionOf(state, subscription));
  }
}

const shownSubscription = (body: Body): Body => ({
  Status: body['Status'],
  Amount: body['Amount'],
  PaymentMethodId: body['PaymentMethodId'],
});

const subscriptionOf = (state: State, { status, minor, currency, method }: Subscription): Body => ({
  Status: status,
  Amount: Number(written(minor, currency)),
  PaymentMethodId: idIn(state.methods, method),
});
