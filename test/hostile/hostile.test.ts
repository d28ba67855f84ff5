import { afterAll, beforeAll, describe, test } from 'vitest';

import { AMOUNTS } from './amounts.js';
import { BODIES } from './body.js';
import { CARDS } from './cards.js';
import { CONCURRENCY } from './concurrency.js';
import { CONTROL } from './control.js';
import { CSV } from './csv.js';
import { FRAMING } from './framing.js';
import { HOST_ORIGIN } from './host-origin.js';
import { KEYS } from './key.js';
import { LOOKING } from './looking.js';
import { MANNERS } from './manners.js';
import { MONEY, PORTS } from './money.js';
import { MEMORY } from './memory.js';
import { MASKS } from './masks.js';
import { OUTPUT } from './output.js';
import { PATHS } from './path.js';
import { QUERIES } from './query.js';
import { RESOURCES } from './resources.js';
import type { Row, Rows } from './row.js';
import { CROSS_SITES } from './secrets.js';
import { Stage } from './stage.js';
import { WEBHOOKS } from './webhooks.js';
import { WORLD_SETTINGS } from './world-settings.js';
import { YAMLS } from './yaml.js';

const stage = new Stage();
beforeAll(() => stage.open());
afterAll(() => stage.close());

/** Plays a row; all that must hold is looked at there. */
const expectAnswered = (on: Stage, one: Row): Promise<void> => on.play(one);

const CLASSES: readonly (readonly [string, Rows])[] = [
  ['framing', FRAMING],
  ['Host and Origin', HOST_ORIGIN],
  ['the key', KEYS],
  ['the path', PATHS],
  ['the query', QUERIES],
  ['the body', BODIES],
  ['amounts', AMOUNTS],
  ['cards and dates', CARDS],
  ['the CSV of a batch', CSV],
  ['webhooks', WEBHOOKS],
  ['money', MONEY],
  ['ports of receivers', PORTS],
  ['the control plane', CONTROL],
  ['settings of a world', WORLD_SETTINGS],
  ['requests that meet', CONCURRENCY],
  ['resources', RESOURCES],
  ['memory', MEMORY],
  ['what comes out', OUTPUT],
  ['other sites', CROSS_SITES],
  ['worlds by name and searches', LOOKING],
  ['card numbers and keys', MASKS],
  ['what is nearly right', MANNERS],
  ['scenarios in YAML', YAMLS],
];

describe.each(CLASSES)('%s', (_, rows) => {
  test.each(Object.entries(rows))('%s', async (__, one) => {
    await expectAnswered(stage, one);
  });
});
