import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { KEY } from '../row.js';
import { stateText } from '../state-text.js';
import { curlOf } from './curl.js';
import { Figures } from './figures.js';
import { type Base, prepare } from './base.js';
import { Misfit, play } from './play.js';
import { anyStep, type Step } from './steps.js';

/** How many requests are sent: `npm run test:fuzz -- --runs 100000` sends more. */
const REQUESTS = Number(process.env['FUZZ_RUNS'] ?? 500);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Where the line of figures goes. */
const FIGURES = process.env['FUZZ_FIGURES'];
/** One request in so many goes over a socket. */
const SERVED = 10;
/** The requests of one world at most. */
const STEPS_MAX = 50;
/** So many requests reach every operation; fewer must reach half of them. */
const REACHING = 10_000;
const MISSED_MAX = 66;
/** More requests take more time than a test is given otherwise. */
const TIMEOUT_MS = 180_000 + REQUESTS * 50;

const figures = new Figures(0);
const stories = fc.array(anyStep, { minLength: 1, maxLength: STEPS_MAX, size: 'max' });
let base: Base;

beforeAll(async () => {
  base = await prepare();
});

afterAll(() => {
  if (FIGURES !== undefined) writeFileSync(FIGURES, String(figures));
});

/** Sends so many requests more, and says what is the shortest story that shows a wrong answer. */
async function expectAsDescribed(requests: number, isServed: boolean): Promise<void> {
  figures.wanted += requests;
  let last: Misfit | null = null;
  const property = fc.asyncProperty(stories, async (steps: readonly Step[]) => {
    if (figures.isDone() && last === null) return;
    try {
      await play(steps, base, figures, isServed);
    } catch (error) {
      if (error instanceof Misfit) {
        last = error;
        // It is sent again, and more often, to be shortened.
        figures.wanted = Infinity;
      }
      throw error;
    }
  });
  for (let round = 0; !figures.isDone(); round++) {
    const numRuns = Math.ceil((figures.wanted - figures.requests) / (STEPS_MAX / 2));
    const { failed, errorInstance } = await fc.check(property, { numRuns, seed: SEED + round });
    if (failed) throw last === null ? errorInstance : new Error(described(last));
  }
}

/** A failure as what is to be sent to see it. */
function described({ message, requests, answer }: Misfit): string {
  const state = join(mkdtempSync(join(tmpdir(), 'playmoney-fuzz-')), 'state.json');
  writeFileSync(state, stateText(base.world));
  const url = 'http://127.0.0.1:4010';
  return [
    `${message}\nAnswered: ${answer?.status} ${answer?.text.slice(0, 1000)}\nSeed ${SEED}. To see it, npm start, and then:`,
    `curl -X PUT ${url}/_sandbox/state -H 'x-secretkey: ${KEY}' -H 'content-type: application/json' --data-binary @${state}`,
    ...requests.map((request) => curlOf(request, url)),
  ].join('\n');
}

describe('requests that are made from the description, good ones and changed ones', () => {
  test(
    'are answered as it says, within the process',
    async () => {
      await expectAsDescribed(REQUESTS - REQUESTS / SERVED, false);
    },
    TIMEOUT_MS,
  );

  test(
    'are answered as it says, over HTTP',
    async () => {
      await expectAsDescribed(REQUESTS / SERVED, true);
    },
    TIMEOUT_MS,
  );

  test('reach each operation with one that is accepted', () => {
    const unreached = figures.unreached();
    expect(unreached.length, `${unreached.join(', ')}: ${String(figures)}`).toBeLessThanOrEqual(
      REQUESTS < REACHING ? MISSED_MAX : 0,
    );
  });
});
