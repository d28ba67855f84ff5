import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createPlayer, firstDifference, type Player } from '../runtimes/runtimes.js';
import type { Way } from '../runtimes/player.js';

/** What takes no longer than a moment; `npm run test:determinism` has all versions of Node, zones and locales. */
describe('the same bytes come', () => {
  let player: Player;
  beforeAll(async () => {
    player = await createPlayer();
  });
  afterAll(() => player.remove());

  test('in process and over HTTP, in the zones and locales of two ends of the world', async () => {
    const conditions = [
      { way: 'process', zone: 'UTC', locale: 'C' },
      { way: 'http', zone: 'America/St_Johns', locale: 'tr_TR.UTF-8' },
    ] as const satisfies readonly { way: Way; zone: string; locale: string }[];
    const played = await Promise.all(conditions.map(({ way, ...rest }) => player.play(way, rest)));
    const [first] = played.map(({ traces }) => traces[0]?.['trace']);
    expect(first?.length).toBeGreaterThan(0);
    for (const { traces } of played) expect(firstDifference(first, traces[0]?.['trace'])).toBeNull();
    expect(played.map(({ zone }) => zone)).toEqual(conditions.map(({ zone }) => zone));
    expect(played.map(({ locale }) => locale)).toEqual(['en-US', 'tr-TR']);
  });
});

describe('two traces', () => {
  const answer = { call: 'GET /x', status: 200, text: '{"A":1}', headers: {} };

  test('that are equal differ in nothing', () => {
    expect(firstDifference([answer], [{ ...answer }])).toBeNull();
  });

  test('that differ are reported by the first answer that differs, with its surroundings', () => {
    expect(firstDifference([answer, answer], [answer, { ...answer, text: '{"A":2}' }])).toBe(
      [
        'answer 2, GET /x:',
        String.raw`  expected …{"call":"GET /x","status":200,"text":"{\"A\":1}","headers":{}}…`,
        String.raw`  found    …{"call":"GET /x","status":200,"text":"{\"A\":2}","headers":{}}…`,
      ].join('\n'),
    );
  });

  test('of which one ends early differ in the answer that is missing', () => {
    expect(firstDifference([answer], [])).toContain('answer 1, GET /x:');
    expect(firstDifference([], [answer])).toContain('expected …no answer…');
  });
});
