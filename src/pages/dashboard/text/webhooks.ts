import type { Delivery } from '../state/wire.js';
import { formatQuantity } from './format.js';

/** The states of a webhook, in the order in which they are shown, and their words. */
export const WEBHOOK_WORDS: Readonly<Record<string, string>> = {
  delivered: 'delivered',
  waiting: 'waiting',
  retrying: 'retrying',
  failed: 'given up',
  withheld: 'withheld',
};
export const WEBHOOK_STATUSES = Object.keys(WEBHOOK_WORDS);
/** The words of the filter by status, which can also take two together. */
export const WEBHOOK_FILTERS = { ...WEBHOOK_WORDS, failing: 'retrying or given up' };

/** The status of a webhook in one word: one that is pending waits for its first attempt, or is retrying. */
export function nameDeliveryStatus({ Status, Attempt }: Pick<Delivery, 'Status' | 'Attempt'>): string {
  const filter = Status === 'pending' ? (Attempt > 0 ? 'retrying' : 'waiting') : Status;
  return WEBHOOK_WORDS[filter] ?? filter;
}

export const isFailing = (delivery: Pick<Delivery, 'Status' | 'Attempt'>): boolean =>
  ['retrying', 'given up'].includes(nameDeliveryStatus(delivery));

/** A delivery with those that repeat it by hand, the latest first. */
export interface RepeatedDelivery {
  readonly id: string;
  readonly all: readonly Delivery[];
}

/** Joins what was sent again by hand to the delivery that it repeats. The first of `all` says how the webhook stands. */
export function groupResent(deliveries: readonly Delivery[]): RepeatedDelivery[] {
  const ids = new Set(deliveries.map(({ DeliveryId }) => DeliveryId));
  const isAgain = ({ ResendOf }: Delivery): boolean => ResendOf !== null && ids.has(ResendOf);
  return deliveries
    .filter((delivery) => !isAgain(delivery))
    .map((delivery) => ({
      id: delivery.DeliveryId,
      all: [...deliveries.filter(({ ResendOf }) => ResendOf === delivery.DeliveryId), delivery],
    }));
}

/** The result of an attempt: "The receiver answered 500; it will be tried again." */
export function describeAttempt(
  { Status, ResponseStatus, Note }: Delivery['Attempts'][number],
  next: 'tried' | 'due' | 'none',
): string {
  const answer =
    ResponseStatus === null
      ? `No answer: ${Note ?? 'the reason is not known'}`
      : `The receiver answered ${ResponseStatus}`;
  if (Status === 'delivered' || next === 'tried') return `${answer}.`;
  return `${answer}; it ${next === 'due' ? 'will be tried again' : 'is not tried again'}.`;
}

/** The result of sending webhooks again: "Sent 100 webhooks again: 100 delivered. Not sent again yet: 20 failing webhooks." */
export function describeResent(deliveries: readonly Delivery[], unsent = 0): string {
  const names = deliveries.map(nameDeliveryStatus);
  const counts = Object.values(WEBHOOK_WORDS).flatMap((word) => {
    const count = names.filter((name) => name === word).length;
    return count === 0 ? [] : `${count} ${word}`;
  });
  const rest = unsent === 0 ? '' : ` Not sent again yet: ${formatQuantity(unsent, 'failing webhook')}.`;
  return `Sent ${formatQuantity(names.length, 'webhook')} again: ${counts.join(', ')}.${rest}`;
}
