import { describe, expect, test } from 'vitest';

import { inProcess, overHttp } from './drivers.js';
import { checkModel, type Settings } from './property.js';

const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_LENGTH } = process.env;

/** A short run has a seed of its own, so that nobody's change fails by chance; a long one is told its seed. */
const settings: Settings = {
  runs: Number(MODEL_RUNS ?? 10),
  seed: Number(MODEL_SEED ?? 20_260_101),
  path: MODEL_PATH ?? null,
  length: Number(MODEL_LENGTH ?? 30),
};
const TIME_MAX = 60_000 + settings.runs * 2000;

describe('a sandbox does what the specification says', () => {
  test('in process', () => expect(checkModel(inProcess(), settings)).resolves.toBeUndefined(), TIME_MAX);

  test(
    'over HTTP',
    async () => {
      const driver = await overHttp();
      const runs = Math.ceil(settings.runs / 6);
      try {
        await expect(checkModel(driver, { ...settings, runs })).resolves.toBeUndefined();
      } finally {
        await driver.close();
      }
    },
    TIME_MAX,
  );
});
