import { chosenGroup, SCORE_MIN } from './groups.mjs';

const { name, files } = chosenGroup();

/** From the project's folder: paths are relative to it. */
export default {
  mutate: files,
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'test/mutation/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  // What runs in parallel with it is as important.
  concurrency: 1,
  // A change that never ends is found by the count of its turns; a slow machine is no such change.
  timeoutMS: 10_000,
  ignorePatterns: ['bench', 'dist', 'docs'],
  tempDirName: '.stryker-tmp',
  // The compiler has no API for Stryker to rewrite its configuration by, and nothing here needs it.
  tsconfigFile: 'none',
  checkers: [],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `test/mutation/.reports/${name}.json` },
  thresholds: { high: 95, low: SCORE_MIN, break: SCORE_MIN },
  allowConsoleColors: false,
};
