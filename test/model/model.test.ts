import { describe, expect, test } from 'vitest';

import type { Posted } from '../../src/core/post.js';
import { NODE_HOST } from '../../src/node/machine/host.js';
import { inProcess, overHttp } from './drivers.js';
import { engine } from './engine.js';
import { checkModel, type Settings } from './property.js';
import { REGRESSIONS } from './regressions.js';
import { play } from './run.js';
import { PROVIDER } from './spec.js';

const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_LENGTH } = process.env;

/** A short run has a seed of its own, so that nobody's change fails by chance; a long one is told its seed. */
const settings: Settings = {
  runs: Number(MODEL_RUNS ?? 10),
  seed: Number(MODEL_SEED ?? 20_260_101),
  path: MODEL_PATH ?? null,
  length: Number(MODEL_LENGTH ?? 30),
};
const TIME_MAX = 20_000 + settings.runs * 2000;

describe('a sandbox does what the model of the specification says', () => {
  test('in process', () => expect(checkModel(inProcess(), settings)).resolves.toBeUndefined(), TIME_MAX);

  test(
    'by its services',
    () => {
      const runs = Math.ceil(settings.runs / 3);
      return expect(checkModel(engine(), { ...settings, runs })).resolves.toBeUndefined();
    },
    TIME_MAX,
  );

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

const CARD = {
  amount: '10',
  currency: 'AUD',
  capture: true,
  reference: null,
  header: null,
  provider: PROVIDER.steady,
  pan: '4242424242424242',
  expiry: '10/40',
  hasCcv: false,
};
const REFUSED = { world: 1, kind: 'charge a card', args: { ...CARD, amount: '0' } };

test('a delivery that takes its time does not change a world behind the back of the model', async () => {
  const TURNS = 500;
  const deliver = async (): Promise<Posted> => {
    for (let turn = 0; turn < TURNS; turn++) await NODE_HOST.pause();
    return { withheld: 'it is late' };
  };
  const driver = await overHttp({ deliver });
  const receiver = { topics: ['Transaction'], url: 'https://[fd00:ec2::254]/a' };
  const steps = [
    { world: 0, kind: 'subscribe to events', args: receiver },
    { world: 0, kind: 'charge a card', args: CARD },
    ...Array.from({ length: 5 }, () => REFUSED),
  ];
  try {
    await expect(play(driver, 'late', steps, [])).resolves.toBeUndefined();
  } finally {
    await driver.close();
  }
});

describe('what was found once', () => {
  test.each(REGRESSIONS)('does not come back: $found', async ({ steps }) => {
    await expect(play(inProcess(), 'once', steps, [])).resolves.toBeUndefined();
  });
});
