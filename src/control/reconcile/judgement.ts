import type { Charge } from '../../records/charge.js';

/** Compares the orders of a shop with its charges. */

/** An order as the shop knows it. */
export interface Order {
  readonly reference: string | null;
  readonly currency: string;
  readonly amountMinor: number;
  /** The amount that the shop believes it refunded; ignored unless it is paid. */
  readonly refundedMinor: number;
  /** Null if the shop does not know. */
  readonly paid: boolean | null;
}

export type Judged = Pick<
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

interface Group {
  readonly reference: string | null;
  readonly currency: string;
  readonly orders: Order[];
  readonly charges: Judged[];
}

/** The orders and charges of one reference in one currency. Amounts are in minor units. */
export interface Total extends Group {
  readonly ordered: number;
  /** The least and the most that should be left. They differ if the shop does not know whether an order is paid. */
  readonly least: number;
  readonly most: number;
  readonly captured: number;
  readonly refunded: number;
  readonly left: number;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly total: Total;
  /** The charges to look at. */
  readonly charges: readonly Judged[];
}

/** The totals, those with orders first, and what is wrong with them, the worst first. */
export function judge(
  orders: readonly Order[],
  charges: Iterable<Judged>,
): { readonly totals: readonly Total[]; readonly findings: readonly Finding[] } {
  const totals = grouped(orders, charges).map(totalOf);
  const findings = totals.flatMap(findingsOf);
  const rank = ({ kind }: Finding): number => FINDING_KINDS.indexOf(kind);
  return { totals, findings: findings.toSorted((a, b) => rank(a) - rank(b)) };
}

/** Charges that match no order by reference belong to the orders without a reference, if their currency has any. */
function grouped(orders: readonly Order[], charges: Iterable<Judged>): readonly Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (reference: string | null, currency: string): Group => {
    const key = `${currency} ${reference ?? ''}`;
    const group = groups.get(key) ?? { reference, currency, orders: [], charges: [] };
    groups.set(key, group);
    return group;
  };
  for (const order of orders) groupOf(order.reference, order.currency).orders.push(order);
  const known = new Set(orders.map(({ reference }) => reference));
  const pooled = new Set(orders.filter((one) => one.reference === null).map(({ currency }) => currency));
  for (const charge of charges) {
    const { currency } = charge;
    const reference = charge.reference || null;
    const isOwn = known.has(reference) || !pooled.has(currency);
    groupOf(isOwn ? reference : null, currency).charges.push(charge);
  }
  return [...groups.values()];
}

function totalOf(group: Group): Total {
  const { orders, charges } = group;
  const takings = charges.filter(hasTaken);
  const paid = orders.filter((order) => order.paid === true);
  const unknown = orders.filter((order) => order.paid === null);
  const least = sum(paid) - sum(paid, refundOf);
  const [captured, refunded] = [sum(takings), sum(takings, refundOf)];
  const [ordered, most, left] = [sum(orders), least + sum(unknown), captured - refunded];
  return { ...group, ordered, least, most, captured, refunded, left };
}

function findingsOf(total: Total): Finding[] {
  const { charges } = total;
  const kind = findKind(total);
  // If a charge is missing, those that failed or wait explain why.
  const shown = kind === 'ordered, not charged' ? charges : charges.filter(hasTaken);
  const open = charges.filter(({ status }) => status === 'Authorised');
  return [
    ...(kind === null ? [] : [{ kind, total, charges: shown }]),
    ...(open.length === 0 ? [] : [{ kind: 'open' as const, total, charges: open }]),
  ];
}

/** The finding about the money that was taken; null if it is right. */
function findKind({ orders, charges, ordered, least, most, captured, left }: Total): FindingKind | null {
  if (left > most) {
    const claimed = orders.filter(({ paid }) => paid !== false);
    const kept = charges.filter((charge) => hasTaken(charge) && charge.refundedMinor < charge.amountMinor);
    const isTooMuch = orders.length > 0 && left > ordered;
    if (isTooMuch && kept.length > orders.length) return 'charged twice';
    if (isTooMuch && claimed.length > 0) return 'charged too much';
    return left > sum(claimed) ? 'charged, not ordered' : 'refunded too little';
  }
  if (captured < sum(orders.filter(({ paid }) => paid === true))) return 'ordered, not charged';
  return left < least ? 'refunded too much' : null;
}

/** Whether a charge took money, even if all of it was refunded. */
export function hasTaken({ status }: Pick<Judged, 'status'>): boolean {
  return status === 'SUCCESS' || status === 'PARTIAL_REFUND' || status === 'REFUND';
}

type Money = Pick<Judged, 'amountMinor' | 'refundedMinor'>;

const amountOf = ({ amountMinor }: Money): number => amountMinor;
const refundOf = ({ refundedMinor }: Money): number => refundedMinor;

function sum(items: readonly Money[], of = amountOf): number {
  return items.reduce((total, item) => total + of(item), 0);
}
