import { CODE, refuseField } from '../../core/errors.js';
import { listRecords, allRecords } from '../../core/store/search.js';
import { requireWorld } from '../../http/exchange.js';
import { route } from '../../http/route.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import { readAmount } from '../../resources/charges/service.js';
import type { World } from '../../world/world.js';
import { reconcileOrders, type ShopOrder } from './judgement.js';
import { presentJudgement } from './presenter.js';
import { type OrderInput, Reconcile, ReconcileResponse } from './schema.js';

export const RECONCILE_ROW = route({
  method: 'post',
  path: '/_sandbox/reconcile',
  id: 'reconcile',
  summary: 'Compare the orders of a shop with the charges',
  text: 'Each order and the charges with its Reference are compared by what was captured and not refunded. Orders without a Reference are compared in total, for each currency, with the charges that match no other order. Changes nothing.',
  body: Reconcile,
  largeBody: true,
  response: ReconcileResponse,
  errors: [CODE.InvalidAmount],
  handle: (c, { body }) => {
    const world = requireWorld(c);
    const orders = body.map((order, n) => readOrder(world, order, `Orders.${n}`));
    return presentJudgement(world, reconcileOrders(orders, listRecords(allRecords(world.charges))));
  },
});

function readOrder(world: World, input: OrderInput, field: string): ShopOrder {
  // Exports of databases often have empty texts in place of nulls.
  const reference = input.reference || null;
  const currency = input.currency ?? findCurrency(world, reference);
  const minorOf = (digits: string, name: string): number =>
    digits === '0' ? 0 : readAmount(digits, currency, `${field}.${name}`);
  const amountMinor = minorOf(input.amount, 'Amount');
  const refundedMinor = minorOf(input.refunded ?? '0', 'Refunded');
  if (refundedMinor > amountMinor) {
    const reason = `is ${input.refunded}; it must not be more than Amount, which is ${input.amount}`;
    return refuseField(CODE.InvalidAmount, `${field}.Refunded`, reason);
  }
  return { reference, currency, amountMinor, refundedMinor, paid: input.paid };
}

/** The only currency of the charges with a reference. */
function findCurrency({ charges }: World, reference: string | null): string {
  const found = reference === null ? [] : listRecords(charges.by('reference', reference));
  const [currency, ...others] = new Set([...found].map((charge) => charge.currency));
  return currency === undefined || others.length > 0 ? DEFAULT_CURRENCY : currency;
}
