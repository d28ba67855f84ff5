// Sends more requests than a test run does: npm run test:fuzz -- --runs 100000 --seed 7
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const { runs, seed } = values;
process.stdout.write(`seed ${seed}, ${runs} requests\n`);

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'playmoney-fuzz-'));
const figures = join(folder, 'figures.txt');
const begun = performance.now();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/hostile/fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_RUNS: runs, FUZZ_SEED: seed, FUZZ_FIGURES: figures },
  },
);
const seconds = Math.round((performance.now() - begun) / 1000);
try {
  const verdict = status === 0 ? 'none outside the description' : 'failed';
  process.stdout.write(`fuzz: seed ${seed}, ${readFileSync(figures, 'utf8')}, ${verdict}, ${seconds} s\n`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = status ?? 1;
