import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { SweepResults } from '../../sweep/engine.js';
import { groupFindings } from '../../sweep/findings.js';
import {
  reportAsHtml,
  reportJson,
  reportAsJunit,
  reportAsMarkdown,
  reportAsSarif,
} from '../../sweep/report-files.js';
import { scenarioFile } from '../../sweep/verdicts.js';
import { SweepReport } from '../../sweep/report.js';
import { replaceFile } from '../files/whole-file.js';
import { formatYaml } from '../terminal/yaml-text.js';

/** Groups the findings of a sweep into a report, and saves it if a folder is named. */
export async function reportSweep(
  swept: SweepResults,
  accepts: readonly string[],
  untried: readonly string[],
  folder: string | null,
): Promise<SweepReport> {
  const findings = await groupFindings(swept.results, accepts, formatYaml);
  const report = new SweepReport(swept, findings, untried, folder);
  if (folder !== null) await saveReport(report, folder);
  return report;
}

/** Writes the report in each format into a folder, and the scenario of each finding. */
async function saveReport(report: SweepReport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
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
