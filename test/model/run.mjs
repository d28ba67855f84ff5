// The long run of the model: `npm run test:model -- --runs 2000`, or a failure again by its `--seed` and `--path`.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    length: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    path: { type: 'string' },
    only: { type: 'string' },
  },
});
const { runs, length, seed, path, only } = values;
process.stdout.write(`seed ${seed}, ${runs} runs of at most ${length} commands\n`);

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--silent=passed-only', ...(only === undefined ? [] : ['-t', only]), 'test/model'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      MODEL_RUNS: runs,
      MODEL_LENGTH: length,
      MODEL_SEED: seed,
      ...(path === undefined ? {} : { MODEL_PATH: path }),
    },
  },
);
process.exit(status ?? 1);
