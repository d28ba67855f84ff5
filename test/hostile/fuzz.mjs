// Sends more mutated requests than a test run does: npm run test:fuzz -- --runs 100000 --seed 7
import { parseArgs } from 'node:util';

import { passedOf, printFigures, runVitest } from '../support/figures.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const env = { FUZZ_RUNS: values.runs, ...(values.seed === undefined ? {} : { FUZZ_SEED: values.seed }) };
const { code, ran } = await runVitest(['--project=server', 'test/hostile/fuzz.test.ts'], env);
printFigures('fuzz', `${values.runs} mutated requests, ${passedOf(ran)}`);
process.exitCode = code;
