import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { htmlOf, idOf, jsonOf, junitOf, sarifOf } from '../../sweep/report-files.js';
import type { SweepReport } from '../../sweep/report.js';
import { replaceFile } from '../files/whole-file.js';

/** Writes the report in each format into a folder, and the scenario of each finding. */
export async function saveReport(report: SweepReport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = {
    'sweep.html': htmlOf(report),
    'sweep.junit.xml': junitOf(report),
    'sweep.sarif': sarifOf(report),
    'sweep.json': jsonOf(report),
    ...Object.fromEntries(
      report.findings.map(({ verdict, scenario }, i) => [`${i + 1}-${idOf(verdict)}.yaml`, scenario]),
    ),
  };
  for (const [name, text] of Object.entries(files))
    await replaceFile(join(folder, name), (write) => write(text));
}
