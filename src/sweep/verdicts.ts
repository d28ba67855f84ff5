/** The verdicts about a run, the worst first. Those up to `stuck` are findings. */
export const VERDICTS = [
  'charged twice',
  'paid, not delivered',
  'delivered, not paid',
  'refunded too much',
  'refunded too little',
  'left open',
  'created twice',
  'paid, but the test failed',
  'stuck',
  'not deterministic',
  'not reached',
  'handed over',
  'failed and said so',
  'recovered',
] as const;

export type Verdict = (typeof VERDICTS)[number];

export const rankOf = (verdict: Verdict): number => VERDICTS.indexOf(verdict);

export function isFinding(verdict: Verdict): boolean {
  return rankOf(verdict) <= rankOf('stuck');
}

/** The name of a verdict in an address or in a file name. */
export function verdictId(verdict: Verdict): string {
  return verdict.replaceAll(/[^a-z]+/g, '-');
}

/** The file of a finding's scenario in the folder of a report; `n` counts from 1. */
export function scenarioFile(verdict: Verdict, n: number): string {
  return `${n}-${verdictId(verdict)}.yaml`;
}

/** Whether a run proves something about the program. */
export function isJudged(verdict: Verdict): boolean {
  return verdict !== 'not reached' && verdict !== 'not deterministic';
}

/** The belief of a program about an order. */
export type Belief = 'paid' | 'unpaid' | 'unknown' | 'no order';

/** Records that a run created and the clean run did not. */
export interface CreatedTwice {
  /** The kind of record, such as "customers". */
  readonly what: string;
  readonly count: number;
  readonly cleanCount: number;
  /** The last call that created one, such as `customer.create #2`. */
  readonly call: string;
}

/** A disagreement about one order, or about the total. */
export interface Disagreement {
  readonly verdict: Verdict;
  readonly reference: string | null;
  readonly currency: string;
  /** Null if no order is known. */
  readonly ordered: number | null;
  readonly taken: number;
  readonly believed: Belief;
  /** The records that were created twice. */
  readonly created?: CreatedTwice;
  /** Whether enough was taken, and the program does not know of a refund that the clean run makes as well. */
  readonly isRefundUnknown?: boolean;
}
