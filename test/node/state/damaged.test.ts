import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { FolderStore } from '../../../src/node/state/folder-store.js';
import { deriveWorldName } from '../../../src/core/keys.js';
import { folder } from '../../support/folder.js';
import { client, good, testSandbox } from '../../support/sandbox.js';

const KEYS = ['sk_test_a', 'sk_test_b', 'sk_test_c'];
const B = deriveWorldName('sk_test_b');
const CHARGE = { Amount: 5, Token: 'tok_approve' };

/** What can stand in the place of a file, and how a message describes it. */
const PLACES: readonly [what: string, put: (file: string) => void, problem: string][] = [
  ['a named pipe', (file) => void spawnSync('mkfifo', [file]), 'is not a file but a named pipe'],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file), 'is not a file but a link'],
  ['a link to a file', (file) => symlinkSync(import.meta.filename, file), 'is not a file but a link'],
  ['a folder', (file) => mkdirSync(join(file, 'inside'), { recursive: true }), 'is not a file but a folder'],
  ['an empty file', (file) => writeFileSync(file, ''), ':1:1: not valid JSON'],
  ['a file that is no JSON', (file) => writeFileSync(file, 'PK\u0003\u0004'), ':1:1: not valid JSON'],
  [
    'a huge file',
    (file) => {
      writeFileSync(file, '{');
      truncateSync(file, 300 * 1024 * 1024);
    },
    'is larger than 256 MiB, the maximum',
  ],
];

/** A folder with a world of each key, which a new server has opened. */
async function folderWithWorlds() {
  const path = join(folder(), 'worlds');
  const before = testSandbox();
  const keeper = await WorldKeeper.open(before.worlds, new FolderStore(path));
  for (const key of KEYS) await good(client(before, key).post('/charge/token', CHARGE));
  expect(await keeper.end()).toBe(true);
  const sandbox = testSandbox({ worldsByName: true });
  await WorldKeeper.open(sandbox.worlds, new FolderStore(path));
  const id = new FolderStore(path).idOf('sk_test_b');
  const fileOf = (kind: 'world' | 'calls'): string => join(path, `${kind}-${id}.json`);
  const list = () => client(sandbox, null).read('/_sandbox/worlds');
  return { path, sandbox, fileOf, list };
}

/** Deletes a file, and puts something else in its place. */
function replace(file: string, put: (file: string) => void): void {
  rmSync(file, { force: true });
  put(file);
}

const namesIn = (list: unknown): unknown =>
  (list as { World: string }[]).map(({ World }) => World).toSorted();

describe.runIf(process.platform !== 'win32')('in the place of a saved world', () => {
  test.each(PLACES)('%s is named in the list of worlds, which has all others', async (_, put, problem) => {
    const { fileOf, list } = await folderWithWorlds();
    replace(fileOf('world'), put);
    const { Count, Worlds, Unreadable } = await list();
    expect(Count).toBe(3);
    expect(namesIn(Worlds)).toEqual(['sk_test_a', 'sk_test_c'].map(deriveWorldName).toSorted());
    expect(Unreadable).toEqual([
      {
        World: B,
        Problem: expect.stringContaining(fileOf('world')),
      },
    ]);
    expect(JSON.stringify(Unreadable)).toContain(problem);
  });

  test.each(PLACES)(
    '%s refuses the calls of its key, until it is deleted by key',
    async (_, put, problem) => {
      const { fileOf, list, sandbox } = await folderWithWorlds();
      replace(fileOf('world'), put);
      const api = client(sandbox, 'sk_test_b');
      const refused = await api.get('/charge');
      expect(refused.status).toBe(503);
      expect(refused.body['Message']).toContain(`cannot be read: ${fileOf('world')}`);
      expect(refused.body['Message']).toContain(problem);
      expect((await api.del(`/_sandbox/worlds/${deriveWorldName('sk_test_a')}`)).status).toBe(404);
      const deleted = await good(api.del(`/_sandbox/worlds/${B}`));
      expect(deleted.body).toEqual({ World: B, Problem: expect.stringContaining(problem) });
      expect([existsSync(fileOf('world')), existsSync(fileOf('calls'))]).toEqual([false, false]);
      expect(await list()).toMatchObject({ Count: 2, Unreadable: [] });
      await good(api.post('/charge/token', CHARGE));
      expect((await api.read('/charge'))['Count']).toBe(1);
    },
  );
});

test('a world of a newer version is begun anew by a reset', async () => {
  const { fileOf, list, sandbox } = await folderWithWorlds();
  writeFileSync(fileOf('world'), '{"Format":"playmoney-world","Version":99}');
  const api = client(sandbox, 'sk_test_b');
  expect((await api.get('/charge')).body['Message']).toContain('POST /_sandbox/reset');
  await good(api.post('/_sandbox/reset'));
  expect((await api.read('/charge'))['Count']).toBe(0);
  expect(await list()).toMatchObject({ Count: 3, Unreadable: [] });
});

describe.runIf(process.platform !== 'win32')('in the place of the calls of a world', () => {
  test.each(PLACES)('%s is refused with its name, and deleted with its world', async (_, put, problem) => {
    const { fileOf, sandbox } = await folderWithWorlds();
    replace(fileOf('calls'), put);
    const refused = await client(sandbox, 'sk_test_b').get('/charge');
    expect(refused.status).toBe(503);
    expect(refused.body['Message']).toContain(fileOf('calls'));
    expect(refused.body['Message']).toContain(problem);
    await good(client(sandbox, null).del(`/_sandbox/worlds/${B}`));
    expect([existsSync(fileOf('world')), existsSync(fileOf('calls'))]).toEqual([false, false]);
  });

  test('JSON that is something else is named itself, not the file of the world', async () => {
    const { fileOf, sandbox } = await folderWithWorlds();
    writeFileSync(fileOf('calls'), '{"a":1}');
    const { Message } = (await client(sandbox, 'sk_test_b').get('/charge')).body;
    expect(Message).toContain(`cannot be read: ${fileOf('calls')}: `);
    expect(Message).not.toContain(fileOf('world'));
  });

  test('nothing costs only the calls', async () => {
    const { fileOf, sandbox } = await folderWithWorlds();
    rmSync(fileOf('calls'));
    const api = client(sandbox, 'sk_test_b');
    expect((await api.read('/charge'))['Count']).toBe(1);
    expect(await api.read('/_sandbox/journal')).toMatchObject({ Count: 1, Evicted: 1 });
  });
});

describe.runIf(process.platform !== 'win32')('in the place of the file with the uptime', () => {
  test.each(PLACES.filter(([, , problem]) => problem.startsWith('is not a file')))(
    '%s is refused at the start, and stays as it is',
    async (_, put, problem) => {
      const { path } = await folderWithWorlds();
      replace(join(path, 'uptime'), put);
      const opened = WorldKeeper.open(testSandbox().worlds, new FolderStore(path));
      await expect(opened).rejects.toThrow(`${join(path, 'uptime')} ${problem}`);
    },
  );

  test.each(['', 'soon', '-5', 'Infinity', '1e400', '0x1F', '7\n'])(
    '%j is no uptime or a whole one',
    async (text) => {
      const path = folder();
      writeFileSync(join(path, 'uptime'), text);
      expect(await new FolderStore(path).loadUptime()).toBe({ '7\n': 7, '0x1F': 31 }[text] ?? 0);
    },
  );

  test('a link that leads somewhere else is replaced, and what it leads to stays', async () => {
    const path = folder();
    const other = join(folder(), 'other');
    writeFileSync(other, 'precious');
    symlinkSync(other, join(path, 'uptime'));
    await new FolderStore(path).saveUptime(5);
    expect([readFileSync(other, 'utf8'), readFileSync(join(path, 'uptime'), 'utf8')]).toEqual([
      'precious',
      '5',
    ]);
  });
});

describe('a world whose file was moved away', () => {
  test.each(['the key', 'the list', 'the name'])('is a new one without a restart: by %s', async (by) => {
    const { path, fileOf, list, sandbox } = await folderWithWorlds();
    const moved = join(folder(), 'moved.json');
    renameSync(fileOf('world'), moved);
    if (by === 'the list') expect(await list()).toMatchObject({ Count: 2, Unreadable: [] });
    if (by === 'the name') {
      const named = await client(sandbox, null).get('/_sandbox/world', { 'x-sandbox-world': B });
      expect(named.status).toBe(401);
    }
    const api = client(sandbox, 'sk_test_b');
    expect(await api.read('/charge')).toMatchObject({ Count: 0 });
    expect(await api.read('/_sandbox/journal')).toMatchObject({ Count: 1, Evicted: 0 });
    // Its calls belong to no world any more.
    expect(readdirSync(path).filter((name) => name.includes(B))).toEqual([]);
    expect(await list()).toMatchObject({ Count: 3, Unreadable: [] });
  });

  test('does not expire, and disturbs nothing', async () => {
    const { fileOf, list, sandbox } = await folderWithWorlds();
    rmSync(fileOf('world'));
    await sandbox.worlds.keeper.removeUnused(0);
    expect(await list()).toMatchObject({ Count: 2, Unreadable: [] });
  });
});
