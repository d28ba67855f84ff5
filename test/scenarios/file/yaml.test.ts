import { expect, test, vi } from 'vitest';

import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { TEXT_LENGTH_MAX } from '../../../src/scenarios/file/yaml.js';
import { expectShown } from '../support.js';

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('');

/** Texts that are short for what they ask of a reader, and what is said of each. */
const HOSTILE: readonly (readonly [text: string, message: string])[] = [
  [`name: a\nseed: &a x\ndescription: ¦*b\n`, 'unknown alias'],
  [
    'name: a\nrules: &a\n- then: {respond: {status: 200, body: ¦*a}}\n',
    'the alias is within what it repeats',
  ],
  [`name: &a x\nkeys:\n${'- *a\n'.repeat(100)}- ¦*a\n`, 'the file has more than 100 aliases, the maximum'],
  [
    `name: &a ${'x'.repeat(99_000)}\nseed: &b [${'*a, '.repeat(5)}*a]\ndescription: ¦*b\n`,
    'after its aliases are expanded, the file would be longer than 1000000 characters, the maximum',
  ],
  [`name: ${'['.repeat(31)}¦[1${']'.repeat(32)}\n`, 'nested too deeply; the maximum is 32 levels'],
  [`name: ${'['.repeat(2000)}`, 'nested too deeply; the maximum is 32 levels'],
  ['name: a\n? ¦[b]\n: 1\n', 'the name of a field must be a text'],
  ['¦%YAML 1.1\n---\nname: a\n', 'the file must be YAML 1.2, not 1.1; leave out the line %YAML'],
  ['name: ¦!!binary YWI=\n', 'YAML: Unresolved tag'],
  [`¦${'-\n'.repeat(110_000)}`, 'the file has more than 200000 tokens, the maximum'],
  [`¦${'#'.repeat(TEXT_LENGTH_MAX + 1)}`, 'the file is longer than 1000000 characters, the maximum'],
  [`name: a\n¦]4929123456781236\n`, 'YAML: '],
];

test.each(HOSTILE.map(([text, message]) => [message, text] as const))(
  'a text that asks much of its reader is refused where it does: %s',
  async (message, text) => {
    if (text.includes('¦')) return expectShown(text, message);
    const read = await readScenarioText(text, 'bad.yaml');
    expect(read).toMatchObject({ problems: [{ message: expect.stringContaining(message) as unknown }] });
  },
);

test('a card number is not repeated by a message of the parser', async () => {
  const read = await readScenarioText('name: a\n]"4929123456781236"\n', 'bad.yaml');
  expect(JSON.stringify(read)).not.toContain('4929123456781236');
});

test('tens of thousands of names, right or wrong, take no longer than their number asks for', async () => {
  const text = `name: a\n${lines(25_000, (n) => `x${n}: 1`)}`;
  const read = await readScenarioText(text, 'bad.yaml');
  if ('scenario' in read) throw new Error('it has no right field but its name');
  // The first hundred, as many as anyone reads.
  expect(read.problems).toHaveLength(100);
  expect(read.problems[0]).toMatchObject({ line: 2, column: 1 });
});

test('nothing of a hostile text is printed', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await readScenarioText('name: a\n? {b: c}\n: 1\n', 'bad.yaml');
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('aliases that repeat little are read', async () => {
  const text = `name: a\nrules:\n- &r\n  when: {nth: 1}\n  then: &t {outcome: do_not_honor}\n- then: *t\n`;
  expect(await readScenarioText(text, 'good.yaml')).toMatchObject({
    scenario: { rules: [{ effect: { outcome: 'do_not_honor' } }, { effect: { outcome: 'do_not_honor' } }] },
  });
});
