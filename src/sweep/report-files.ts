import { escapeHtml } from '../control/pages/html.js';
import { formatCount, escapeUnseen } from '../core/text/text.js';
import { ADVICE, adviseOn, explainCrash } from './findings.js';
import { verdictId, isFinding, isJudged, VERDICTS } from './verdicts.js';
import type { SweepFinding } from './public.js';
import { headline, type SweepCell, type SweepReport } from './report.js';

/** The report in the formats of other programs. No file has a time in it, so the same program gives the same bytes. */

export function reportJson(report: SweepReport): string {
  return `${JSON.stringify(reportData(report), null, 2)}\n`;
}

/** The report for programs. */
export function reportData({
  safe,
  points,
  runs,
  counts,
  findings,
  cells,
  handedOver,
  unproven,
  leftOut,
  notTried,
  hasOrders,
  hasWebhooks,
}: SweepReport) {
  return {
    safe,
    points,
    runs,
    counts,
    findings,
    cells,
    handedOver,
    unproven,
    leftOut,
    notTried,
    hasOrders,
    hasWebhooks,
  };
}

/** One test for each point and fault, for the reports of CI servers. */
export function reportAsJunit({ cells, findings }: SweepReport): string {
  const accepted = findings.filter(({ isAccepted }) => isAccepted).map(({ name }) => name);
  const resultOf = ({ verdict, finding }: SweepCell): 'skipped' | 'failure' | 'error' | null => {
    if (finding !== null) return accepted.includes(finding) ? 'skipped' : 'failure';
    return isJudged(verdict) ? null : 'error';
  };
  const countOf = (result: string): number => cells.filter((cell) => resultOf(cell) === result).length;
  // XML has no way to write control characters.
  const escaped = (text: string): string => escapeHtml(escapeUnseen(text));
  const cases = cells.map((cell) => {
    const { point, fault, verdict } = cell;
    const open = `  <testcase classname="${escaped(point)}" name="${escaped(fault)}"`;
    const result = resultOf(cell);
    return result === null ? `${open}/>` : `${open}><${result} message="${verdict}"/></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="playmoney sweep" tests="${cells.length}" failures="${countOf('failure')}" errors="${countOf('error')}" skipped="${countOf('skipped')}">`,
    ...cases,
    '</testsuite>\n',
  ].join('\n');
}

/** SARIF 2.1.0, which code hosts show beside the code. */
export function reportAsSarif({ findings }: SweepReport): string {
  const verdicts = VERDICTS.filter((verdict) => findings.some((finding) => finding.verdict === verdict));
  const rules = verdicts.map((verdict) => ({
    id: verdictId(verdict),
    shortDescription: { text: verdict },
    help: { text: ADVICE[verdict] ?? verdict },
  }));
  const results = findings.map(({ name, verdict, faults, story, isAccepted }) => ({
    ruleId: verdictId(verdict),
    level: 'error',
    // In SARIF, a bracket before a parenthesis is a link.
    message: { text: `${name}: ${faults.join(', ')}. ${story}`.replaceAll('](', '] (') },
    partialFingerprints: { name },
    locations: [{ logicalLocations: [{ fullyQualifiedName: name }] }],
    ...(isAccepted ? { suppressions: [{ kind: 'external' }] } : {}),
  }));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'playmoney sweep', rules } }, results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** A summary for the page of a job, in Markdown. */
export function reportAsMarkdown(report: SweepReport): string {
  const { findings } = report;
  const rows = findings.map(({ verdict, point, faults, story }) =>
    [verdict, point, faults.join(', '), story].map(escapeMarkdown).join(' | '),
  );
  const table = [
    '| finding | at | under | what happened |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ];
  return [`## ${headline(report)}`, '', ...(rows.length === 0 ? [] : table), ''].join('\n');
}

/** A text that is shown as it is, whatever the shop put into it: no HTML, pictures, links or columns. */
function escapeMarkdown(text: string): string {
  return escapeUnseen(text).replaceAll(/[\\`*_{}[\]<>#|~!&@:$]|(?<=www)\./gi, String.raw`\$&`);
}

const STYLE = `:root{color-scheme:light dark;--line:#8885;--bad:#c62828;--good:#2e7d32;--odd:#8a6100}
@media(prefers-color-scheme:dark){:root{--bad:#ff8a80;--good:#81c784;--odd:#ffcc66}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem}
th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
.bad{color:var(--bad);font-weight:600}.good{color:var(--good)}.odd{color:var(--odd)}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem}code{overflow-wrap:anywhere}pre{overflow-x:auto;border:1px solid var(--line);padding:1rem}
ol.run{padding-left:1.5rem}`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** One page without scripts: the counts, each finding with its calls, and the result of each fault at each point. */
export function reportAsHtml(report: SweepReport): string {
  const { findings, handedOver, unproven, leftOut, notTried } = report;
  return [
    '<!doctype html>',
    '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${report.safe ? 'Safe' : 'Not safe'} · playmoney sweep</title><style>${STYLE}</style>`,
    `<main><h1>Sweep</h1><p>${escapeHtml(headline(report))}</p>`,
    ...findings.map(findingHtml),
    `<h2>All runs</h2><div class="wide" tabindex="0" role="region" aria-label="All runs">${matrixHtml(report)}</div>`,
    ...listHtml('Handed over to a person, so safe', handedOver),
    ...listHtml('Not proved', unproven),
    ...listHtml('Left out', leftOut),
    ...listHtml('Not tried', notTried),
    '</main></html>\n',
  ].join('\n');
}

function findingHtml(finding: SweepFinding): string {
  const { name, faults, story, timeline, scenario, isAccepted } = finding;
  const lines = timeline.map(
    ({ point, text, note }) =>
      `<li>${escapeHtml(point)} <code>${escapeHtml(text)}</code>${note === null ? '' : ` <strong class="bad">← ${escapeHtml(note)}</strong>`}</li>`,
  );
  return [
    `<section><h2>${escapeHtml(name)}${isAccepted ? ' (accepted)' : ''}</h2>`,
    `<p>Under: ${escapeHtml(faults.join(', '))}</p><p>${escapeHtml(story)}</p>`,
    `<ol class="run">${lines.join('')}</ol><p>${escapeHtml(adviseOn(finding))}</p>`,
    `<details><summary>The scenario that repeats it</summary>${explainCrash(finding)}<pre>${escapeHtml(scenario)}</pre></details></section>`,
  ].join('\n');
}

/** Points are rows and faults are columns. Second faults are counted in the cell of the first. */
function matrixHtml({ cells }: SweepReport): string {
  const faultOf = (fault: string): string => fault.split(', then ')[0] ?? fault;
  const points = [...new Set(cells.map(({ point }) => point))];
  const faults = [...new Set(cells.map(({ fault }) => faultOf(fault)))];
  const cellOf = (point: string, fault: string): string => {
    const here = cells.filter((cell) => cell.point === point && faultOf(cell.fault) === fault);
    const [worst] = VERDICTS.filter((verdict) => here.some((cell) => cell.verdict === verdict));
    if (worst === undefined) return '<td></td>';
    const mood = isFinding(worst) ? 'bad' : isJudged(worst) ? 'good' : 'odd';
    const more = here.length > 1 ? ` (${formatCount(here.length, 'run')})` : '';
    return `<td class="${mood}">${worst}${more}</td>`;
  };
  const head = faults.map((fault) => `<th scope="col">${escapeHtml(fault)}</th>`).join('');
  const rows = points.map(
    (point) =>
      `<tr><th scope="row">${escapeHtml(point)}</th>${faults.map((fault) => cellOf(point, fault)).join('')}</tr>`,
  );
  return `<table><tr><td></td>${head}</tr>${rows.join('')}</table>`;
}

function listHtml(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`<h2>${title}</h2><ul>${names.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`];
}
