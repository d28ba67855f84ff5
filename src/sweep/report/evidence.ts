import { escapeHtml } from '../../control/pages/html.js';
import { VERSION } from '../../core/version.js';
import type { SweepResults } from '../engine.js';
import type { AcceptedFinding } from '../public.js';
import { headline, type SweepReport } from './report.js';
import { listHtml, pageHtml, runsHtml } from './report-files.js';
import { type Verdict, VERDICTS } from '../verdicts.js';

/** The seed of the worlds of a sweep, which is that of every new sandbox. */
const SEED = '1';

/** The meaning of each verdict. The guide's table is generated from it. */
export const MEANINGS: Readonly<Record<Verdict, string>> = {
  'charged twice': 'more was taken than ordered, also under another Reference',
  'paid, not delivered': 'money was taken for an order that the program has as unpaid, or does not have',
  'delivered, not paid': 'the program has an order as paid, but less was taken',
  'refunded too much':
    'more was given back than in the run without faults, although no more orders are unpaid',
  'refunded too little': 'the program believes that it refunded, but did not',
  'left open': 'an authorisation was neither captured nor voided',
  'created twice':
    'there are more customers, payment methods, subscriptions or vault entries than after the run without faults',
  'paid, but the test failed':
    'money was taken in a test that failed. Only `playmoney sweep -- COMMAND` without `--orders` reports this',
  stuck: 'the run did not end',
  'not deterministic':
    'the calls before the fault differ from those of the run without faults, so the run proves nothing. Calls about different References may come in any order',
  'not reached': 'the fault was never injected, so the run proves nothing',
  'handed over':
    'the program itself says `paid: null` at the end: safe, and listed, because a person has to look',
  'failed and said so': 'nothing was taken, and the program says so',
  recovered: 'money and orders are as in the run without faults',
};

const LIMITS = [
  'The calls went to playmoney, which stands in for the service. Its pages list where its behaviour is an assumption.',
  'Only the calls and webhooks of this table were tried: what the program does elsewhere is not proved.',
  'The hash shows accidental changes only. It is not a signature: anybody who edits a file can also compute a new hash.',
];

/** The program that was swept, and its commit. */
export interface ProgramRevision {
  /** The command, or the file of the flow. */
  readonly program: string;
  /** The commit of the repository; null if there is none. */
  readonly commit: string | null;
  /** Whether files were changed since the commit. */
  readonly isDirty: boolean;
}

export type Evidence = ReturnType<typeof buildEvidence>;

/** Everything that a reader who was not there needs. It has no time in it, so the same commit gives the same bytes. */
export function buildEvidence(
  program: ProgramRevision,
  report: SweepReport,
  { clean, results }: SweepResults,
  accepted: readonly AcceptedFinding[],
) {
  const faults = new Map(
    results.flatMap(({ trial }) => trial.map(({ fault }) => [fault.name, fault.about] as const)),
  );
  const verdicts = VERDICTS.filter((verdict) => report.counts[verdict] > 0);
  return {
    ...program,
    playmoney: VERSION,
    seed: SEED,
    safe: report.safe,
    headline: headline(report),
    summary: report.summary,
    clean: clean.worlds.map(({ name, calls, webhooks, orders }) => ({
      world: name,
      points: [...calls, ...webhooks].map((point) => point.name),
      orders,
    })),
    cells: report.cells,
    faults: Object.fromEntries(faults) as Readonly<Record<string, string>>,
    verdicts: Object.fromEntries(verdicts.map((verdict) => [verdict, MEANINGS[verdict]])) as Readonly<
      Record<string, string>
    >,
    findings: report.findings.map(({ name, story, isAccepted }) => ({ name, story, isAccepted })),
    accepted: accepted.filter(({ finding }) => report.findings.some(({ name }) => name === finding)),
    notProved: report.unproven,
    leftOut: report.leftOut,
    notTried: report.notTried,
    limits: LIMITS,
  };
}

/** The page for people. It is made from the data alone, so that it can be made again. */
export function evidenceAsHtml(evidence: Evidence, hash: string): string {
  const { program, commit, isDirty, playmoney, seed, clean, accepted, findings } = evidence;
  const state = isDirty ? ' with changes that are not committed' : '';
  const facts = [
    `Program: ${program}`,
    `Commit: ${commit === null ? 'none' : commit + state}`,
    `playmoney ${playmoney}, seed ${seed}`,
    `Hash: ${hash}`,
  ];
  const describe = (meanings: Readonly<Record<string, string>>): string[] =>
    Object.entries(meanings).map(([name, meaning]) => `${name}: ${meaning}`);
  return pageHtml(`Evidence · ${program}`, [
    `<h1>Evidence of a sweep</h1><p class="first">${escapeHtml(evidence.summary)}</p>`,
    `<p>${escapeHtml(evidence.headline)}</p>`,
    ...listHtml('What was tried', facts),
    ...clean.flatMap(({ world, points, orders }) => [
      ...listHtml(`The run without faults${world === '' ? '' : `, in the world ${world}`}`, points),
      ...listHtml('Its orders', orders?.map((order) => JSON.stringify(order)) ?? []),
    ]),
    `<h2>All runs</h2>${runsHtml(evidence)}`,
    ...listHtml(
      'Findings',
      findings.map(({ name, story, isAccepted }) => `${name}${isAccepted ? ' (accepted)' : ''}: ${story}`),
    ),
    ...listHtml(
      'Accepted findings',
      accepted.map(({ finding, reason, by, on }) => `${finding}: ${reason} (${by}, ${on})`),
    ),
    ...listHtml('Not proved', evidence.notProved),
    ...listHtml('Left out', evidence.leftOut),
    ...listHtml('Results', describe(evidence.verdicts)),
    ...listHtml('Faults', describe(evidence.faults)),
    ...listHtml('Not tried', evidence.notTried),
    ...listHtml('Limits', evidence.limits),
  ]);
}
