// Sends more requests than a test run does: npm run test:fuzz -- --runs 100000 --seed 7
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { passedOf, printFigures, runVitest } from '../../support/figures.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const { runs, seed } = values;
process.stdout.write(`seed ${seed}, ${runs} requests\n`);

const folder = await mkdtemp(join(tmpdir(), 'playmoney-fuzz-'));
const figures = join(folder, 'figures.txt');
try {
  const env = { FUZZ_RUNS: runs, FUZZ_SEED: seed, FUZZ_FIGURES: figures };
  const { code, ran } = await runVitest(['--project=crowded', 'test/hostile/fuzz'], env);
  const counted = await readFile(figures, 'utf8').catch(() => 'no requests');
  const verdict = code === 0 ? '0 answers outside the description' : `failed, ${passedOf(ran)}`;
  printFigures('fuzz', `seed ${seed}, ${counted}, ${verdict}`);
  process.exitCode = code;
} finally {
  await rm(folder, { recursive: true });
}
