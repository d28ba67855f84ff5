import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import {
  reportAsHtml,
  reportJson,
  reportAsJunit,
  reportAsMarkdown,
  reportAsSarif,
} from '../../sweep/report-files.js';
import { scenarioFile } from '../../sweep/verdicts.js';
import type { SweepReport } from '../../sweep/report.js';
import { replaceFile } from '../files/whole-file.js';

/** Writes the report in each format into a folder, and the scenario of each finding. */
export async function saveReport(report: SweepReport, folder: string): Promise<void> {
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
