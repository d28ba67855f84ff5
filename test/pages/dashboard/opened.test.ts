import { expect, test } from 'vitest';

import { describeOpened, isOpenable } from '../../../src/pages/dashboard/text/decide/opened.js';

test.each([
  ['{"Format":"playmoney-bundle","Version":1}', true],
  ['\uFEFF{\n  "Format": "playmoney-trace", broken', true],
  ['{ "log": { "version": "1.2" } }', true],
  ['{"name":"mine","rules":[]}', false],
  ['name: mine # "Format":"playmoney-bundle"', false],
])('%s is opened in a new world: %s', (text, isOpened) => {
  expect(isOpenable(text)).toBe(isOpened);
});

test('says which world is new, and what is different there', () => {
  const world = { World: 'a1', Key: null, Name: null, Now: '', Calls: 2, Different: 1, EntryId: null };
  const opened = {
    Kind: 'trace',
    Worlds: [world, { ...world, Key: 'sk_test_a-2' }],
    Warnings: ['No webhooks.'],
  };
  expect(describeOpened('a.json is open', opened)).toBe(
    'a.json is open in the new world a1, the first of 2, with 4 calls. No webhooks.',
  );
});
