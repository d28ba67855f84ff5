import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { folder } from '../support/folder.js';

const DIST = join(import.meta.dirname, '../../dist');
/**
 * What a start may load, in characters of code: compiling it takes most of the time until the first answer (bench/start.mjs). Line
 * breaks and indentation, which take up another fifth, cost nothing that can be measured (docs/decisions/0011).
 */
const START_LENGTH_MAX = 1_068_000;
/** Each file that is loaded costs a start about half a millisecond. */
const START_FILES_MAX = 17;

/** The files that are loaded before a program runs, and their code: lazy imports are calls, these are not. */
function loadedBy(path: string, loaded = new Map<string, string>()): Map<string, string> {
  if (loaded.has(path)) return loaded;
  const code = readFileSync(path, 'utf8');
  loaded.set(path, code);
  for (const [, name = ''] of code.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g))
    loadedBy(join(dirname(path), name), loaded);
  return loaded;
}

/** The texts of the package, those of pages decompressed. */
function textsOf(): string[] {
  const texts = readFileSync(join(DIST, 'texts.json'), 'utf8');
  const { assets } = JSON.parse(texts) as { assets: Record<string, { gzip: string }> };
  return [
    texts,
    ...Object.values(assets).map(({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString()),
  ];
}

/** The names of the files that this program loads before it runs. */
const filesOf = (name: string): string[] => [...loadedBy(join(DIST, name)).keys()];
const codeOf = (name: string): string => [...loadedBy(join(DIST, name)).values()].join('');

test.each(['cli.js', 'index.js'])('%s loads little until it is ready', (name) => {
  expect(filesOf(name).length).toBeLessThanOrEqual(START_FILES_MAX);
  expect(codeOf(name).replaceAll(/\s+/g, '').length).toBeLessThan(START_LENGTH_MAX);
});

test.each([
  ['HTTPS', /playmoney local authority/],
  ['YAML', /BLOCK_FOLDED/],
  ['what people are made of', /Abernathy/],
  ['the description of the interface', /"openapi":"3/],
  ['what the pages load', /PlaymoneyError/],
])('A start loads nothing of %s', (_, pattern) => {
  const chunks = readdirSync(join(DIST, 'chunks')).map((name) => join('chunks', name));
  const late = [...textsOf(), ...chunks.map((name) => readFileSync(join(DIST, name), 'utf8'))];
  expect(late.some((code) => pattern.test(code))).toBe(true);
  for (const name of ['cli.js', 'index.js']) expect(codeOf(name)).not.toMatch(pattern);
});

test('what runs on the thread of deliveries is a small file of its own, which no start loads', () => {
  const name = 'deliver-worker.js';
  const code = readFileSync(join(DIST, 'chunks', name), 'utf8');
  expect(code.length).toBeLessThan(15_000);
  const imported = Array.from(code.matchAll(/(?:from|import)\s*"([^"]+)"/g), ([, path = '']) => path);
  expect(imported.filter((path) => !path.startsWith('node:'))).toEqual([]);
  for (const program of ['cli.js', 'index.js'])
    expect(filesOf(program)).not.toContain(join(DIST, 'chunks', name));
});

test.each(['vitest.js', 'jest.js', 'node-test.js', 'playwright.js'])(
  'what %s gives its runner shares the package with those who import it, and brings no copy of it along',
  (name) => {
    const shared = new Set(filesOf('index.js'));
    const own = [...loadedBy(join(DIST, name))].filter(([path]) => !shared.has(path));
    expect(own[0]?.[0]).toBe(join(DIST, name));
    expect(own.reduce((sum, [, code]) => sum + code.length, 0)).toBeLessThan(40_000);
  },
);

test('A start and a charge do not read the texts', () => {
  const cwd = folder();
  cpSync(DIST, join(cwd, 'dist'), { recursive: true, filter: (path) => !path.endsWith('texts.json') });
  const code = `
    import { createSandbox } from './dist/index.js';
    const world = createSandbox().world('sk_test_a');
    const body = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
    const headers = { 'content-type': 'application/json' };
    console.log((await world.fetch('/charge/token', { method: 'POST', headers, body })).status);`;
  const node = ['--input-type=module', '--eval', code];
  expect(execFileSync(process.execPath, node, { cwd, encoding: 'utf8' })).toBe('201\n');
});
