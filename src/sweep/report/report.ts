import { formatCount, escapeUnseen } from '../../core/text/text.js';
import { summariseFindings } from './causes.js';
import type { TrialResult, SweepResults } from '../engine.js';
import { nameFindings } from './findings.js';
import type { SweepEvent, SweepFinding } from '../public.js';
import { listNotTried } from './not-tried.js';
import { listRepeatSteps, type ReportSetting } from './repeat.js';
import { nameTrial, THEN } from '../trial.js';
import { verdictId, isFinding, type Verdict, VERDICTS } from '../verdicts.js';

/** How many names a list shows. */
const SHOWN_MAX = 10;
const NO_ORDERS =
  'No orders were given (orders() of the flow, or --orders), so only the records of the service were judged.';

/** How often each verdict was given. */
export type SweepCounts = Readonly<Record<Verdict, number>>;

/** One cell of the matrix: the result of a fault at a point. */
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
  /** The worst that can happen, in a sentence for somebody who decides; the second line of the report. */
  readonly summary: string;
  /** How many calls and webhooks the clean run has. */
  readonly points: number;
  readonly runs: number;
  readonly counts: SweepCounts;
  readonly findings: readonly SweepFinding[];
  /** The names that `accept` has and no finding does, with a name that was perhaps meant. */
  readonly notFound: readonly string[];
  /** The result of each fault at each point, with the second faults after a `then`. */
  readonly cells: readonly SweepCell[];
  /** The runs in which the program itself asked for a person: `paid` is null at the end. */
  readonly handedOver: readonly string[];
  /** The runs that prove nothing, with the reason. */
  readonly unproven: readonly string[];
  /** The runs that were left out: the time was over, calls of the same shape were tried, or a `together` has more orders than `races`. */
  readonly leftOut: readonly string[];
  /** The limits of the report, such as operations that no run used. */
  readonly notTried: readonly string[];
  /** Whether a webhook arrived in the run without faults. */
  readonly hasWebhooks: boolean;
  /** Whether the program returned its orders. Without them, only the records of the service were judged. */
  readonly hasOrders: boolean;
  /** The folder with the files of the report; null if it was not saved. */
  readonly folder: string | null;
  /** @internal */
  readonly setting: ReportSetting;

  /** @internal */
  constructor(
    swept: SweepResults,
    findings: readonly SweepFinding[],
    { untried, notFound }: Record<'untried' | 'notFound', readonly string[]>,
    setting: ReportSetting,
  ) {
    this.folder = setting.folder;
    this.setting = setting;
    const { results, points, leftOut, clean } = swept;
    const verdictOf = ({ judgement }: TrialResult): Verdict => judgement.verdict;
    const namesOf = (verdict: Verdict): string[] =>
      results.filter((result) => verdictOf(result) === verdict).map(({ trial }) => nameTrial(trial));
    this.points = points.length;
    this.runs = results.length;
    this.counts = Object.fromEntries(
      VERDICTS.map((verdict) => [verdict, namesOf(verdict).length]),
    ) as unknown as SweepCounts;
    this.findings = findings;
    this.notFound = notFound;
    const names = nameFindings(results);
    this.cells = results.map((result) => ({
      point: result.trial[0]?.point.name ?? '',
      fault: result.trial
        .map(({ fault, point }, i) => (i === 0 ? fault.name : `${point.name}: ${fault.name}`))
        .join(THEN),
      verdict: verdictOf(result),
      finding: names.get(result) ?? null,
    }));
    this.handedOver = namesOf('handed over');
    this.unproven = [
      ...namesOf('not reached').map((name) => `${name}: not reached`),
      ...namesOf('not deterministic').map((name) => `${name}: not deterministic`),
    ];
    this.leftOut = [...leftOut.map(nameTrial), ...untried, ...swept.untried];
    this.hasOrders = clean.worlds.some(({ orders }) => orders !== null);
    this.notTried = listNotTried(swept);
    this.hasWebhooks = clean.worlds.some(({ deliveries }) =>
      deliveries.some(({ status }) => status === 'delivered'),
    );
    // Calls like others that were tried, and orders beyond `races`, are not planned.
    this.safe =
      this.unproven.length === 0 && leftOut.length === 0 && findings.every(({ isAccepted }) => isAccepted);
    this.summary = summariseFindings(findings, this);
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

/** The report as a terminal shows it: counts, findings, and what was not proved. */
function reportText(report: SweepReport): string {
  const { findings, notFound, handedOver, unproven, leftOut, notTried, hasOrders, setting } = report;
  const known = findings.filter(({ isAccepted }) => isAccepted).map(({ name }) => name);
  const open = findings.filter(({ isAccepted }) => !isAccepted);
  return [
    headline(report),
    report.summary,
    ...open.flatMap((finding) => ['', ...formatFinding(finding, findings.indexOf(finding) + 1, setting)]),
    ...listLines('Accepted', known),
    ...listLines('Accepted, but not found', notFound),
    ...listLines('Handed over to a person, so safe', handedOver),
    ...listLines('Not proved', unproven),
    ...listLines('Left out', leftOut),
    ...listLines('Not tried', notTried),
    ...(hasOrders ? [] : ['', NO_ORDERS]),
  ]
    .map(escapeUnseen)
    .join('\n');
}

/** The verdict and the counts in one line. */
export function headline({ points, runs, counts, safe, hasWebhooks }: SweepReport): string {
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}`,
  );
  const found = VERDICTS.some((verdict) => isFinding(verdict) && counts[verdict] > 0);
  const green = hasWebhooks ? 'safe' : 'safe. No webhook was seen';
  const verdict = safe ? green : found ? 'NOT SAFE' : 'not proved';
  return `sweep: ${verdict}. ${formatCount(points, 'point')}, ${formatCount(runs, 'run')}: ${counted.join(', ')}`;
}

/** A finding in the lines of the report; `n` counts from 1. */
export function formatFinding(finding: SweepFinding, n: number, setting: ReportSetting): string[] {
  const { verdict, point, faults, story, timeline, source, advice } = finding;
  return [
    `${n}. ${verdict.toUpperCase()} at ${point}: ${faults.join(', ')}`,
    `   ${story}`,
    ...timeline.map(formatEvent),
    ...(source === null ? [] : [`   In your code: ${source.file}:${source.line}`]),
    `   ${advice} (${setting.guide}#${verdictId(verdict)})`,
    '   Repeat it by hand:',
    ...listRepeatSteps(finding, n, setting).map((step) => `     ${step}`),
  ];
}

function formatEvent({ at, point, text, note }: SweepEvent): string {
  return `     ${at === null ? '' : `${at}  `}${point}  ${text}${note === null ? '' : `   ← ${note}`}`;
}

function listLines(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - SHOWN_MAX;
  const shown = names.slice(0, SHOWN_MAX).map((name) => `  ${name}`);
  return ['', `${title}: ${names.length}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
