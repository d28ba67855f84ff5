import { escapeHtml } from '../../control/pages/html.js';
import { escapeUnseen } from '../../core/text/text.js';
import { ADVICE } from './findings.js';
import { verdictId, isFinding, isJudged, type Verdict, VERDICTS } from '../verdicts.js';
import type { SweepFinding } from '../public.js';
import { THEN } from '../trial.js';
import { listRepeatSteps } from './repeat.js';
import { formatFinding, headline, type SweepCell, type SweepReport } from './report.js';

/** The report in the formats of other programs. No file has a time in it, so the same program gives the same bytes. */

export function reportJson(report: SweepReport): string {
  return `${JSON.stringify(reportData(report), null, 2)}\n`;
}

/** The report for programs. */
export function reportData({ folder: _folder, setting: _setting, ...data }: SweepReport) {
  return data;
}

/** One test for each point and fault, for the reports of CI servers. A failure has its finding as in the text, and the scenario. */
export function reportAsJunit({ cells, findings, setting }: SweepReport): string {
  const accepted = findings.filter(({ isAccepted }) => isAccepted).map(({ name }) => name);
  const resultOf = ({ verdict, finding }: SweepCell): 'skipped' | 'failure' | 'error' | null => {
    if (finding !== null) return accepted.includes(finding) ? 'skipped' : 'failure';
    return isJudged(verdict) ? null : 'error';
  };
  const countOf = (result: string): number => cells.filter((cell) => resultOf(cell) === result).length;
  // XML has no way to write control characters.
  const escaped = (text: string): string => escapeHtml(escapeUnseen(text));
  const details = new Map(
    findings.map((finding, i) => {
      const lines = [
        ...formatFinding(finding, i + 1, setting),
        '',
        ...finding.scenario.trimEnd().split('\n'),
      ];
      return [finding.name, { risk: finding.risk, text: lines.map(escaped).join('\n') }];
    }),
  );
  const cases = cells.map((cell) => {
    const { point, fault, verdict } = cell;
    const open = `  <testcase classname="${escaped(point)}" name="${escaped(fault)}"`;
    const result = resultOf(cell);
    if (result === null) return `${open}/>`;
    const { risk, text } = details.get(cell.finding ?? '') ?? {};
    if (result !== 'failure' || risk === undefined)
      return `${open}><${result} message="${verdict}"/></testcase>`;
    return `${open}><failure type="${verdict}" message="${verdict}: ${escaped(risk)}">${text}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="playmoney sweep" tests="${cells.length}" failures="${countOf('failure')}" errors="${countOf('error')}" skipped="${countOf('skipped')}">`,
    ...cases,
    '</testsuite>\n',
  ].join('\n');
}

/** SARIF 2.1.0, which code hosts show beside the code. They refuse rules without a description, and results without a file. */
export function reportAsSarif({ findings, setting }: SweepReport): string {
  const verdicts = VERDICTS.filter((verdict) => findings.some((finding) => finding.verdict === verdict));
  const rules = verdicts.map((verdict) => ({
    id: verdictId(verdict),
    shortDescription: { text: verdict },
    fullDescription: { text: ADVICE[verdict] ?? verdict },
    help: { text: `${ADVICE[verdict] ?? verdict} See ${setting.guide}#${verdictId(verdict)}` },
  }));
  const results = findings.map(({ name, verdict, faults, story, advice, source, isAccepted }) => {
    const { file, line } = source ?? setting.script;
    const artifactLocation = { uri: encodeURI(file), uriBaseId: '%SRCROOT%' };
    return {
      ruleId: verdictId(verdict),
      level: 'error',
      // In SARIF, a bracket before a parenthesis is a link.
      message: { text: `${name}: ${faults.join(', ')}. ${story} ${advice}`.replaceAll('](', '] (') },
      // Code hosts would otherwise take a finding for a new one when its line moves.
      partialFingerprints: { name, primaryLocationLineHash: name },
      locations: [
        {
          physicalLocation: { artifactLocation, region: { startLine: line } },
          logicalLocations: [{ fullyQualifiedName: name }],
        },
      ],
      ...(isAccepted ? { suppressions: [{ kind: 'external' }] } : {}),
    };
  });
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'playmoney sweep', rules } }, results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** A summary for the page of a job, in Markdown. */
export function reportAsMarkdown(report: SweepReport): string {
  const { findings, summary } = report;
  const rows = findings.map(({ verdict, point, faults, story }) =>
    [verdict, point, faults.join(', '), story].map(escapeMarkdown).join(' | '),
  );
  const table = [
    '| finding | at | under | what happened |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ];
  return [
    `## ${headline(report)}`,
    '',
    escapeMarkdown(summary),
    '',
    ...(rows.length === 0 ? [] : table),
    '',
  ].join('\n');
}

/** A text that is shown as it is, whatever the shop put into it: no HTML, pictures, links or columns. */
function escapeMarkdown(text: string): string {
  return escapeUnseen(text).replaceAll(/[\\`*_{}[\]<>#|~!&@:$]|(?<=www)\./gi, String.raw`\$&`);
}

const STYLE = `:root{color-scheme:light dark;--line:#8885;--bad:#c62828;--good:#2e7d32;--odd:#8a6100}
@media(prefers-color-scheme:dark){:root{--bad:#ff8a80;--good:#81c784;--odd:#ffcc66}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem;width:100%}
th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top;min-width:5.5rem}th[scope=row]{min-width:12rem}
.bad{color:var(--bad);font-weight:600}.good{color:var(--good)}.odd{color:var(--odd)}td small{display:block;color:CanvasText;font-weight:400}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem}pre{overflow-x:auto;border:1px solid var(--line);padding:1rem}
ol.run{padding-left:1.5rem}.first{font-size:1.25rem}`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** One page without scripts: the counts, each finding with its calls, and the result of each fault at each point. */
export function reportAsHtml(report: SweepReport): string {
  const { findings, notFound, handedOver, unproven, leftOut, notTried, summary } = report;
  return pageHtml(`${report.safe ? 'Safe' : 'Not safe'} · playmoney sweep`, [
    `<h1>Sweep</h1><p class="first">${escapeHtml(summary)}</p><p>${escapeHtml(headline(report))}</p>`,
    ...findings.map((finding, i) => findingHtml(finding, i + 1, report)),
    `<h2>All runs</h2>${runsHtml(report)}`,
    ...listHtml('Accepted, but not found', notFound),
    ...listHtml('Handed over to a person, so safe', handedOver),
    ...listHtml('Not proved', unproven),
    ...listHtml('Left out', leftOut),
    ...listHtml('Not tried', notTried),
  ]);
}

export function pageHtml(title: string, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style><main>`,
    ...parts,
    '</main></html>\n',
  ].join('\n');
}

function findingHtml(finding: SweepFinding, n: number, { setting }: SweepReport): string {
  const { name, verdict, faults, story, timeline, scenario, source, advice, isAccepted } = finding;
  const lines = timeline.map(({ at, point, text, note }) => {
    const mark = note === null ? '' : ` <strong class="bad">← ${escapeHtml(note)}</strong>`;
    return `<li>${at === null ? '' : `${at} `}${escapeHtml(point)} <code>${escapeHtml(text)}</code>${mark}</li>`;
  });
  const code =
    source === null ? '' : `<p>In your code: <code>${escapeHtml(`${source.file}:${source.line}`)}</code></p>`;
  const steps = listRepeatSteps(finding, n, setting).join('\n');
  return [
    `<section><h2>${escapeHtml(name)}${isAccepted ? ' (accepted)' : ''}</h2>`,
    `<p>Under: ${escapeHtml(faults.join(', '))}</p><p>${escapeHtml(story)}</p>`,
    `<ol class="run">${lines.join('')}</ol>${code}<p>${escapeHtml(`${advice} (${setting.guide}#${verdictId(verdict)})`)}</p>`,
    `<details><summary>Repeat it by hand</summary><pre>${escapeHtml(steps)}</pre>`,
    `<p>The scenario:</p><pre>${escapeHtml(scenario)}</pre></details></section>`,
  ].join('\n');
}

/** Points are rows and verdicts are columns, so that the table is as wide as a page. A cell counts runs, and names their faults. */
export function runsHtml({ cells }: Pick<SweepReport, 'cells'>): string {
  const points = [...new Set(cells.map(({ point }) => point))];
  const verdicts = VERDICTS.filter((verdict) => cells.some((cell) => cell.verdict === verdict));
  const cellOf = (point: string, verdict: Verdict): string => {
    const runs = cells.filter((cell) => cell.point === point && cell.verdict === verdict);
    if (runs.length === 0) return '<td></td>';
    const mood = isFinding(verdict) ? 'bad' : isJudged(verdict) ? 'good' : 'odd';
    const single = runs.filter(({ fault }) => !fault.includes(THEN)).map(({ fault }) => fault);
    const names =
      runs.length > single.length
        ? [...single, `${runs.length - single.length} with a second fault`]
        : single;
    return `<td class="${mood}">${runs.length}<small>${escapeHtml(names.join(', '))}</small></td>`;
  };
  const head = verdicts.map((verdict) => `<th scope="col">${verdict}</th>`).join('');
  const rows = points.map(
    (point) =>
      `<tr><th scope="row">${escapeHtml(point)}</th>${verdicts.map((verdict) => cellOf(point, verdict)).join('')}</tr>`,
  );
  return [
    '<div class="wide" tabindex="0" role="region" aria-label="All runs">',
    `<table><caption>How many runs have each result, and under which faults</caption><tr><td></td>${head}</tr>`,
    ...rows,
    '</table></div>',
  ].join('\n');
}

/** A heading and a list; nothing if the list is empty. */
export function listHtml(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `<h2>${escapeHtml(title)}</h2><ul>${names.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`,
  ];
}
