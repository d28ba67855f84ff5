import type { Event } from './event.js';
import { at, newestOf, refundedOf, type State, type Transaction } from './state.js';
import {
  AUTHORISATION_TTL,
  BATCH_WAIT,
  CHALLENGE_TTL,
  DAY,
  SECOND,
  SETTLEMENT_DAYS,
  TOKEN_TTL,
} from './spec.js';
import { workingDaysAfter } from './arithmetic.js';
import { askItself } from './provider.js';
import { cancel, schedule } from './queue.js';
import { arrange, resumedAt } from './subscriptions.js';
import { tell, tellCharge, tellSubscription } from './telling.js';
import { askBank, failBatch, runDue } from './time.js';

type Handlers = { readonly [K in Event['kind']]: (state: State, event: Extract<Event, { kind: K }>) => void };

const HANDLERS: Handlers = {
  charged: (state, { charge, approved, waits = false }) => {
    const { now } = state;
    const isBank = charge.source.type === 'BANK_ACCOUNT';
    const held = charge.authorised !== null;
    const status = !approved
      ? 'FAILED'
      : waits
        ? 'PENDING'
        : held
          ? 'Authorised'
          : isBank
            ? 'PENDING'
            : 'SUCCESS';
    const ref = state.charges.push({
      ...charge,
      authorised: approved ? charge.authorised : null,
      status,
      at: now,
      refunds: [],
      refundedAt: [],
      attempts: approved ? 0 : 1,
      successAt: status === 'SUCCESS' ? now : null,
      voidAt: null,
    });
    if (status === 'Authorised') schedule(state, now + AUTHORISATION_TTL, 'authorisation', ref - 1);
    if (status === 'PENDING' && !waits)
      schedule(state, workingDaysAfter(now, SETTLEMENT_DAYS), 'settle', ref - 1);
    tellCharge(state, ref - 1);
  },
  captured: (state, { charge, minor }) => {
    cancel(state, 'authorisation', charge);
    Object.assign(at(state.charges, charge), { status: 'SUCCESS', minor, successAt: state.now });
    tellCharge(state, charge);
  },
  voided: (state, { charge }) => {
    cancel(state, 'authorisation', charge);
    Object.assign(at(state.charges, charge), { status: 'AUTHORISE_CANCELLED', voidAt: state.now });
    tellCharge(state, charge);
  },
  refunded: (state, { charge, minor }) => {
    const found = at(state.charges, charge);
    found.refunds.push(minor);
    found.refundedAt.push(state.now);
    found.status = refundedOf(found) === found.minor ? 'REFUND' : 'PARTIAL_REFUND';
    tellCharge(state, charge);
  },
  declined: (state, { charge }) => {
    at(state.charges, charge).attempts++;
  },
  settled: (state, { charge, approved }) => {
    const found = at(state.charges, charge);
    if (approved) {
      found.status = found.authorised === null ? 'SUCCESS' : 'Authorised';
      if (found.status === 'SUCCESS') found.successAt = state.now;
      else schedule(state, state.now + AUTHORISATION_TTL, 'authorisation', charge);
    } else Object.assign(found, { status: 'FAILED', authorised: null, attempts: found.attempts + 1 });
    tellCharge(state, charge);
  },
  bankAsked: (state, { charge }) => {
    cancel(state, 'settle', charge);
    askBank(state, charge, evolve);
  },
  named: (state, { ids }) => {
    for (const [n, id] of ids.entries()) at(state.charges, n).id = id;
  },
  entryMade: (state, { entry, seconds }) => {
    const expires = seconds === null ? null : state.now + seconds * SECOND;
    const ref = state.entries.push({ ...entry, expires, isGone: false }) - 1;
    if (expires !== null) schedule(state, expires, 'vault', ref);
  },
  entryDeleted: (state, { entry }) => {
    at(state.entries, entry).isGone = true;
    cancel(state, 'vault', entry);
  },
  ccvSet: (state, { entry, ccv }) => {
    at(state.entries, entry).ccv = ccv;
  },
  tokenMade: (state, { token }) => {
    const ref = state.tokens.push({ ...token, status: 'ACTIVE' }) - 1;
    schedule(state, state.now + TOKEN_TTL, 'token', ref);
  },
  tokenSpent: (state, { token }) => {
    at(state.tokens, token).status = 'USED';
    cancel(state, 'token', token);
  },
  authenticationDemanded: (state, { token, source }) => {
    const open = state.transactions[newestOf(state, token)];
    if (open?.status === 'CREATED') open.isRequired = true;
    else if (open?.status !== 'CHALLENGED') begin(state, { id: null, token, source, isRequired: true });
  },
  transactionBegun: (state, { transaction }) => begin(state, transaction),
  transactionAsked: (state, { transaction, status }) => {
    at(state.transactions, transaction).status = status;
    if (status === 'CHALLENGED') schedule(state, state.now + CHALLENGE_TTL, 'challenge', transaction);
  },
  challengeEnded: (state, { transaction, ending }) => {
    const isPassed = ending === 'approve';
    const found = at(state.transactions, transaction);
    Object.assign(found, { status: isPassed ? 'PASSED' : 'FAILED', ending });
    cancel(state, 'challenge', transaction);
    if (found.charge !== null) endWaiting(state, found.charge, isPassed);
  },
  transactionUsed: (state, { transaction }) => {
    at(state.transactions, transaction).charge = state.charges.length - 1;
  },
  transactionsNamed: (state, { ids }) => {
    for (const [n, id] of ids.entries()) at(state.transactions, n).id = id;
  },
  customerMade: (state, { customer }) => {
    state.customers.push({ ...customer, at: state.now, removedAt: null });
  },
  customerChanged: (state, { customer, change }) => {
    Object.assign(at(state.customers, customer), change);
    tell(state, 'customer.updated', 'customers', customer);
  },
  customerRemoved: (state, { customer }) => {
    const removedAt = state.now;
    Object.assign(at(state.customers, customer), { removedAt, email: 'deleted', defaultMethod: null });
    for (const [n, method] of state.methods.entries()) {
      if (method.customer !== customer || method.removedAt !== null) continue;
      method.removedAt = removedAt;
      tell(state, 'paymentMethod.removed', 'methods', n);
    }
    tell(state, 'customer.removed', 'customers', customer);
  },
  methodMade: (state, { method, isDefault }) => {
    const ref = state.methods.push({ ...method, at: state.now, removedAt: null }) - 1;
    tell(state, 'paymentMethod.created', 'methods', ref);
    if (method.customer === null) return;
    const owner = at(state.customers, method.customer);
    // Who comes with a method is told of after it.
    if (owner.defaultMethod === ref) tell(state, 'customer.created', 'customers', method.customer);
    if (isDefault) owner.defaultMethod = ref;
  },
  methodChanged: (state, { method, source }) => {
    at(state.methods, method).source = source;
    tell(state, 'paymentMethod.updated', 'methods', method);
  },
  methodRemoved: (state, { method }) => {
    at(state.methods, method).removedAt = state.now;
    for (const customer of state.customers)
      if (customer.defaultMethod === method) customer.defaultMethod = null;
    tell(state, 'paymentMethod.removed', 'methods', method);
  },
  batchFailed: (state, { batch }) => failBatch(state, batch),
  batchMade: (state, { batch }) => {
    const ref = state.batches.push({ ...batch, status: 'RECEIVED', started: 0, done: [] }) - 1;
    schedule(state, state.now + BATCH_WAIT, 'batch.create', ref);
  },
  subscribed: (state, { subscription }) => {
    arrange(state, state.subscriptions.push({ ...subscription }) - 1);
  },
  subscriptionMoved: (state, { subscription, status }) => {
    const found = at(state.subscriptions, subscription);
    found.status = status;
    if (status === 'Active') resumedAt(found, state.now);
    arrange(state, subscription);
    tellSubscription(state, subscription);
  },
  transferred: (state, { transfers }) => {
    for (const transfer of transfers) {
      const ref = state.transfers.push({ ...transfer, at: state.now, status: 'PENDING' }) - 1;
      schedule(state, state.now + DAY, 'transfer', ref);
    }
  },
  linkMade: (state, { link }) => {
    state.links.push({ ...link, paid: 0 });
  },
  linkPaid: (state, { link }) => {
    at(state.links, link).paid++;
  },
  providerMade: (state, { provider }) => {
    state.providers.push({ ...provider, isGone: false });
  },
  providerNamed: (state, { provider, name }) => {
    at(state.providers, provider).name = name;
  },
  providerRemoved: (state, { provider }) => {
    at(state.providers, provider).isGone = true;
  },
  receiverMade: (state, { receiver }) => {
    state.receivers.push({ ...receiver, isGone: false });
  },
  receiverRemoved: (state, { receiver }) => {
    at(state.receivers, receiver).isGone = true;
  },
  counted: (state, { name }) => {
    state.counts[name] = (state.counts[name] ?? 0) + 1;
  },
  queued: (state, { operation, outcomes }) => {
    state.queues.push({ operation, outcomes: [...outcomes] });
  },
  queueUsed: (state, { queue }) => {
    at(state.queues, queue).outcomes.shift();
    state.queues = state.queues.filter(({ outcomes }) => outcomes.length > 0);
  },
  ruleActed: (state) => {
    state.acted++;
  },
  played: (state, { scenario }) => {
    state.scenario = scenario;
    state.acted = 0;
  },
  entered: (state) => runDue(state, state.now, evolve),
  advanced: (state, { to }) => {
    runDue(state, to, evolve);
    state.now = to;
  },
};

function begin(
  state: State,
  { id, token, source, isRequired }: Pick<Transaction, 'id' | 'token' | 'source' | 'isRequired'>,
): void {
  // What was demanded of a token before is still demanded.
  const before = token !== null && state.transactions[newestOf(state, token)]?.isRequired === true;
  const required = isRequired || before;
  state.transactions.push({
    id,
    token,
    source,
    isRequired: required,
    status: 'CREATED',
    ending: null,
    charge: null,
  });
}

/** The charge that waited for a challenge: its provider is asked once the payer is known. */
function endWaiting(state: State, charge: number, isPassed: boolean): void {
  const { provider, minor, currency, source } = at(state.charges, charge);
  const question = {
    asked: 'charge',
    provider,
    trigger: source.trigger,
    minor,
    currency,
    told: null,
  } as const;
  const { decline, used } = isPassed ? askItself(state, question) : { decline: true, used: [] };
  for (const event of used) evolve(state, event);
  evolve(state, { kind: 'settled', charge, approved: decline === null });
}

/** Applies one event. */
export function evolve(state: State, event: Event): void {
  (HANDLERS[event.kind] as (state: State, event: Event) => void)(state, event);
}
