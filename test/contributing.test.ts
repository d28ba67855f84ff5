import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

test.each([
  ['CONTRIBUTING.md', 50],
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

/** Files and folders that a page names in backticks, such as `src/core` or `test/records.test.ts`. */
const PATH = /`((?:\.ci|bench|build|docs|scenarios|src|test)\/[\w./-]*\w\/?)`/g;

test.each(['CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'test/model/README.md'])(
  'Each file of the repository that %s names exists.',
  (name) => {
    const named = Array.from(readFileSync(join(ROOT, name), 'utf8').matchAll(PATH), ([, path = '']) => path);
    const isExample = (path: string): boolean => /[A-Z]{4}|\d\.\d\.\d/.test(path);
    expect(named.filter((path) => !isExample(path) && !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

test('Each script that CONTRIBUTING.md runs is in package.json.', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const run = [...page.matchAll(/npm run (?:-s )?([\w:]+)|^\| `((?:test|bench)[\w:]*)`/gm)];
  expect(run.length).toBeGreaterThan(20);
  expect(run.map(([, one, other]) => one ?? other ?? '').filter((name) => !(name in scripts))).toEqual([]);
});
