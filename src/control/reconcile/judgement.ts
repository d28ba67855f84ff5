import type { Charge } from '../../records/charge.js';
import { hasTakenMoney } from '../findings/findings.js';

/** Compares the orders of a shop with its charges. */

/** An order as the shop knows it. */
export interface ShopOrder {
  readonly reference: string | null;
  readonly currency: string;
  readonly amountMinor: number;
  /** The amount that the shop believes it refunded; ignored unless it is paid. */
  readonly refundedMinor: number;
  /** Null if the shop does not know. */
  readonly paid: boolean | null;
}

export type ReconciledCharge = Pick<
  Charge,
  'id' | 'reference' | 'currency' | 'status' | 'amountMinor' | 'refundedMinor'
>;

/** The kinds of findings, the worst first. */
export const FINDING_KINDS = [
  'charged twice',
  'charged too much',
  'charged, not ordered',
  'ordered, not charged',
  'refunded too much',
  'refunded too little',
  'open',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

interface OrderGroup {
  readonly reference: string | null;
  readonly currency: string;
  readonly orders: ShopOrder[];
  readonly charges: ReconciledCharge[];
}

/** The orders and charges of one reference in one currency. Amounts are in minor units. */
export interface GroupTotal extends OrderGroup {
  readonly ordered: number;
  /** The least and the most that should be left. They differ if the shop does not know whether an order is paid. */
  readonly least: number;
  readonly most: number;
  readonly captured: number;
  readonly refunded: number;
  readonly left: number;
}

export interface ReconcileFinding {
  readonly kind: FindingKind;
  readonly total: GroupTotal;
  /** The charges to look at. */
  readonly charges: readonly ReconciledCharge[];
}

/** The totals, those with orders first, and what is wrong with them, the worst first. */
export function reconcileOrders(
  orders: readonly ShopOrder[],
  charges: Iterable<ReconciledCharge>,
): { readonly totals: readonly GroupTotal[]; readonly findings: readonly ReconcileFinding[] } {
  const totals = groupByReference(orders, charges).map(sumGroup);
  const findings = totals.flatMap(listFindings);
  const rank = ({ kind }: ReconcileFinding): number => FINDING_KINDS.indexOf(kind);
  return { totals, findings: findings.toSorted((a, b) => rank(a) - rank(b)) };
}

/** Charges that match no order by reference belong to the orders without a reference, if their currency has any. */
function groupByReference(
  orders: readonly ShopOrder[],
  charges: Iterable<ReconciledCharge>,
): readonly OrderGroup[] {
  const groups = new Map<string, OrderGroup>();
  const groupOf = (reference: string | null, currency: string): OrderGroup => {
    const key = `${currency} ${reference ?? ''}`;
    const group = groups.get(key) ?? { reference, currency, orders: [], charges: [] };
    groups.set(key, group);
    return group;
  };
  for (const order of orders) groupOf(order.reference, order.currency).orders.push(order);
  const known = new Set(orders.map(({ reference }) => reference));
  const pooled = new Set(orders.filter((order) => order.reference === null).map(({ currency }) => currency));
  for (const charge of charges) {
    const { currency } = charge;
    const reference = charge.reference || null;
    const isOwn = known.has(reference) || !pooled.has(currency);
    groupOf(isOwn ? reference : null, currency).charges.push(charge);
  }
  return [...groups.values()];
}

function sumGroup(group: OrderGroup): GroupTotal {
  const { orders, charges } = group;
  const takings = charges.filter(hasTakenMoney);
  const paid = orders.filter((order) => order.paid === true);
  const unknown = orders.filter((order) => order.paid === null);
  const least = sumMoney(paid) - sumMoney(paid, takeRefund);
  const [captured, refunded] = [sumMoney(takings), sumMoney(takings, takeRefund)];
  const [ordered, most, left] = [sumMoney(orders), least + sumMoney(unknown), captured - refunded];
  return { ...group, ordered, least, most, captured, refunded, left };
}

function listFindings(total: GroupTotal): ReconcileFinding[] {
  const { charges } = total;
  const kind = judgeTotal(total);
  // If a charge is missing, those that failed or wait explain why.
  const shown = kind === 'ordered, not charged' ? charges : charges.filter(hasTakenMoney);
  const open = charges.filter(({ status }) => status === 'Authorised');
  return [
    ...(kind === null ? [] : [{ kind, total, charges: shown }]),
    ...(open.length === 0 ? [] : [{ kind: 'open' as const, total, charges: open }]),
  ];
}

/** The finding about the money that was taken; null if it is right. */
function judgeTotal({
  orders,
  charges,
  ordered,
  least,
  most,
  captured,
  left,
}: GroupTotal): FindingKind | null {
  if (left > most) {
    const claimed = orders.filter(({ paid }) => paid !== false);
    const kept = charges.filter(
      (charge) => hasTakenMoney(charge) && charge.refundedMinor < charge.amountMinor,
    );
    const isTooMuch = orders.length > 0 && left > ordered;
    if (isTooMuch && kept.length > orders.length) return 'charged twice';
    if (isTooMuch && claimed.length > 0) return 'charged too much';
    return left > sumMoney(claimed) ? 'charged, not ordered' : 'refunded too little';
  }
  if (captured < sumMoney(orders.filter(({ paid }) => paid === true))) return 'ordered, not charged';
  return left < least ? 'refunded too much' : null;
}

type ChargeMoney = Pick<ReconciledCharge, 'amountMinor' | 'refundedMinor'>;

const takeAmount = ({ amountMinor }: ChargeMoney): number => amountMinor;
const takeRefund = ({ refundedMinor }: ChargeMoney): number => refundedMinor;

function sumMoney(items: readonly ChargeMoney[], of = takeAmount): number {
  return items.reduce((total, item) => total + of(item), 0);
}
