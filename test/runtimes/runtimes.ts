import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Recorded } from '../support/trace.js';
import { bundleOf } from './bundle.mjs';
import type { Played, Way } from './player.js';

/** Plays in processes of their own: other runtimes, other zones, other locales. */

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');
/** The package as it is built: what is tested is what is shipped. */
const DIST = join(ROOT, 'dist/index.js');
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

export interface Surroundings {
  /** The program of a runtime and its first arguments; Node as it runs this process unless given. */
  readonly command?: readonly string[];
  readonly zone: string;
  /** Left to the system when null. */
  readonly locale: string | null;
}

export interface Player {
  play(way: Way, surroundings: Surroundings, names?: readonly string[], runs?: number): Promise<Played>;
  /** What a program prints that imports the package by its name: lines, and errors. */
  run(command: readonly string[], text: string): Promise<{ lines: string[]; errors: string }>;
  remove(): Promise<void>;
}

/** Makes the program that plays. */
export async function createPlayer(): Promise<Player> {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-player-'));
  const program = await bundleOf('player.ts', join(folder, 'player.mjs'));
  return {
    play: async (way, { command = [process.execPath], zone, locale }, names = ['trace'], runs = 1) => {
      const env = { TZ: zone, ...(locale === null ? {} : { LANG: locale, LC_ALL: locale }) };
      const options = { env: { HOME: folder, ...env }, maxBuffer: OUTPUT_MAX_BYTES };
      const [file = '', ...args] = [...command, program, DIST, way, String(runs), ...names];
      const { stdout } = await run(file, args, options);
      return JSON.parse(stdout) as Played;
    },
    run: async (command, text) => {
      await mkdir(join(folder, 'node_modules'), { recursive: true });
      await symlink(ROOT, join(folder, 'node_modules/playmoney')).catch(() => {});
      // Deno looks into node_modules only beside a package.json.
      await writeFile(join(folder, 'package.json'), '{}');
      const file = join(folder, 'example.mjs');
      await writeFile(file, text);
      const { stdout, stderr } = await run(command[0] ?? '', [...command.slice(1), file], { cwd: folder });
      return { lines: stdout.trimEnd().split('\n'), errors: stderr };
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
