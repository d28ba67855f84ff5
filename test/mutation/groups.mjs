import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What Stryker changes, and the tests that are to notice: few and fast, so that a change costs well under a second. A group has
 * a run, a score and a floor of its own.
 */
export const GROUPS = {
  money: { sources: /^src\/core\/money\.ts$/, tests: ['test/core/money.test.ts'] },
  clock: {
    sources: /^src\/core\/time\/(clock|jobs|alarm)\.ts$/,
    tests: ['test/core/time/{clock,jobs,alarm}.test.ts'],
  },
  time: {
    sources: /^src\/core\/time\/(time|client-time|periods|delay)\.ts$/,
    tests: ['test/core/time/{time,client-time,calendar,periods,delay}.test.ts'],
  },
  card: {
    sources: /^src\/core\/cards\//,
    tests: ['test/core/cards/{card,account}.test.ts'],
  },
  outcomes: { sources: /^src\/outcomes\//, tests: ['test/outcomes/*.test.ts'] },
  records: {
    sources: /^src\/(records\/|webhooks\/delivery\.ts$)/,
    tests: ['test/!(model)/**/model.test.ts', 'test/world/tables.test.ts'],
  },
};

/** The share of the changes that tests must notice, in per cent: overall and in each group. */
export const SCORE_MIN = 85;

/** The group of this run, by the environment: Stryker hands nothing else to the configuration of vitest. */
export function chosenGroup() {
  const { MUTATION_GROUP = '' } = process.env;
  const group = GROUPS[MUTATION_GROUP];
  if (group === undefined) throw new Error(`MUTATION_GROUP is one of ${Object.keys(GROUPS).join(', ')}.`);
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (path) => `src/${path}`,
  );
  return {
    name: MUTATION_GROUP,
    files: files.filter((path) => group.sources.test(path) && path.endsWith('.ts')),
    tests: group.tests,
  };
}
