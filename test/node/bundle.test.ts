import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');
/** What a start may load: compiling is most of the time from start to ready. */
const START_BYTES_MAX = 450_000;

/** The files that are loaded before the program runs: lazy imports are calls, these are not. */
function loadedBy(path: string, loaded = new Map<string, number>()): Map<string, number> {
  if (loaded.has(path)) return loaded;
  const code = readFileSync(path, 'utf8');
  loaded.set(path, Buffer.byteLength(code));
  for (const [, name = ''] of code.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    loadedBy(join(dirname(path), name), loaded);
  return loaded;
}

test.each(['cli.js', 'index.js'])('%s loads at most 450 kB until it is ready', (name) => {
  const sizes = [...loadedBy(join(DIST, name)).values()];
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(START_BYTES_MAX);
});
