import { expect, test } from 'vitest';

import { count, isObject, plainLine, quoted, shellQuoted } from '../../../src/core/text/text.js';

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ['text', false],
  [undefined, false],
])('an object is neither null nor a list: %j', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

test('one thing has no s, any other number has', () => {
  expect([count(0, 'call'), count(1, 'call'), count(2, 'call')]).toEqual(['0 calls', '1 call', '2 calls']);
});

test('a message repeats the beginning of a text, on one line', () => {
  expect(quoted('a\n"b"')).toBe(String.raw`"a\n\"b\""`);
  expect(quoted('x'.repeat(50))).toBe(`"${'x'.repeat(40)}"`);
  expect(quoted('xyz', 2)).toBe('"xy"');
});

test('nothing that drives a terminal gets out', () => {
  expect(plainLine('a\u001b[2Kb\nc\u202Ed\u2028e')).toBe('a?[2Kb?c?d?e');
});

test('a shell reads a quoted text as one word, whatever it contains', () => {
  expect(shellQuoted('./a-b_c.json')).toBe('./a-b_c.json');
  expect(shellQuoted("it's here")).toBe(String.raw`'it'\''s here'`);
});
