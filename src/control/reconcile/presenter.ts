import { formatAmount } from '../../core/money.js';
import { formatCount } from '../../core/text/text.js';
import { presentAmount } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import { describeLoss, findLostCharges, hasTakenMoney } from '../findings/findings.js';
import {
  type ReconcileFinding,
  type FindingKind,
  type reconcileOrders,
  type GroupTotal,
} from './judgement.js';
import type { ReconcileResponse } from './schema.js';

const LISTED_MAX = 10_000;
const CHARGES_MAX = 20;

export function presentJudgement(
  { journal }: World,
  { totals, findings }: ReturnType<typeof reconcileOrders>,
): ReconcileResponse {
  const entries = findings.length === 0 ? [] : [...journal.entries()].filter(({ isUndone }) => !isUndone);
  const calls = new Map(entries.flatMap(({ created, id }) => (created ? [[created, id] as const] : [])));
  const lost = findLostCharges(entries);
  return {
    Balanced: findings.length === 0,
    Count: findings.length,
    Findings: findings.slice(0, LISTED_MAX).map((finding) => presentFinding(finding, calls, lost)),
    Totals: totals.slice(0, LISTED_MAX).map(presentTotal),
  };
}

function presentFinding(
  finding: ReconcileFinding,
  calls: ReadonlyMap<string, number>,
  lost: ReadonlySet<string>,
): ReconcileResponse['Findings'][number] {
  const { kind, total, charges } = finding;
  const amount = (minor: number): number => presentAmount(minor, total.currency);
  return {
    Kind: kind,
    Message: describeFinding(finding, lost),
    ...presentTotal(total),
    Charges: charges.slice(0, CHARGES_MAX).map((charge) => ({
      ChargeId: charge.id,
      Status: charge.status,
      Amount: amount(charge.amountMinor),
      Refunded: amount(charge.refundedMinor),
      EntryId: calls.get(charge.id) ?? null,
    })),
  };
}

function presentTotal(total: GroupTotal): ReconcileResponse['Totals'][number] {
  const { reference, currency, orders, ordered, least, most, captured, refunded, left } = total;
  const amount = (minor: number): number => presentAmount(minor, currency);
  return {
    Reference: reference,
    Currency: currency,
    Ordered: orders.length === 0 ? null : amount(ordered),
    Expected: least === most ? amount(least) : null,
    Captured: amount(captured),
    Refunded: amount(refunded),
    Left: amount(left),
  };
}

const FINDING_TEXTS: Readonly<Record<Exclude<FindingKind, 'open'>, string>> = {
  'charged twice': 'was charged twice',
  'charged too much': 'was charged too much',
  'charged, not ordered': 'was charged, but not ordered',
  'ordered, not charged': 'was ordered, but not charged in full',
  'refunded too much': 'was refunded too much',
  'refunded too little': 'was refunded too little',
};

function describeFinding({ kind, total, charges }: ReconcileFinding, lost: ReadonlySet<string>): string {
  const { reference, currency, captured, refunded, left } = total;
  const money = (minor: number): string => `${formatAmount(minor, currency)} ${currency}`;
  const order = reference ?? 'An order without a reference';
  if (kind === 'open') {
    const open = charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    return `${order} has ${money(open)} authorised, but neither captured nor voided.`;
  }
  const takings = total.charges.filter(hasTakenMoney);
  const loss = kind === 'charged twice' ? describeLoss(takings, lost) : '';
  const took =
    takings.length === 0
      ? 'no charge succeeded'
      : `${formatCount(takings.length, 'charge')} took ${money(captured)}${loss}`;
  const rest = refunded === 0 ? '' : `, ${money(refunded)} was refunded, ${money(left)} is left`;
  return `${order} ${FINDING_TEXTS[kind]}: ${took}${rest}; ${describeBelief(total, money)}.`;
}

function describeBelief({ orders, least, most }: GroupTotal, money: (minor: number) => string): string {
  if (orders.length === 0) return 'the shop has no such order';
  if (orders.every(({ paid }) => paid === false)) return 'the shop believes that it is not paid';
  return `the shop expects ${least === most ? '' : 'at most '}${money(most)}`;
}
