import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

test('Each name that CONTRIBUTING.md looks up stands in the file that it names.', () => {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const places = [...page.matchAll(/`(\w+)` in `(src\/[^`]+)`/g)];
  const lost = places.filter(([, name = '', file = '']) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return !new RegExp(`\\b${name}\\b`).test(source);
  });
  expect(places.length).toBeGreaterThan(50);
  expect(lost.map(([place]) => place)).toEqual([]);
});
