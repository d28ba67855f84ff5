import { plus } from './arithmetic.js';
import { cancel, schedule } from './queue.js';
import { at, type State, type Subscription } from './state.js';

/** When subscriptions charge. */

const dueDate = ({ anchor, unit, frequency }: Subscription, turn: number): number =>
  plus(anchor, unit, frequency * turn);

function retryDate(subscription: Subscription, n: number): number {
  const { retry, turn } = subscription;
  return retry === null ? Infinity : plus(dueDate(subscription, turn), retry.unit, retry.frequency * n);
}

/** Schedules what is due next, or ends what has nothing left to charge. */
export function arrange(state: State, ref: number): void {
  const found = at(state.subscriptions, ref);
  if (found.status === 'Active' && found.count !== null && found.charged >= found.count)
    found.status = 'Complete';
  if (found.status !== 'Active') return cancel(state, 'subscription', ref);
  const due = found.retries === 0 ? dueDate(found, found.turn) : retryDate(found, found.retries);
  schedule(state, due, 'subscription', ref);
}

/** Goes on with the first due date that is neither passed nor charged. */
export function resumedAt(subscription: Subscription, instant: number): void {
  subscription.turn = 0;
  subscription.retries = 0;
  const isLeft = (due: number): boolean =>
    due >= instant && (subscription.lastDue === null || due > subscription.lastDue);
  while (!isLeft(dueDate(subscription, subscription.turn))) subscription.turn++;
}

/** Notes a charge that was made, or one that failed and may be tried again before the next due date. */
export function moveOn(subscription: Subscription, good: boolean): void {
  const { turn, retries, retry } = subscription;
  subscription.lastDue = dueDate(subscription, turn);
  if (good) subscription.charged++;
  const n = retries + 1;
  const again =
    !good &&
    retry !== null &&
    n <= retry.maximum &&
    retryDate(subscription, n) < dueDate(subscription, turn + 1);
  subscription.retries = again ? n : 0;
  if (!again) subscription.turn++;
}
