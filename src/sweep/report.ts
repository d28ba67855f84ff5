import type { Result, Swept } from './engine.js';
import { findingName } from './findings.js';
import { VERDICTS, type Verdict } from './verdicts.js';
import type { SweepFinding } from './public.js';
import { reportText } from './report-text.js';
import { nameOf } from './trial.js';

/** How often each verdict was given. */
export type SweepCounts = Readonly<Record<Verdict, number>>;

/** One cell of the matrix: what a fault at a point led to. */
export interface SweepCell {
  readonly point: string;
  readonly fault: string;
  readonly verdict: Verdict;
  /** The name of the finding that it belongs to; null if nothing is wrong. */
  readonly finding: string | null;
}

/**
 * The result of a sweep. The same program gives the same report.
 *
 * @example
 * const report = await sweep(flow);
 * report.assertSafe();
 */
export class SweepReport {
  /** Whether every planned run was judged, and none has a finding that `accept` does not name. */
  readonly safe: boolean;
  /** How many calls and webhooks the clean run has. */
  readonly points: number;
  readonly runs: number;
  readonly counts: SweepCounts;
  readonly findings: readonly SweepFinding[];
  /** What each fault at each point led to, with the second faults after a `then`. */
  readonly cells: readonly SweepCell[];
  /** The runs in which the program itself said that a person has to look. */
  readonly handedOver: readonly string[];
  /** The runs that prove nothing, with the reason. */
  readonly unproven: readonly string[];
  /** The runs that were left out, because the time was over or because calls of the same shape were tried. */
  readonly leftOut: readonly string[];
  /** Whether the program said what it believes. Without its orders, only the records of the service were judged. */
  readonly hasOrders: boolean;

  /** The folder with the files of the report; null if it was not saved. */
  readonly folder: string | null;

  /** @internal */
  constructor(
    swept: Swept,
    findings: readonly SweepFinding[],
    untried: readonly string[],
    folder: string | null,
  ) {
    this.folder = folder;
    const { results, points, leftOut, clean } = swept;
    const verdictOf = ({ judgement }: Result): Verdict => judgement.verdict;
    const namesOf = (verdict: Verdict): string[] =>
      results.filter((result) => verdictOf(result) === verdict).map(({ trial }) => nameOf(trial));
    this.points = points.length;
    this.runs = results.length;
    this.counts = Object.fromEntries(
      VERDICTS.map((verdict) => [verdict, namesOf(verdict).length]),
    ) as unknown as SweepCounts;
    this.findings = findings;
    this.cells = results.map((result) => ({
      point: result.trial[0]?.point.name ?? '',
      fault: result.trial
        .map(({ fault, point }, i) => (i === 0 ? fault.name : `${point.name}: ${fault.name}`))
        .join(', then '),
      verdict: verdictOf(result),
      finding: findingName(result),
    }));
    this.handedOver = namesOf('handed over');
    this.unproven = [
      ...namesOf('not reached').map((name) => `${name}: not reached`),
      ...namesOf('not deterministic').map((name) => `${name}: not deterministic`),
    ];
    this.leftOut = [...leftOut.map(nameOf), ...untried];
    this.hasOrders = clean.worlds.some(({ orders }) => orders !== null);
    // Calls like others that were tried are not planned.
    this.safe =
      this.unproven.length === 0 && leftOut.length === 0 && findings.every(({ isAccepted }) => isAccepted);
  }

  /** Throws an error with the whole report if the program is not safe. */
  assertSafe(): void {
    if (!this.safe) throw new Error(this.toString());
  }

  /** The report as a terminal shows it. */
  toString(): string {
    return reportText(this);
  }
}
