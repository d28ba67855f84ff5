import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { deriveWorldName } from '../../src/core/keys.js';

const ROOT = join(import.meta.dirname, '../..');
const CONFIGURATION = readFileSync(join(ROOT, 'integrations/nginx/playmoney.conf'), 'utf8');
/** A row of the map from the last character of a key to the first digit of its world's name. */
const ROW = /^ {4}~(\[\S+\]\$) +([\da-f]);$/gm;
const ROWS = [...CONFIGURATION.matchAll(ROW)].map(([, pattern = '', digit = '']) => ({ pattern, digit }));
/** Every character that a key may have. */
const CHARACTERS = Array.from({ length: 0x5e }, (_, n) => String.fromCharCode(0x21 + n)).filter(
  (one) => one !== ',',
);

test('The name of a world is twelve hex digits, which are others for each key.', () => {
  const names = CHARACTERS.map((one) => deriveWorldName(`sk_test_${one}`));
  for (const name of names) expect(name).toMatch(/^[\da-f]{12}$/);
  expect(new Set(names).size).toBe(names.length);
});

test('The configuration of nginx finds the first digit in the last character of the key, whatever it is.', () => {
  for (const last of CHARACTERS) {
    const key = `sk_test_shop${last}`;
    const digits = ROWS.filter(({ pattern }) => new RegExp(pattern).test(key)).map(({ digit }) => digit);
    expect([key, digits]).toEqual([key, [deriveWorldName(key)[0]]]);
  }
});

test('docs/guides/many-machines.md shows that configuration.', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/many-machines.md'), 'utf8');
  expect(page).toContain(`\`\`\`nginx\n${CONFIGURATION}\`\`\``);
});
