import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';

import type { Recorded } from '../support/trace.js';
import type { Played, Way } from './player.js';

/** Plays the long trace in processes of their own: other versions of Node, other zones, other locales. */

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');
/** The package as it is built: what is tested is what is shipped. */
const DIST = join(ROOT, 'dist/index.js');
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

/** In place of what the trace does not need: matchers that nothing is matched with, and a check that the tests make. */
const NOTHING = `
  exports.expect = new Proxy({}, { get: () => () => null });
  exports.requireConformity = () => {};
`;

export interface Surroundings {
  /** A program of Node; the one of this process unless given. */
  readonly node?: string;
  readonly zone: string;
  /** Left to the system when null. */
  readonly locale: string | null;
}

export interface Player {
  play(way: Way, surroundings: Surroundings, runs?: number): Promise<Played>;
  remove(): Promise<void>;
}

/** Makes the program that plays the trace. */
export async function createPlayer(): Promise<Player> {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-player-'));
  const program = join(folder, 'player.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'player.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [
      {
        // What the trace shares with tests needs more than the trace: that tests expect things, the sources, the schemas.
        name: 'the trace alone',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^vitest$|\/src\/|\/conformity\.js$/ }, ({ path }) => ({
            path,
            namespace: 'nothing',
          }));
          onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: NOTHING }));
        },
      },
    ],
  });
  return {
    play: async (way, { node = process.execPath, zone, locale }, runs = 1) => {
      const env = { TZ: zone, ...(locale === null ? {} : { LANG: locale, LC_ALL: locale }) };
      const options = { env, maxBuffer: OUTPUT_MAX_BYTES };
      const { stdout } = await run(node, [program, DIST, way, String(runs)], options);
      return JSON.parse(stdout) as Played;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A short word for a trace: equal words are equal bytes. */
export function hashOf(trace: readonly Recorded[] | undefined): string {
  return createHash('sha256').update(JSON.stringify(trace)).digest('hex').slice(0, 16);
}

/** The first answer in which two traces differ, readably; null when they are equal. */
export function firstDifference(
  expected: readonly Recorded[] = [],
  found: readonly Recorded[] = [],
): string | null {
  for (let n = 0; n < Math.max(expected.length, found.length); n++) {
    const [a, b] = [expected[n], found[n]].map((answer) => JSON.stringify(answer) ?? 'no answer');
    if (a === undefined || b === undefined || a === b) continue;
    let at = 0;
    while (a[at] === b[at]) at++;
    const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
    const { call } = expected[n] ?? found[n] ?? { call: '' };
    return [`answer ${n + 1}, ${call}:`, `  expected …${around(a)}…`, `  found    …${around(b)}…`].join('\n');
  }
  return null;
}
