import { describe, expect, test } from 'vitest';

import { type CommandOf, parseCommand } from '../../../../src/node/cli/parse.js';
import { runVerb } from '../../../../src/node/cli/run-verb.js';
import type { VerbResult } from '../../../../src/node/terminal/terminal.js';
import { fileWith, sender, server } from '../../replay/support.js';
import { folderLibrary } from '../../../../src/node/library.js';

const KEY = 'sk_test_local';
const DECLINES = 'name: no money\nrules:\n  - name: broke\n    then: { outcome: insufficient_funds }\n';
const LOCAL = 'The world cf5a2060d5a6 of sk_test_local';

/** A server, and the verb on it with some words. */
async function setup() {
  const served = await server({ library: folderLibrary() });
  const run = (...words: string[]): Promise<VerbResult> => {
    const command = parseCommand(['scenario', ...words], { PLAYMONEY_URL: served.url });
    return runVerb(command as CommandOf<'scenario'>, {
      env: {},
      output: { out: () => {}, err: () => {}, progress: { note: () => {}, hide: () => {} } },
    });
  };
  return { run, send: sender(served, KEY) };
}

describe('playmoney scenario', () => {
  test('use plays a file of the user, show prints it, and clear stops it', async () => {
    const { run, send } = await setup();
    const file = fileWith(DECLINES, 'bad-day.yaml');
    expect(await run('use', file)).toEqual({ text: `${LOCAL} uses the scenario no money.\n` });
    const shown = (await run('show')).text ?? '';
    expect(shown.split('\n')[0]).toBe(`# ${LOCAL} uses this scenario.`);
    expect(shown).toContain('outcome: insufficient_funds');
    expect(await run('clear')).toEqual({ text: `${LOCAL} uses no scenario.\n` });
    expect(await run('show')).toEqual({ text: `# ${LOCAL} uses no scenario.\n` });
    // What was printed is a scenario file again.
    await run('use', fileWith(shown, 'shown.yaml'));
    expect((await send('GET /_sandbox/scenario')).body).toMatchObject({ Scenario: 'no money' });
  });

  test('use plays a scenario of the library by its name', async () => {
    const { run } = await setup();
    expect((await run('use', 'lost-answer')).text).toBe(`${LOCAL} uses the scenario lost-answer.\n`);
    await expect(run('use', 'lost-anwser')).rejects.toThrow('Did you mean lost-answer?');
  });

  test('use prints the problems of a file as `check` does, and sends nothing', async () => {
    const { run, send } = await setup();
    const file = fileWith('name: a\nclock: manuell\n', 'bad.yaml');
    const { text, exitCode } = await run('use', file);
    expect([text, exitCode]).toEqual([expect.stringContaining(`${file}:2:8: clock must be real, manual`), 1]);
    expect((await send('GET /_sandbox/scenario')).body).toMatchObject({ Scenario: null });
  });

  test('use, show and clear take the key of the world', async () => {
    const { run, send } = await setup();
    await run('use', 'lost-answer', '--key', 'sk_test_other');
    expect((await send('GET /_sandbox/scenario')).body).toMatchObject({ Scenario: null });
    expect((await run('show', '--key', 'sk_test_other')).text).toContain('name: lost-answer');
  });

  test.each([
    [[], 'scenario needs use with a scenario file such as ./declines.yaml, or a name from'],
    [
      ['use'],
      'scenario use needs a scenario file such as ./declines.yaml, or a name from `playmoney scenarios`',
    ],
    [['from-trace'], 'scenario from-trace needs a trace or bundle file'],
    [['show', 'x'], 'scenario takes use with a scenario file such as'],
    [['paly', 'x'], 'scenario takes use with a scenario file such as'],
    [['show', '--out', 'x.yaml'], 'scenario show does not take --out'],
  ])('with the words %j is refused', async (words, message) => {
    const { run } = await setup();
    await expect((async () => run(...words))()).rejects.toThrow(message);
  });
});
