import type { Reconciliation } from '../client/answers.js';
import type { ObservedWorld, SweepRun } from './run.js';
import { isRaced } from './races.js';
import { RULE_PREFIX } from './points.js';
import { nameFaults, type Trial } from './trial.js';
import { type Belief, rankOf, type Verdict } from './verdicts.js';

/** A disagreement about one order, or about the total. */
export interface Disagreement {
  readonly verdict: Verdict;
  readonly reference: string | null;
  readonly currency: string;
  /** Null if no order is known. */
  readonly ordered: number | null;
  readonly taken: number;
  readonly believed: Belief;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** The world that it is about. */
  readonly observed: ObservedWorld;
  /** Everything that is wrong, the worst first. */
  readonly disagreements: readonly Disagreement[];
}

type FindingKind = Reconciliation['findings'][number]['kind'];

/** The verdict of each finding. `more`: how much more money is left in total than after the clean run. */
const FINDING_VERDICTS: Readonly<Record<FindingKind, (more: number) => Verdict>> = {
  'charged twice': () => 'charged twice',
  'charged too much': () => 'charged twice',
  // More than in the clean run, and nobody ordered it: a retry under a new Reference.
  'charged, not ordered': (more) => (more > 0 ? 'charged twice' : 'paid, not delivered'),
  'ordered, not charged': () => 'delivered, not paid',
  // As much was given back as in the clean run, and the program does not know.
  'refunded too much': (more) => (more >= 0 ? 'delivered, not paid' : 'refunded too much'),
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
  const isReached = nameFaults(trial).every((name) => observed.acted.has(name));
  if (!isReached || !isRaced(trial, run.togethers)) return judge(run.isStuck ? 'stuck' : 'not reached');
  if (!isOvertaken(trial) && differsBeforeFault(observed, clean)) return judge('not deterministic');
  const disagreements = findDisagreements(observed, clean);
  const [worst] = disagreements;
  if (worst !== undefined) return judge(worst.verdict, disagreements);
  return judge(run.isStuck ? 'stuck' : mildVerdict(observed, clean));
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

/** A receiver that is called before the answer makes its own calls before the call ends. */
function isOvertaken(trial: Trial): boolean {
  return trial.some(({ fault }) => fault.policy?.first || fault.name === 'meanwhile');
}

/** Whether the calls before the first fault are others than in the clean run. */
function differsBeforeFault({ entries, calls, deliveries }: ObservedWorld, clean: ObservedWorld): boolean {
  const hit = entries.find(({ rule }) => rule?.startsWith(RULE_PREFIX))?.entryId ?? Infinity;
  const caused = deliveries.find(({ policy }) => policy?.startsWith(RULE_PREFIX))?.entryId ?? Infinity;
  const first = Math.min(hit, caused);
  const before = entries.filter(({ entryId, operation }) => operation !== null && entryId < first).length;
  if (first === Infinity) return false;
  return calls.slice(0, before).some(({ name }, i) => clean.calls[i]?.name !== name);
}

/** The disagreements of records and orders. Without orders, only open authorisations are known. */
function findOrderDisagreements(
  { balance, orders }: ObservedWorld,
  { balance: clean }: ObservedWorld,
): Disagreement[] {
  return balance.findings
    .filter(({ kind }) => orders !== null || kind === 'open')
    .map(({ kind, ...total }) => ({
      verdict: FINDING_VERDICTS[kind](
        sumTotals(balance, total.currency).left - sumTotals(clean, total.currency).left,
      ),
      reference: total.reference,
      currency: total.currency,
      ordered: total.ordered,
      taken: total.left,
      believed: toBelief(total),
    }));
}

/**
 * Where the total is not that of the clean run, although each order may be as its program believes: more was taken and kept, as by
 * a retry under a new Reference, or more was given back.
 */
function findTotalDisagreements(
  { balance, orders }: ObservedWorld,
  { balance: clean }: ObservedWorld,
): Disagreement[] {
  const currencies = [...new Set(balance.totals.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const now = sumTotals(balance, currency);
    const before = sumTotals(clean, currency);
    const isMore = now.captured > before.captured && now.left > before.left;
    const isLess = orders === null && now.left < before.left && now.refunded > before.refunded;
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

/** A run in which the records are as they should be. */
function mildVerdict({ balance, orders, testFailed }: ObservedWorld, clean: ObservedWorld): Verdict {
  if (testFailed && orders === null && balance.totals.some(({ left }) => left > 0))
    return 'paid, but the test failed';
  if (orders?.some(({ paid }) => paid === null)) return 'handed over';
  return sumUp(balance) === sumUp(clean.balance) ? 'recovered' : 'failed honestly';
}

/** The totals of the orders and the money of a world. */
function sumUp({ totals }: Reconciliation): string {
  return totals
    .filter(({ ordered, left }) => ordered !== null || left !== 0)
    .map((total) => [total.reference, total.currency, toBelief(total), total.left].join(' '))
    .toSorted()
    .join('\n');
}

/** The sums of a currency in major units, exact to a thousandth, the smallest unit of any currency. */
function sumTotals({ totals }: Reconciliation, currency: string) {
  const own = totals.filter((total) => total.currency === currency);
  const sum = (field: 'captured' | 'refunded' | 'left'): number =>
    own.reduce((thousandths, total) => thousandths + Math.round(total[field] * 1000), 0) / 1000;
  return { captured: sum('captured'), refunded: sum('refunded'), left: sum('left') };
}

function toBelief({ ordered, expected }: Reconciliation['totals'][number]): Belief {
  if (ordered === null) return 'no order';
  if (expected === null) return 'unknown';
  return expected === 0 ? 'unpaid' : 'paid';
}
