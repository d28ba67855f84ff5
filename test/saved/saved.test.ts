import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type GivenOptions, readOptions } from '../../src/node/options/option.js';
import { START } from '../../src/node/options/option-table.js';
import { checkFiles } from '../../src/node/cli/verbs/check.js';
import { runBundle } from '../../src/node/bundles/bundle.js';
import { openBundle } from '../../src/node/bundles/open.js';
import { FolderStore } from '../../src/node/state/folder-store.js';
import { WorldKeeper } from '../../src/app/saving/keeper.js';
import { KINDS } from '../../src/world/tables.js';
import { VERSION } from '../../src/core/version.js';
import { busy } from '../control/snapshots/support.js';
import { server } from '../node/replay/support.js';
import { playCalls } from '../support/play-calls.js';
import { folder as temporary } from '../support/folder.js';
import { client, good, type TestSandbox, testSandbox } from '../support/sandbox.js';
import { SDK } from '../support/sdk.js';
import { type Spelling, SPELLINGS } from '../support/spellings.js';

/**
 * Files that each released version saved. All later versions must open them. Before a release, `SAVE=1 npx vitest run test/saved`
 * writes those of the version in package.json.
 */

const KEY = 'sk_test_saved';
interface SavedWorld {
  readonly Key: string;
  readonly State: Record<string, unknown[] | undefined>;
}

/** What `SAVE=1` writes. */
const SAVED = ['bundle.json', 'scenarios', 'worlds'];
const NOTHING_GIVEN: GivenOptions = new Map();
const SCENARIOS = join(import.meta.dirname, '../../scenarios');
const folderOf = (version: string): string => join(import.meta.dirname, version);

async function save(folder: string): Promise<void> {
  for (const name of SAVED) rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, 'scenarios'), { recursive: true });
  const { sandbox, url } = await server();
  const api = client(sandbox, KEY);
  const keeper = await WorldKeeper.open(sandbox.worlds, new FolderStore(join(folder, 'worlds')));
  const [spelling] = Object.values(SPELLINGS) as [Spelling];
  await playCalls(api, { ...spelling, headers: { ...spelling.headers, ...SDK } });
  await good(
    api.play({ name: 'saved', rules: [{ when: { amount: 77.77 }, then: { outcome: 'lost_card' } }] }),
  );
  await busy(api);
  await keeper.end();
  const { Counts } = await api.read('/_sandbox/world');
  for (const { counted } of Object.values(KINDS)) expect(Counts, counted).not.toHaveProperty(counted, 0);
  await runBundle(
    { url, key: KEY, adminToken: null, html: false },
    join(folder, 'bundle.json'),
    () => undefined,
  );
  for (const name of readdirSync(SCENARIOS).filter((one) => one.endsWith('.yaml'))) {
    cpSync(join(SCENARIOS, name), join(folder, 'scenarios', name));
  }
}

test.runIf(process.env['SAVE'] === '1')('This version saves its files.', async () => {
  const folder = folderOf(VERSION);
  await save(folder);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(SAVED));
});

const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name));

describe.each(versions)('The files of version %s', (version) => {
  const file = (name: string): string => join(folderOf(version), name);
  const counted = Object.values(KINDS).map((kind) => kind.counted);

  /** A sandbox with the saved worlds, from a copy of their folder: opening may rename files. */
  async function opened(): Promise<TestSandbox> {
    const copy = join(temporary(), 'worlds');
    cpSync(file('worlds'), copy, { recursive: true });
    const store = new FolderStore(copy);
    await store.lock();
    const sandbox = testSandbox();
    await WorldKeeper.open(sandbox.worlds, store);
    return sandbox;
  }

  /** How many records of each kind a world has. */
  async function counts(sandbox: TestSandbox, key: string): Promise<Record<string, unknown>> {
    const { Counts } = await client(sandbox, key).read('/_sandbox/world');
    const found = Counts as Record<string, unknown>;
    return Object.fromEntries(counted.map((kind) => [kind, found[kind]]));
  }

  const worlds = readdirSync(file('worlds')).map(
    (name) => JSON.parse(readFileSync(join(file('worlds'), name), 'utf8')) as SavedWorld,
  );

  test('Its worlds open, with all their records.', async () => {
    const State: SavedWorld['State'] = worlds.find(({ Key }) => Key === KEY)?.State ?? {};
    const written = counted.map((kind) => [kind, State[kind]?.filter((one) => one !== null).length ?? 0]);
    expect(await counts(await opened(), KEY)).toEqual(Object.fromEntries(written));
  });

  test('bundle.json opens, with the records of the worlds.', async () => {
    const sandbox = testSandbox();
    const bundled = await openBundle(file('bundle.json'), readOptions(START, NOTHING_GIVEN, {}));
    await bundled.restore(sandbox);
    expect(await counts(sandbox, 'sk_test_local')).toEqual(await counts(await opened(), KEY));
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
