import { expect, test } from 'vitest';

import {
  formatCount,
  isObject,
  escapeUnseen,
  quoteText,
  quoteForShell,
} from '../../../src/core/text/text.js';

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
  expect([formatCount(0, 'call'), formatCount(1, 'call'), formatCount(2, 'call')]).toEqual([
    '0 calls',
    '1 call',
    '2 calls',
  ]);
});

test('a message repeats the beginning of a text, on one line', () => {
  expect(quoteText('a\n"b"')).toBe(String.raw`"a\n\"b\""`);
  expect(quoteText('x'.repeat(50))).toBe(`"${'x'.repeat(40)}"`);
  expect(quoteText('xyz', 2)).toBe('"xy"');
});

test('nothing that drives a terminal gets out', () => {
  expect(escapeUnseen('a\u001b[2Kb\nc\u202Ed\u2028e')).toBe(String.raw`a\u001b[2Kb\nc\u202ed\u2028e`);
});

test.each([
  ['a no-break space', '\u00a0'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a soft hyphen', '\u00ad'],
  ['a byte order mark', '\ufeff'],
  ['a mark of direction', '\u2066'],
  ['a word joiner', '\u2060'],
  ['an ideographic space', '\u3000'],
  ['a Hangul filler', '\u3164'],
  ['a blank of Braille', '\u2800'],
  ['half a pair', '\ud800'],
  ['a next line', '\u0085'],
])('%s is shown escaped, in quotes or not', (_, character) => {
  const shown = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect(escapeUnseen(`a${character}b`)).toBe(`a${shown}b`);
  expect(quoteText(`a${character}b`)).toBe(`"a${shown}b"`);
});

test('blanks, accents and other scripts are shown as they are, and a tag with both of its sequences', () => {
  expect(escapeUnseen('a é 日本 🙂')).toBe('a é 日本 🙂');
  expect(escapeUnseen('\u{e0041}')).toBe(String.raw`\udb40\udc41`);
});

test('a shell reads a quoted text as one word, whatever it contains', () => {
  expect(quoteForShell('./a-b_c.json')).toBe('./a-b_c.json');
  expect(quoteForShell("it's here")).toBe(String.raw`'it'\''s here'`);
});
