// The Worker of integrations/cloudflare in the runtime of Cloudflare: `npm run test:cloudflare`. The line before the last is its row
// in the table of runtimes, as JSON.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { passedOf, printFigures, runVitest } from '../support/figures.mjs';

const folder = await mkdtemp(join(tmpdir(), 'playmoney-figures-'));
const FIGURES = join(folder, 'figures.json');
const config = ['--config', 'test/cloudflare/vitest.config.ts'];
const { code, ran } = await runVitest([...config, ...process.argv.slice(2)], { FIGURES });
const figures = JSON.parse(await readFile(FIGURES, 'utf8').catch(() => '{}'));
await rm(folder, { recursive: true, force: true });

const plays = ran.filter(({ title }) => title.includes(' has the same bytes '));
const isTrace = ({ title }) => title.startsWith('trace ');
const stories = plays.filter((one) => !isTrace(one));
const row = {
  runtime: 'Cloudflare Workers',
  stories: `${stories.filter(({ passed }) => passed).length} of ${stories.length}`,
  isTraceEqual: plays.some(isTrace) && plays.filter(isTrace).every(({ passed }) => passed),
  gzippedKb: figures.gzippedKb,
  firstChargeMs: figures.firstChargeMs,
  chargesPerSecond: figures.chargesPerSecond,
  differs:
    'reset, empty, truncate and hang are answered by an error with x-sandbox-lost; test cards and long keys only',
};
const { bySize, cpuMsPerCharge } = figures;
for (const one of [{ bySize, cpuMsPerCharge }, row]) process.stdout.write(`${JSON.stringify(one)}\n`);
printFigures('cloudflare', passedOf(ran));
process.exitCode = code;
