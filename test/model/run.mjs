// The long run of the model: `npm run test:model -- --runs 2000`, or a failure again by its `--seed` and `--path`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { passedOf, printFigures, runVitest } from '../support/figures.mjs';

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

const { code, ran } = await runVitest(
  ['--silent=passed-only', ...(only === undefined ? [] : ['-t', only]), 'test/model'],
  {
    MODEL_RUNS: runs,
    MODEL_LENGTH: length,
    MODEL_SEED: seed,
    ...(path === undefined ? {} : { MODEL_PATH: path }),
  },
);
printFigures('model', `${runs} runs of at most ${length} commands, seed ${seed}, ${passedOf(ran)}`);
process.exitCode = code;
