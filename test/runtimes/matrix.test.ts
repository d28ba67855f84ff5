import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODES } from '../install/matrix.mjs';
import type { Recorded } from '../support/trace.js';
import type { Way } from './player.js';
import { nodeOf } from './node-of.mjs';
import { createPlayer, firstDifference, hashOf, type Player } from './runtimes.js';

/** How often the trace is played in one process. */
const RUNS = 50;
/** Ahead by a half hour, behind by a half hour with summer time, and far ahead of most. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
/** An i without a dot, a comma for decimals. */
const LOCALES = [null, 'tr_TR.UTF-8', 'de_DE.UTF-8'];
const WAYS: readonly Way[] = ['process', 'http'];

/** Prints a line among the results. */
const tell = (line: string) => process.stdout.write(`${line}\n`);

let player: Player;
let reference: readonly Recorded[] | undefined;

beforeAll(async () => {
  player = await createPlayer();
  const { traces } = await player.play('process', { zone: 'UTC', locale: null });
  [reference] = traces;
  tell(`${hashOf(reference)}  the trace of ${reference?.length} calls that all others must equal`);
});
afterAll(() => player.remove());

const nodes = await Promise.all(NODES.map(async (major) => ({ major, node: await nodeOf(major) })));
for (const { major, node } of nodes)
  if (node === null) tell(`Node ${major} is skipped: it cannot be had here`);

describe.each(nodes)('Node $major', ({ node }) => {
  const conditions = WAYS.flatMap((way) =>
    ZONES.flatMap((zone) => LOCALES.map((locale) => ({ way, zone, locale }))),
  );

  test.skipIf(node === null).each(conditions)(
    'gives the same bytes: $way, $zone, $locale',
    async (condition) => {
      const played = await player.play(condition.way, { ...condition, node: node ?? '' });
      const [trace] = played.traces;
      tell(`${hashOf(trace)}  Node ${played.node}, ${played.zone}, ${played.locale}, ${condition.way}`);
      expect(firstDifference(reference, trace)).toBeNull();
      expect(played.zone).toBe(condition.zone === 'Asia/Kolkata' ? 'Asia/Calcutta' : condition.zone);
      if (condition.locale !== null)
        expect(played.locale).toBe(condition.locale.slice(0, 5).replace('_', '-'));
    },
  );

  test.skipIf(node === null).each(WAYS)(
    `gives the same bytes in ${RUNS} runs of one process: %s`,
    async (way) => {
      const played = await player.play(way, { zone: 'UTC', locale: null, node: node ?? '' }, RUNS);
      const [first, ...others] = played.traces;
      tell(`${hashOf(first)}  Node ${played.node}, ${RUNS} runs of one process, ${way}`);
      expect(firstDifference(reference, first)).toBeNull();
      expect(others.map((other) => firstDifference(reference, other))).toEqual([]);
    },
  );
});
