import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type Given, readOptions } from '../../src/node/cli/option.js';
import { START } from '../../src/node/cli/option-table.js';
import { checkFiles } from '../../src/node/cli/check.js';
import { bundle } from '../../src/node/replay/bundle.js';
import { openBundle } from '../../src/node/replay/open.js';
import { openState } from '../../src/node/state/state-file.js';
import { KINDS } from '../../src/records.js';
import { VERSION } from '../../src/version.js';
import { busy } from '../control/snapshots/support.js';
import { server } from '../node/replay/support.js';
import { playCalls } from '../support/play-calls.js';
import { client, good, type TestSandbox, testSandbox } from '../support/sandbox.js';
import { SDK } from '../support/sdk.js';
import { type Spelling, SPELLINGS } from '../support/spellings.js';

/**
 * Files that each released version saved. All later versions must open them. Before a release, `SAVE=1 npx vitest run test/saved`
 * writes those of the version in package.json.
 */

const KEY = 'sk_test_saved';
interface SavedWorlds {
  readonly Worlds: readonly { readonly Key: string; readonly State: Record<string, unknown[] | undefined> }[];
}

const NOTHING_GIVEN: Given = new Map();
const SCENARIOS = join(import.meta.dirname, '../../scenarios');
const folderOf = (version: string): string => join(import.meta.dirname, version);

async function save(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'scenarios'), { recursive: true });
  const { sandbox, url } = await server();
  const api = client(sandbox, KEY);
  const writeWorlds = (await openState(join(folder, 'worlds.json'))).keep(sandbox);
  const [spelling] = Object.values(SPELLINGS) as [Spelling];
  await playCalls(api, { ...spelling, headers: { ...spelling.headers, ...SDK } });
  await good(
    api.play({ name: 'saved', rules: [{ when: { amount: 77.77 }, then: { outcome: 'lost_card' } }] }),
  );
  await busy(api);
  await writeWorlds();
  const { Counts } = await api.read('/_sandbox/world');
  for (const { counted } of Object.values(KINDS)) expect(Counts, counted).not.toHaveProperty(counted, 0);
  await bundle({ url, key: KEY, adminToken: null }, join(folder, 'bundle.json'), () => undefined);
  for (const name of readdirSync(SCENARIOS).filter((one) => one.endsWith('.yaml'))) {
    cpSync(join(SCENARIOS, name), join(folder, 'scenarios', name));
  }
}

test.runIf(process.env['SAVE'] === '1')('This version saves its files.', async () => {
  const folder = folderOf(VERSION);
  await save(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['bundle.json', 'scenarios', 'worlds.json']);
});

const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name));

describe.each(versions)('The files of version %s', (version) => {
  const file = (name: string): string => join(folderOf(version), name);
  const counted = Object.values(KINDS).map((kind) => kind.counted);

  /** How many records of each kind a world has. */
  async function counts(sandbox: TestSandbox, key: string): Promise<Record<string, unknown>> {
    const { Counts } = await client(sandbox, key).read('/_sandbox/world');
    const found = Counts as Record<string, unknown>;
    return Object.fromEntries(counted.map((kind) => [kind, found[kind]]));
  }

  test('worlds.json opens, with all its records.', async () => {
    const { Worlds } = JSON.parse(readFileSync(file('worlds.json'), 'utf8')) as SavedWorlds;
    const [saved] = Worlds.filter(({ Key }) => Key === KEY).map(({ State }) =>
      counted.map((kind): [string, number] => [kind, State[kind]?.filter((one) => one !== null).length ?? 0]),
    );
    const sandbox = testSandbox();
    await (await openState(file('worlds.json'))).restore(sandbox);
    expect(await counts(sandbox, KEY)).toEqual(Object.fromEntries(saved ?? []));
  });

  test('bundle.json opens, with the records of worlds.json.', async () => {
    const [kept, sandbox] = [testSandbox(), testSandbox()];
    await (await openState(file('worlds.json'))).restore(kept);
    const opened = await openBundle(file('bundle.json'), readOptions(START, NOTHING_GIVEN, {}));
    opened.restore(sandbox);
    expect(await counts(sandbox, 'sk_test_local')).toEqual(await counts(kept, KEY));
  });

  test('Its scenario files are accepted.', async () => {
    const files = readdirSync(file('scenarios')).map((name) => join(file('scenarios'), name));
    let said = '';
    const { exitCode } = await checkFiles(files, {
      out: (text) => (said += text),
      err: (text) => (said += text),
    });
    expect(exitCode, said).toBe(0);
    expect(files.length).toBeGreaterThan(20);
  });
});
