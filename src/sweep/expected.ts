import type { Order } from '../client/asked.js';
import { formatMoney } from './findings.js';
import type { ObservedWorld } from './run.js';

/** What a buyer agreed to pay. */
export interface ExpectedOrder extends Omit<Order, 'paid'> {
  /** Whether the order is paid at the end. Default: true. */
  readonly paid?: boolean | null;
}

/** The expected orders in the form in which a world compares orders. */
export function toAgreedOrders(expected: readonly ExpectedOrder[]): Order[] {
  return expected.map((order) => ({ ...order, paid: order.paid === undefined ? true : order.paid }));
}

/** What a world took otherwise than the buyer agreed to, a line for each order. Refunds count only if they were expected. */
export function listBrokenAgreements({ agreed }: Pick<ObservedWorld, 'agreed'>): string[] {
  const { balance, hasRefunds } = agreed ?? { balance: null, hasRefunds: false };
  return (balance?.findings ?? [])
    .filter(({ kind }) => kind !== 'open' && (hasRefunds || kind !== 'refunded too much'))
    .map(({ reference, currency, ordered, captured, left }) => {
      const [taken, verb] = hasRefunds ? [left, 'left'] : [captured, 'taken'];
      const agreedTo = ordered === null ? 'nothing' : formatMoney(ordered, currency);
      return `${reference ?? 'in total'}: agreed to ${agreedTo}; ${verb}: ${formatMoney(taken, currency)}`;
    });
}
