import { addPeriods, dayNumber, type Period, countPeriods } from '../core/time/periods.js';
import { INSTANT_MAX_MS } from '../core/time/time.js';
import { RETRY_DEFAULT, type Subscription } from './subscription.js';

/** When the next charge or retry is due. */
export function chargeDueAt(subscription: Subscription): number {
  const { turn, retries } = subscription;
  return retries === 0 ? dueDate(subscription, turn) : retryDue(subscription, retries);
}

/** When the next charge or retry will be made. Null if there is none: it is not Active, or no clock reaches the due date. */
export function nextChargeAt(subscription: Subscription): number | null {
  const due = chargeDueAt(subscription);
  return subscription.status === 'Active' && due <= INSTANT_MAX_MS ? due : null;
}

export function hasEnded(subscription: Subscription): boolean {
  const { endAfter, charged, chargedMinor } = subscription;
  if (endAfter === null) return false;
  const { count, amountMinor, date } = endAfter;
  if (count !== null && charged >= count) return true;
  if (amountMinor !== null && chargedMinor >= amountMinor) return true;
  return date !== null && dayNumber(chargeDueAt(subscription)) > dayNumber(date);
}

export function afterCharge(subscription: Subscription): Subscription {
  const { charged, chargedMinor, amountMinor } = subscription;
  return { ...nextTurn(subscription), charged: charged + 1, chargedMinor: chargedMinor + amountMinor };
}

/** Retries the charge, unless no retry is left or the next due date comes first. */
export function afterDecline(subscription: Subscription): Subscription {
  const { turn, retries } = subscription;
  if (!mayRetry(subscription, retries + 1)) return nextTurn(subscription);
  return { ...subscription, retries: retries + 1, lastDue: dueDate(subscription, turn) };
}

/** Continues at the first due date from an instant on that was not charged yet. */
export function resumeSchedule(subscription: Subscription, instant: number): Subscription {
  const { anchor, lastDue } = subscription;
  const from = lastDue === null ? instant : Math.max(instant, lastDue + 1);
  return { ...subscription, turn: countPeriods(anchor, periodOf(subscription), from), retries: 0 };
}

/** If a change of terms leaves the due dates as they are, the schedule and a pending retry continue. */
export function changeSchedule(before: Subscription, after: Subscription, instant: number): Subscription {
  const keepsDates = before.interval === after.interval && before.frequency === after.frequency;
  const { retries } = before;
  const keepsRetry = retries === 0 || (mayRetry(after, retries) && chargeDueAt(after) >= instant);
  return keepsDates && keepsRetry ? after : resumeSchedule(after, instant);
}

function nextTurn(subscription: Subscription): Subscription {
  const { turn } = subscription;
  return { ...subscription, turn: turn + 1, retries: 0, lastDue: dueDate(subscription, turn) };
}

function periodOf({ interval, frequency }: Subscription): Period {
  return { unit: interval, size: frequency };
}

function dueDate(subscription: Subscription, turn: number): number {
  return addPeriods(subscription.anchor, periodOf(subscription), turn);
}

/** Whether the current due date has an n-th retry before the next due date. */
function mayRetry(subscription: Subscription, n: number): boolean {
  const { retry, turn } = subscription;
  if (retry === null || n > (retry.maximum ?? RETRY_DEFAULT)) return false;
  return retryDue(subscription, n) < dueDate(subscription, turn + 1);
}

/** Infinity without retries. */
function retryDue(subscription: Subscription, n: number): number {
  const { retry, turn } = subscription;
  if (retry === null) return Infinity;
  const period = { unit: retry.interval, size: retry.frequency ?? RETRY_DEFAULT };
  return addPeriods(dueDate(subscription, turn), period, n);
}
