import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');
/** What a start may load: compiling is most of the time from start to ready. As a script whose compiled code is kept, it is 3 % more. */
const START_BYTES_MAX = 675_000;

/** The files that are loaded before the program runs: lazy imports are calls, these are not. */
function loadedBy(path: string, loaded = new Map<string, number>()): Map<string, number> {
  if (loaded.has(path)) return loaded;
  const code = readFileSync(path, 'utf8');
  loaded.set(path, Buffer.byteLength(code));
  for (const [, name = ''] of code.matchAll(/(?:(?:from|import)\s*|require\$.*)"(\.[^"]+\.c?js)"/g))
    loadedBy(join(dirname(path), name), loaded);
  return loaded;
}

test.each(['cli.js', 'index.js'])('%s loads little until it is ready', (name) => {
  const sizes = [...loadedBy(join(DIST, name)).values()];
  // Each further file costs a start a millisecond or two. One of them is what reads the code cache.
  expect(sizes.length).toBeLessThanOrEqual(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(START_BYTES_MAX);
});

test.each(['cli.js', 'index.js'])('%s loads nothing of HTTPS until it is asked for', (name) => {
  const code = [...loadedBy(join(DIST, name)).keys()].map((path) => readFileSync(path, 'utf8')).join('');
  expect(code).not.toMatch(/playmoney local authority/);
});

test('what makes certificates is loaded only to make them, and is small', () => {
  const chunks = readdirSync(join(DIST, 'chunks'));
  const [issue = '', ...others] = chunks.filter((name) => name.startsWith('issue-'));
  expect(others).toEqual([]);
  expect(statSync(join(DIST, 'chunks', issue)).size).toBeLessThan(10_000);
  const [secure = ''] = chunks.filter((name) => name.startsWith('secure-'));
  expect([...loadedBy(join(DIST, 'chunks', secure)).keys()].join('\n')).not.toContain('issue-');
});

test('what makes people up is loaded only for them, and is below 250 kB', () => {
  const chunks = readdirSync(join(DIST, 'chunks'));
  const [people = '', ...others] = chunks.filter((name) => name.startsWith('people-'));
  expect(others).toEqual([]);
  expect(statSync(join(DIST, 'chunks', people)).size).toBeLessThan(250_000);
  const lazy = chunks.filter((name) => name.startsWith('seldom-')).map((name) => join(DIST, 'chunks', name));
  const loaded = [join(DIST, 'cli.js'), join(DIST, 'index.js'), ...lazy].flatMap((path) => [
    ...loadedBy(path).keys(),
  ]);
  expect(loaded.filter((path) => path.includes('people-'))).toEqual([]);
});

test('what runs on the thread of deliveries is a small file of its own, which no start loads', () => {
  const name = 'deliver-worker.js';
  const code = readFileSync(join(DIST, 'chunks', name), 'utf8');
  expect(code.length).toBeLessThan(10_000);
  const imported = Array.from(code.matchAll(/(?:from|import)\s*"([^"]+)"/g), ([, path = '']) => path);
  expect(imported.filter((path) => !path.startsWith('node:'))).toEqual([]);
  const users = readdirSync(join(DIST, 'chunks')).filter((chunk) =>
    readFileSync(join(DIST, 'chunks', chunk), 'utf8').includes(name),
  );
  expect(users).toEqual([expect.stringMatching(/^(?:seldom|deliverer)-/)]);
});

test('what vitest is given imports the package beside it, and brings no copy of it along', () => {
  const code = readFileSync(join(DIST, 'vitest.js'), 'utf8');
  const imported = Array.from(code.matchAll(/from\s*"([^"]+)"/g), ([, name]) => name);
  expect(new Set(imported)).toEqual(new Set(['vitest', './index.js']));
  expect(code.length).toBeLessThan(10_000);
});
