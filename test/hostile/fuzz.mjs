// Sends more mutated requests than a test run does: npm run test:fuzz -- --runs 100000 --seed 7
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const env = { ...process.env, FUZZ_RUNS: values.runs };
if (values.seed !== undefined) env.FUZZ_SEED = values.seed;
const { status } = spawnSync('npx', ['vitest', 'run', 'test/hostile/fuzz.test.ts'], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
