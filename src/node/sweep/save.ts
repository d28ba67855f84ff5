import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { WorldOptions } from '../../client/asked.js';
import { didYouMean } from '../../core/text/nearest.js';
import { quoteForShell } from '../../core/text/text.js';
import { formatDuration } from '../../core/time/time.js';
import type { SweepResults } from '../../sweep/engine.js';
import { buildEvidence } from '../../sweep/report/evidence.js';
import { groupFindings } from '../../sweep/report/findings.js';
import {
  reportAsHtml,
  reportJson,
  reportAsJunit,
  reportAsMarkdown,
  reportAsSarif,
} from '../../sweep/report/report-files.js';
import type { AcceptedFinding } from '../../sweep/public.js';
import type { ReportSetting } from '../../sweep/report/repeat.js';
import { scenarioFile } from '../../sweep/verdicts.js';
import { SweepReport } from '../../sweep/report/report.js';
import { WORLD_OPTIONS } from '../../world/settings.js';
import { createFolder, replaceFile } from '../files/whole-file.js';
import { PROGRAM_FOLDER } from '../machine/program-folder.js';
import { START } from '../options/option-table.js';
import { describeProgram, saveEvidence } from './evidence.js';
import { formatYaml } from '../terminal/yaml-text.js';

const GUIDE = 'docs/guides/sweep.md';

/** The settings of a report, and the files that a user asked for. */
export interface ReportWishes extends Omit<ReportSetting, 'guide' | 'options'> {
  readonly accept: readonly (string | AcceptedFinding)[];
  /** The calls that are like others that were tried. */
  readonly untried: readonly string[];
  /** The folder for evidence; null if none is wanted. */
  readonly evidence: string | null;
}

/** Groups the findings of a sweep into a report, and saves it and the evidence if folders are named. */
export async function reportSweep(
  swept: SweepResults,
  { accept, untried, evidence, ...setting }: ReportWishes,
  world: WorldOptions,
): Promise<SweepReport> {
  const names = accept.map((item) => (typeof item === 'string' ? item : item.finding));
  const findings = await groupFindings(swept.results, names, formatYaml, world);
  const options = formatWorldOptions(world);
  const { folder, command, script } = setting;
  const known = findings.map(({ name }) => name);
  const notFound = names
    .filter((name) => !known.includes(name))
    .map((name) => `${name}${didYouMean(name, known)}`);
  const lists = { untried, notFound };
  const report = new SweepReport(swept, findings, lists, { ...setting, guide: findGuide(), options });
  if (folder !== null) await saveReport(report, folder);
  if (evidence !== null) {
    const program = describeProgram(command?.command ?? script.file, [folder, evidence]);
    const reasons = accept.filter((item) => typeof item !== 'string');
    await saveEvidence(buildEvidence(program, report, swept, reasons), evidence);
  }
  return report;
}

const SET_BY_SCENARIO = new Set(['dialect', 'webhookSecret']);

/** The options of `start` for what the scenario of a finding cannot set. */
function formatWorldOptions(world: WorldOptions): string {
  const options = Object.entries(world).map(([name, value]) => {
    const row = WORLD_OPTIONS[name as keyof WorldOptions];
    if (SET_BY_SCENARIO.has(name) || (value ?? null) === null || value === row.fallback) return '';
    const flag = START[name as keyof WorldOptions].flag;
    const text = typeof value === 'number' ? formatDuration(value) : quoteForShell(String(value));
    return value === true ? ` --${flag}` : ` --${flag} ${text}`;
  });
  return options.join('');
}

/** The path of the guide, from the working directory: that of the installed package, even if it is linked, or of the source tree. */
function findGuide(): string {
  const root = PROGRAM_FOLDER.endsWith('/src/node/machine/') ? '../../../' : '../';
  const beside = relative(process.cwd(), fileURLToPath(new URL(`${root}${GUIDE}`, PROGRAM_FOLDER)));
  const paths = [`node_modules/playmoney/${GUIDE}`, beside.replaceAll(sep, '/')];
  return paths.find((path) => existsSync(path)) ?? GUIDE;
}

/** Writes the report in each format into a folder, and the scenario of each finding. */
async function saveReport(report: SweepReport, folder: string): Promise<void> {
  createFolder(folder);
  const files = {
    'sweep.html': reportAsHtml(report),
    'sweep.junit.xml': reportAsJunit(report),
    'sweep.sarif': reportAsSarif(report),
    'sweep.json': reportJson(report),
    'sweep.md': reportAsMarkdown(report),
    ...Object.fromEntries(
      report.findings.map(({ verdict, scenario }, i) => [scenarioFile(verdict, i + 1), scenario]),
    ),
  };
  for (const [name, text] of Object.entries(files))
    await replaceFile(join(folder, name), (write) => write(text));
}
