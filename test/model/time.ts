import { written } from './arithmetic.js';
import { decideCharge, fromMethod, NO_LINKS } from './charging.js';
import type { Event } from './event.js';
import { askProvider, askScript, failAtOf } from './provider.js';
import { cancel, schedule, takeDue } from './queue.js';
import { BATCH_PACE, BATCH_WAIT, EXPONENTS, PROVIDER } from './spec.js';
import { at, type Batch, type JobKind, type Row, type State, type Subscription } from './state.js';
import { arrange, moveOn } from './subscriptions.js';
import { tellBatch, tellSubscription } from './telling.js';

/** What happens by itself when the clock goes on. */

/** Applies an event: what time does is an event like what a call does. */
type Apply = (state: State, event: Event) => void;

const RUN: Readonly<Record<JobKind, (state: State, ref: number, apply: Apply) => void>> = {
  token: (state, ref) => {
    at(state.tokens, ref).status = 'EXPIRED';
  },
  vault: (state, ref) => {
    at(state.entries, ref).isGone = true;
  },
  authorisation: (state, charge, apply) => apply(state, { kind: 'voided', charge }),
  settle: askBank,
  'batch.create': (state, ref) => {
    at(state.batches, ref).status = 'CREATED';
    tellBatch(state, ref);
    schedule(state, state.now + BATCH_WAIT, 'batch.start', ref);
  },
  'batch.start': (state, ref) => {
    Object.assign(at(state.batches, ref), { status: 'IN_PROGRESS', started: state.now });
    tellBatch(state, ref);
    schedule(state, state.now + BATCH_PACE, 'batch.row', ref);
  },
  'batch.row': runRow,
  'batch.finish': (state, ref) => {
    at(state.batches, ref).status = 'SUCCESS';
    tellBatch(state, ref);
  },
  subscription: (state, ref, apply) => {
    const found = at(state.subscriptions, ref);
    moveOn(found, chargeSubscription(state, found, ref, apply));
    arrange(state, ref);
    if (found.status !== 'Active') tellSubscription(state, ref);
  },
  challenge: (state, transaction, apply) =>
    apply(state, { kind: 'challengeEnded', transaction, ending: 'timeOut' }),
  transfer: (state, ref) => {
    at(state.transfers, ref).status = 'SUCCESS';
  },
};

/** The bank of a payer says whether the money came. */
export function askBank(state: State, charge: number, apply: Apply): void {
  const { source, minor, currency } = at(state.charges, charge);
  const question = { asked: 'settle', provider: PROVIDER.steady, minor, currency } as const;
  const { decline } = askProvider(state, { ...question, trigger: source.trigger, told: null });
  apply(state, { kind: 'settled', charge, approved: decline === null });
}

/** Runs what is due at or before an instant, each at its own. */
export function runDue(state: State, through: number, apply: Apply): void {
  for (let job = takeDue(state, through); job; job = takeDue(state, through)) {
    state.now = Math.max(state.now, job.due);
    RUN[job.kind](state, job.ref, apply);
  }
}

function runRow(state: State, ref: number, apply: Apply): void {
  const batch = at(state.batches, ref);
  const failAt = failAtOf(state);
  const last = Math.floor((failAt ?? 1) * batch.rows.length);
  if (batch.done.length < last)
    batch.done.push(chargeRow(state, at(batch.rows, batch.done.length), ref, apply));
  if (batch.done.length < last) {
    schedule(state, batch.started + (batch.done.length + 1) * BATCH_PACE, 'batch.row', ref);
  } else if (failAt === null) schedule(state, state.now, 'batch.finish', ref);
  else failBatch(state, ref);
}

export function failBatch(state: State, ref: number): void {
  at(state.batches, ref).status = 'FAILED';
  tellBatch(state, ref);
  for (const kind of BATCH_JOBS) cancel(state, kind, ref);
}

const BATCH_JOBS = ['batch.create', 'batch.start', 'batch.row', 'batch.finish'] as const;

function chargeRow(state: State, row: Row, batch: number, apply: Apply): Batch['done'][number] {
  const known = row.method === null ? undefined : state.methods[row.method];
  if (row.method === null || known === undefined || known.removedAt !== null) return { retryable: false };
  if (EXPONENTS[row.currency] === undefined) return { retryable: false };
  const { source, hasCcv, uses } = fromMethod(state, row.method);
  const outcome = decideCharge(state, {
    provider: known.provider,
    source,
    hasCcv,
    uses,
    amount: row.amount,
    currency: row.currency,
    capture: true,
    told: null,
    links: { ...NO_LINKS, reference: row.reference, customer: known.customer, method: row.method, batch },
  });
  if ('refused' in outcome) return { retryable: false };
  for (const event of outcome.events(null)) apply(state, event);
  return outcome.decline === null ? { charge: state.charges.length - 1 } : { retryable: outcome.retryable };
}

/** Whether the charge was made; one that is refused outright is stored as a failed one, since nobody is there to be told. */
function chargeSubscription(state: State, subscription: Subscription, ref: number, apply: Apply): boolean {
  const { minor, currency } = subscription;
  const { source, hasCcv, uses, method } = fromMethod(state, subscription.method);
  const links = { ...NO_LINKS, customer: method.customer, method: subscription.method, subscription: ref };
  const failed = (): false => {
    const { provider } = method;
    const charge = {
      id: null,
      provider,
      currency,
      source,
      minor,
      authorised: null,
      ccvCheck: null,
      ...links,
    };
    apply(state, { kind: 'charged', charge, approved: false });
    return false;
  };
  if (method.removedAt !== null) return failed();
  const amount = written(minor, currency);
  const said = askScript(state, 'subscription.charge', amount);
  const outcome = decideCharge(state, {
    provider: method.provider,
    source,
    hasCcv,
    uses,
    amount,
    currency,
    capture: true,
    told: said.outcome,
    links,
  });
  for (const event of said.used) apply(state, event);
  if ('refused' in outcome) return failed();
  for (const event of outcome.events(null)) apply(state, event);
  return outcome.decline === null;
}
