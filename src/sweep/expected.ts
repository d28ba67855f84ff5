import type { Order } from '../client/asked.js';
import { currencyExponent } from '../core/money.js';
import type { ObservedWorld } from './observed.js';
import type { ExpectedOrder } from './public.js';

/** An amount with its currency, such as `20.00 AUD` or `20 JPY`. */
export function formatMoney(amount: number, currency: string): string {
  return `${amount.toFixed(currencyExponent(currency))} ${currency}`;
}

/** The expected orders in the form in which a world compares orders. */
export function toAgreedOrders(expected: readonly ExpectedOrder[]): Order[] {
  return expected.map((order) => ({ ...order, paid: order.paid === undefined ? true : order.paid }));
}

/** Lists the orders for which a world took another amount than the buyer agreed to. Refunds count only if they were expected. */
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
