import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

test.each([
  ['docs/reference/fidelity.md', 40],
  ['docs/reference/fidelity-beyond.md', 15],
  ['SECURITY.md', 15],
])('Each name that %s looks up is in the file that it names.', (name, least) => {
  const page = readFileSync(join(ROOT, name), 'utf8');
  const places = [...page.matchAll(/`(\w+)` in `(src\/[^`]+)`/g)];
  const lost = places.filter(([, constant = '', file = '']) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return !new RegExp(`\\b${constant}\\b`).test(source);
  });
  expect(places.length).toBeGreaterThan(least);
  expect(lost.map(([place]) => place)).toEqual([]);
});

/** What a constant in a file of the source is set to; NaN if that is not a number or a product of numbers. */
function valueOf(constant: string, file: string): number {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const [, product = ''] = new RegExp(`const ${constant}(?:: \\w+)? = ([^;]+);`).exec(source) ?? [];
  const factor = (text: string): number =>
    /^ME?B?IB/.test(text) ? 1024 ** 2 : Number(text.replaceAll('_', ''));
  return product
    .split(' * ')
    .map(factor)
    .reduce((one, other) => one * other, 1);
}

/** How a page may write a number of the source: as it is, in bytes, or in milliseconds. */
function writtenAs(value: number): RegExp {
  const forms = [value.toLocaleString('en')];
  for (const [unit, size] of [
    ['KiB', 1024],
    ['MiB', 1024 ** 2],
    ['s', 1000],
    ['min', 60_000],
  ] as const)
    if (value >= size && value % size === 0) forms.push(`${value / size} ${unit}`);
  return new RegExp(`(?<![\\d,.])(?:${forms.join('|')})(?![\\d\\w])`);
}

test('Each limit in SECURITY.md has the number that the source has.', () => {
  const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').matchAll(
    /^\| .*? \| (.*?) \| (.*`\w+` in `src.*) \|$/gm,
  );
  const limits = [...rows].flatMap(([, limit = '', places = '']) =>
    Array.from(places.matchAll(/`([A-Z_]+)` in `(src\/[^`]+)`/g), ([, constant = '', file = '']) => ({
      constant,
      limit,
      value: valueOf(constant, file),
    })),
  );
  const wrong = limits.filter(({ limit, value }) => !writtenAs(value).test(limit));
  expect(limits.length).toBeGreaterThan(30);
  // An object of three limits, which test/node/http/linger.test.ts holds.
  expect(wrong.map(({ constant }) => constant)).toEqual(['LINGER_LIMITS']);
});

/** Files and folders that a page names in backticks, such as `src/core` or `test/world/tables.test.ts`. */
const PATH = /`((?:\.ci|bench|build|docs|scenarios|src|test)\/[\w./-]*\w\/?)`/g;

test.each(['CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'test/README.md', 'test/model/README.md'])(
  'Each file of the repository that %s names exists.',
  (name) => {
    const named = Array.from(readFileSync(join(ROOT, name), 'utf8').matchAll(PATH), ([, path = '']) => path);
    const isExample = (path: string): boolean => /[A-Z]{4}|\d\.\d\.\d/.test(path);
    expect(named.filter((path) => !isExample(path) && !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

test('Each script that test/README.md runs is in package.json.', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const page = readFileSync(join(ROOT, 'test/README.md'), 'utf8');
  const run = [...page.matchAll(/npm run (?:-s )?([\w:]+)|^\| `((?:test|bench)[\w:]*)`/gm)];
  expect(run.length).toBeGreaterThan(20);
  expect(run.map(([, one, other]) => one ?? other ?? '').filter((name) => !(name in scripts))).toEqual([]);
});
