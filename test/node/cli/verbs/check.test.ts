import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { chooseScenario } from '../../../../src/node/cli/choose-scenario.js';
import { checkFiles } from '../../../../src/node/cli/verbs/check.js';
import { folderLibrary } from '../../../../src/node/library.js';
import { folder } from '../../../support/folder.js';
import { formatLines } from '../../../../src/node/terminal/terminal.js';
import { reloadOnChange } from '../../../../src/node/cli/start/watch.js';

const FOLDER = new URL('../../../../scenarios/', import.meta.url).pathname;

describe('checking files', () => {
  async function check(...files: string[]): Promise<{ code: number; out: string; err: string }> {
    const printed = { out: '', err: '' };
    const { exitCode = 0 } = await checkFiles(files, {
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
    });
    return { code: exitCode, ...printed };
  }

  test('a good file is ok', async () => {
    const file = `${FOLDER}happy-path.yaml`;
    expect(await check(file)).toEqual({ code: 0, out: `${file}: ok\n`, err: '' });
  });

  test('each problem has its line, and the files after it are checked too', async () => {
    const [bad, good] = [`${FOLDER}../package.json`, `${FOLDER}happy-path.yaml`];
    const { code, out } = await check(bad, good);
    expect(code).toBe(1);
    expect(out.trimEnd().split('\n').slice(0, -1)).toEqual(
      expect.arrayContaining([expect.stringMatching(/package\.json:\d+:\d+: \S/)]),
    );
    expect(out.endsWith(`${good}: ok\n`)).toBe(true);
  });

  test('a rule that can never match is named', async () => {
    const file = join(folder(), 'a.yaml');
    writeFileSync(file, 'name: a\nrules:\n  - then: {nothing: true}\n  - then: {fault: reset}\n');
    const { code, out } = await check(file);
    expect(code).toBe(1);
    expect(out).toMatch(/a\.yaml:4:5: "rule 2" can never match, because "rule 1" comes first/);
  });

  test('a hint is printed, and the file is ok', async () => {
    const file = join(folder(), 'a.yaml');
    writeFileSync(file, "name: a\nrules:\n  - {when: {customer: '*', nth: 3}, then: {fault: reset}}\n");
    const { code, out } = await check(file);
    expect(code).toBe(0);
    expect(out).toMatch(/^.*a\.yaml: ok\n.*a\.yaml:3:28: hint: "rule 1" counts .* add each: customer\n$/);
  });

  test('no scenario of the library has one', async () => {
    const files = (await folderLibrary().names()).map((name) => `${FOLDER}${name}.yaml`);
    expect((await check(...files)).code).toBe(0);
  });

  test('a file that cannot be read counts more than one that is wrong', async () => {
    const { code, err } = await check(`${FOLDER}none.yaml`, FOLDER, `${FOLDER}../package.json`);
    expect(code).toBe(2);
    expect(err).toBe(
      `playmoney: cannot read ${FOLDER}none.yaml: no such file\nplaymoney: cannot read ${FOLDER}: it is a folder\n`,
    );
  });
});

test('with --json, all files come as one object, also those that cannot be read', async () => {
  let out = '';
  const [bad, good, none] = [`${FOLDER}../package.json`, `${FOLDER}happy-path.yaml`, `${FOLDER}none.yaml`];
  const output = { out: (text: string) => void (out += text), err: () => {} };
  const { exitCode } = await checkFiles([bad, good, none], output, { json: true });
  expect(exitCode).toBe(2);
  expect(JSON.parse(out)).toEqual({
    Ok: false,
    Files: [
      {
        File: bad,
        Problems: expect.arrayContaining([
          { Line: 3, Column: 3, Message: expect.stringMatching(/^"version" is not a field/) as unknown },
        ]) as unknown,
        Hints: [],
      },
      { File: good, Problems: [], Hints: [] },
      {
        File: none,
        Problems: [{ Line: null, Column: null, Message: `cannot read ${none}: no such file` }],
        Hints: [],
      },
    ],
  });
});

describe('choosing a scenario', () => {
  const library = folderLibrary();

  test('a name is looked up in the library, a path is read', async () => {
    expect(await chooseScenario('happy-path', library)).toMatchObject({
      scenario: { name: 'happy-path' },
      text: null,
    });
    expect(await chooseScenario(`${FOLDER}happy-path.yaml`, library)).toMatchObject({
      scenario: { name: 'happy-path' },
      text: expect.stringContaining('name: happy-path'),
    });
  });

  test.each([
    ['hapy-path', 'Did you mean happy-path?'],
    ['zzzzzz', /Scenarios: authorisation-expires, .*, webhook-trouble\./],
    ['./zzzzzz', 'cannot read ./zzzzzz: no such file'],
    [`${FOLDER}../package.json`, /package\.json:\d+:\d+: /],
  ])('%s is none: %s', async (given, expected) => {
    const reasons = await chooseScenario(given, library);
    expect(Object.values(reasons).join('\n')).toMatch(expected);
  });
});

describe('watching a file', () => {
  const GOOD = 'name: one\nrules: []\n';
  const OTHER = 'name: two\nrules: []\n';
  const BROKEN = 'name: x\nrules: 3\n';

  /** A file, and a timer that is run by hand. */
  function setup() {
    const file = join(folder(), 'a.yaml');
    writeFileSync(file, GOOD);
    const timers = new Set<() => void>();
    const played: string[] = [];
    const said: string[] = [];
    const { changed, idle } = reloadOnChange({
      file,
      text: GOOD,
      host: {
        timer: (callback) => {
          timers.add(callback);
          return () => timers.delete(callback);
        },
      },
      play: async (scenario) => void played.push(scenario.name),
      report: (...lines) => said.push(formatLines(lines).replaceAll(file, 'a.yaml')),
    });
    /** Runs the timers, and returns how many there were. */
    const settle = async (): Promise<number> => {
      const due = [...timers];
      timers.clear();
      for (const timer of due) timer();
      await idle();
      return due.length;
    };
    const write = (text: string): void => writeFileSync(file, text);
    return { file, write, played, said, changed, settle };
  }

  test('a new text is played, once for many events', async () => {
    const { write, played, said, changed, settle } = setup();
    write(OTHER);
    for (let event = 0; event < 5; event++) changed();
    expect(await settle()).toBe(1);
    expect(played).toEqual(['two']);
    expect(said).toEqual(['a.yaml: reloaded, scenario two\n']);
  });

  test('the same text does not start again', async () => {
    const { played, said, changed, settle } = setup();
    changed();
    await settle();
    expect({ played, said }).toEqual({ played: [], said: [] });
  });

  test('a broken text is explained once, and the next good one is played', async () => {
    const { write, played, said, changed, settle } = setup();
    write(BROKEN);
    changed();
    await settle();
    changed();
    await settle();
    expect(played).toEqual([]);
    expect(said).toEqual([
      expect.stringMatching(/^a\.yaml:2:8: .*\na\.yaml: not reloaded; the last good version stays in use\n$/),
    ]);
    write(OTHER);
    changed();
    await settle();
    expect(played).toEqual(['two']);
  });

  test('a file that is gone is named once, and played when it is back', async () => {
    const { file, write, played, said, changed, settle } = setup();
    rmSync(file);
    for (let event = 0; event < 2; event++) {
      changed();
      await settle();
    }
    expect(said).toEqual([expect.stringContaining('no such file')]);
    write(OTHER);
    changed();
    await settle();
    expect(played).toEqual(['two']);
  });
});
