import { count, plainLine, shellQuoted } from '../core/text/text.js';
import { ADVICE } from './findings.js';
import { idOf, isFinding, scenarioFile, type Verdict, VERDICTS } from './verdicts.js';
import type { SweepEvent, SweepFinding } from './public.js';

/** How many names a list shows. */
const SHOWN_MAX = 10;
const GUIDE = 'docs/guides/sweep.md';

/** What a report says. `SweepReport` has all of it. */
export interface Said {
  readonly safe: boolean;
  readonly points: number;
  readonly runs: number;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly findings: readonly SweepFinding[];
  readonly handedOver: readonly string[];
  readonly unproven: readonly string[];
  readonly leftOut: readonly string[];
  readonly hasOrders: boolean;
  readonly folder: string | null;
}

/** The report as a terminal shows it: counts, findings, and what was not proved. */
export function reportText(report: Said): string {
  const { findings, handedOver, unproven, leftOut, hasOrders, folder } = report;
  const known = findings.filter(({ isAccepted }) => isAccepted);
  const open = findings.filter(({ isAccepted }) => !isAccepted);
  return [
    headOf(report),
    ...open.flatMap((finding) => ['', ...findingLines(finding, findings.indexOf(finding) + 1, folder)]),
    ...listLines(
      'Accepted',
      known.map(({ name }) => name),
    ),
    ...listLines('Handed over to a person, so safe', handedOver),
    ...listLines('Not proved', unproven),
    ...listLines('Left out', leftOut),
    ...(hasOrders
      ? []
      : [
          '',
          'No orders were given (orders() of the flow, or --orders), so only the records of the service were judged.',
        ]),
  ]
    .map(plainLine)
    .join('\n');
}

/** The verdict and the counts in one line. */
export function headOf({ points, runs, counts, safe }: Said): string {
  const said = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${verdict}`,
  );
  const found = VERDICTS.some((verdict) => isFinding(verdict) && counts[verdict] > 0);
  const verdict = safe ? 'safe' : found ? 'NOT SAFE' : 'not proved';
  return `sweep: ${verdict}. ${count(points, 'point')}, ${count(runs, 'run')}: ${said.join(', ')}`;
}

function findingLines(finding: SweepFinding, n: number, folder: string | null): string[] {
  const { verdict, point, faults, story, timeline } = finding;
  return [
    `${n}. ${verdict.toUpperCase()} at ${point}: ${faults.join(', ')}`,
    `   ${story}`,
    ...timeline.map(eventLine),
    `   ${ADVICE[verdict] ?? ''} (${GUIDE}#${idOf(verdict)})`,
    `   Repeat it: ${repeatText(verdict, n, folder)}`,
  ];
}

function repeatText(verdict: Verdict, n: number, folder: string | null): string {
  if (folder !== null)
    return `playmoney start --scenario ${shellQuoted(`${folder}/${scenarioFile(verdict, n)}`)}`;
  return `save findings[${n - 1}].scenario in a file, then: playmoney start --scenario FILE`;
}

function eventLine({ point, text, note }: SweepEvent): string {
  return `     ${point}  ${text}${note === null ? '' : `   ← ${note}`}`;
}

function listLines(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - SHOWN_MAX;
  const shown = names.slice(0, SHOWN_MAX).map((name) => `  ${name}`);
  return ['', `${title}: ${names.length}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}
