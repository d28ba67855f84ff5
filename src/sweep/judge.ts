import type { Reconciliation } from '../client/answers.js';
import type { Order } from '../client/asked.js';
import { isRaced } from './races.js';
import { RULE_PREFIX } from './points.js';
import { findCreatedTwice } from './created.js';
import { areBeginning } from './same-calls.js';
import { nameFaults, type Trial, trialScenario } from './trial.js';
import { type Belief, type Disagreement, isFinding, rankOf, type Verdict } from './verdicts.js';
import type { ObservedWorld, SweepRun } from './observed.js';

export interface Judgement {
  readonly verdict: Verdict;
  /** The world that it is about. */
  readonly observed: ObservedWorld;
  /** Everything that is wrong, the worst first. */
  readonly disagreements: readonly Disagreement[];
}

type BalanceFinding = Reconciliation['findings'][number];

/** Compares the money of an order with that of the clean run. */
interface MoneyChange {
  /** More was captured, and more is left. */
  readonly isMore: boolean;
  /** How much more was refunded; negative if it was less. */
  readonly refunded: number;
}

/** The verdict of each finding. What is left alone does not tell a second charge from a refund that was not made. */
const FINDING_VERDICTS: Readonly<Record<BalanceFinding['kind'], (change: MoneyChange) => Verdict>> = {
  'charged twice': () => 'charged twice',
  'charged too much': ({ isMore, refunded }) =>
    isMore ? 'charged twice' : refunded < 0 ? 'refunded too little' : 'paid, not delivered',
  // More than in the clean run, and nobody ordered it: a retry under a new Reference.
  'charged, not ordered': ({ isMore }) => (isMore ? 'charged twice' : 'paid, not delivered'),
  'ordered, not charged': () => 'delivered, not paid',
  // Otherwise the program does not know of a refund that the clean run makes as well.
  'refunded too much': ({ refunded }) => (refunded > 0 ? 'refunded too much' : 'delivered, not paid'),
  'refunded too little': () => 'refunded too little',
  open: () => 'left open',
};

/** Judges a run against the clean one. With several worlds, the worst decides the verdict. */
export function judgeRun(run: SweepRun, clean: SweepRun, trial: Trial): Judgement {
  const judged = run.worlds.flatMap((observed) => {
    const before = clean.worlds.find(({ name }) => name === observed.name);
    return before === undefined ? [] : judgeWorld(observed, before, run, trial);
  });
  const [worst] = judged.toSorted(compareJudgements);
  if (worst === undefined) throw new Error('Failed to judge a run: it has no world of the clean run.');
  return worst;
}

/** Worlds in which nothing happened say nothing about those in which something did. */
function compareJudgements(a: Judgement, b: Judgement): number {
  const notReached = Number(a.verdict === 'not reached') - Number(b.verdict === 'not reached');
  return notReached || rankOf(a.verdict) - rankOf(b.verdict);
}

function judgeWorld(observed: ObservedWorld, clean: ObservedWorld, run: SweepRun, trial: Trial): Judgement {
  const judge = (verdict: Verdict, disagreements: readonly Disagreement[] = []): Judgement => ({
    verdict,
    observed,
    disagreements,
  });
  const isReached =
    nameFaults(trial).every((name) => observed.acted.has(name)) && isRaced(trial, run.togethers);
  const isSame = isOvertaken(trial) || !differsBeforeFault(observed, clean);
  // Orders and charges that disagree are wrong in any run; totals say something only if the run is like the clean one.
  const disagreements =
    isReached && isSame
      ? [...findDisagreements(observed, clean), ...findCreatedTwice(observed, clean, trial)]
      : findOrderDisagreements(observed, clean);
  const [worst] = disagreements;
  if (worst !== undefined) return judge(worst.verdict, disagreements);
  const verdict = judgeBalanced(observed, clean, { isReached, isSame, isStuck: run.isStuck });
  return judge(verdict, isFinding(verdict) ? listTakings(observed, verdict) : []);
}

/** The verdict on a run in which orders and charges agree. */
function judgeBalanced(
  observed: ObservedWorld,
  clean: ObservedWorld,
  { isReached, isSame, isStuck }: Record<'isReached' | 'isSame' | 'isStuck', boolean>,
): Verdict {
  if (!isReached) return isStuck ? 'stuck' : 'not reached';
  if (!isSame) return 'not deterministic';
  return isStuck ? 'stuck' : mildVerdict(observed, clean);
}

/** Lists the money taken in each currency, where no order tells whether it is right. */
function listTakings({ balance }: ObservedWorld, verdict: Verdict): Disagreement[] {
  const currencies = [...new Set(balance.totals.map(({ currency }) => currency))];
  const takings = currencies.map((currency) => ({ currency, taken: sumTotals(balance, currency).left }));
  return takings
    .filter(({ taken }) => taken > 0)
    .map((taking) => ({ verdict, reference: null, ordered: null, believed: 'no order', ...taking }));
}

/** The worst first. A total says nothing new where an order of its currency has the same verdict. */
function findDisagreements(observed: ObservedWorld, clean: ObservedWorld): Disagreement[] {
  const orders = findOrderDisagreements(observed, clean);
  const totals = findTotalDisagreements(observed, clean).filter(
    ({ verdict, currency }) =>
      !orders.some((order) => order.verdict === verdict && order.currency === currency),
  );
  return [...orders, ...totals].toSorted((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
}

/** Webhooks that come before the answer, or while the clock moves, make their receivers call before the call of the fault ends. */
function isOvertaken(trial: Trial): boolean {
  const { rules = [], webhooks } = trialScenario(trial, 'in process');
  return (
    trial.some(({ fault }) => fault.name === 'meanwhile') ||
    rules.some(({ then }) => then?.advance !== undefined) ||
    (webhooks?.policies ?? []).some(({ then }) => then?.first)
  );
}

/** Whether the calls before the first fault are others than in the clean run. */
function differsBeforeFault({ entries, calls, deliveries }: ObservedWorld, clean: ObservedWorld): boolean {
  const hit = entries.find(({ rule }) => rule?.startsWith(RULE_PREFIX))?.entryId ?? Infinity;
  const caused = deliveries.find(({ policy }) => policy?.startsWith(RULE_PREFIX))?.entryId ?? Infinity;
  const first = Math.min(hit, caused);
  const before = entries.filter(({ entryId, operation }) => operation !== null && entryId < first).length;
  if (first === Infinity) return false;
  return !areBeginning(calls.slice(0, before), clean.calls);
}

/** The disagreements of records and orders. Without orders, only open authorisations are known. */
function findOrderDisagreements(
  { balance, orders }: ObservedWorld,
  { balance: clean }: ObservedWorld,
): Disagreement[] {
  return balance.findings
    .filter(({ kind }) => orders !== null || kind === 'open')
    .map(({ kind, ...total }) => {
      const verdict = FINDING_VERDICTS[kind](compareMoney(total, balance, clean));
      return {
        verdict,
        reference: total.reference,
        currency: total.currency,
        ordered: total.ordered,
        taken: total.left,
        believed: toBelief(total),
        isRefundUnknown: kind === 'refunded too much' && verdict !== kind,
      };
    });
}

/** The money of an order, compared with the clean run; if that has no such reference, all money of the currency. */
function compareMoney(
  { reference, currency }: Pick<BalanceFinding, 'reference' | 'currency'>,
  balance: Reconciliation,
  clean: Reconciliation,
): MoneyChange {
  const isKnown = clean.totals.some((total) => total.reference === reference && total.currency === currency);
  const [now, before] = [balance, clean].map((one) =>
    sumTotals(one, currency, isKnown ? reference : undefined),
  ) as [MoneySums, MoneySums];
  return {
    isMore: now.captured > before.captured && now.left > before.left,
    refunded: now.refunded - before.refunded,
  };
}

/**
 * Where the total is not that of the clean run, although each order may be as its program believes: more was taken and kept, as by
 * a retry under a new Reference, or more was given back.
 */
function findTotalDisagreements(
  { balance, orders }: ObservedWorld,
  { balance: clean, orders: cleanOrders }: ObservedWorld,
): Disagreement[] {
  // A program may give everything back for an order that it then has as unpaid.
  const isCancelled = orders !== null && countPaid(orders) < countPaid(cleanOrders ?? []);
  const currencies = [...new Set(balance.totals.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const now = sumTotals(balance, currency);
    const before = sumTotals(clean, currency);
    const isMore = now.captured > before.captured && now.left > before.left;
    const isLess = !isCancelled && now.left < before.left && now.refunded > before.refunded;
    if (!isMore && !isLess) return [];
    const verdict = isMore ? 'charged twice' : 'refunded too much';
    return {
      verdict,
      reference: null,
      currency,
      ordered: before.left,
      taken: now.left,
      believed: 'no order',
    };
  });
}

function countPaid(orders: readonly Order[]): number {
  return orders.filter(({ paid }) => paid !== false).length;
}

/** A run in which the records are as they should be. */
function mildVerdict({ balance, orders, testFailed }: ObservedWorld, clean: ObservedWorld): Verdict {
  if (testFailed && orders === null && balance.totals.some(({ left }) => left > 0))
    return 'paid, but the test failed';
  if (orders?.some(({ paid }) => paid === null)) return 'handed over';
  return sumUp(balance) === sumUp(clean.balance) ? 'recovered' : 'failed and said so';
}

/** The totals of the orders and the money of a world. Their references may be random. */
function sumUp({ totals }: Reconciliation): string {
  return totals
    .filter(({ ordered, left }) => ordered !== null || left !== 0)
    .map((total) => [total.currency, toBelief(total), total.left].join(' '))
    .toSorted()
    .join('\n');
}

interface MoneySums {
  readonly captured: number;
  readonly refunded: number;
  readonly left: number;
}

/** The sums of a currency, or of one of its references, in major units, exact to a thousandth, the smallest unit of any currency. */
function sumTotals({ totals }: Reconciliation, currency: string, reference?: string | null): MoneySums {
  const own = totals.filter(
    (total) => total.currency === currency && (reference === undefined || total.reference === reference),
  );
  const sum = (field: 'captured' | 'refunded' | 'left'): number =>
    own.reduce((thousandths, total) => thousandths + Math.round(total[field] * 1000), 0) / 1000;
  return { captured: sum('captured'), refunded: sum('refunded'), left: sum('left') };
}

function toBelief({ ordered, expected }: Reconciliation['totals'][number]): Belief {
  if (ordered === null) return 'no order';
  if (expected === null) return 'unknown';
  return expected === 0 ? 'unpaid' : 'paid';
}
