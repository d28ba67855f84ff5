import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { openStateFolder } from '../../../src/node/state/kept-worlds.js';
import { FolderStore } from '../../../src/node/state/folder-store.js';
import { folder } from '../../support/folder.js';
import { client, testSandbox } from '../../support/sandbox.js';

const UUID = '12345678-9abc-def0-1234-56789abcdef0';
const filesIn = (path: string): string[] => readdirSync(path).filter((name) => name.startsWith('world-'));

async function* inPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

/** A folder with two worlds. */
async function saved(): Promise<{ path: string; files: string[] }> {
  const path = join(folder(), 'worlds');
  const sandbox = testSandbox();
  const keeper = await WorldKeeper.open(sandbox.worlds, new FolderStore(path));
  for (const key of ['sk_test_a', 'sk_test_b']) await client(sandbox, key).read('/charge');
  expect(await keeper.end()).toBe(true);
  return { path, files: filesIn(path) };
}

/** The keys of the worlds of a folder, as their files have them. */
async function worldsOf(path: string): Promise<unknown[]> {
  const store = new FolderStore(path);
  const stored = await Promise.all((await store.list()).map(({ id }) => store.load(id)));
  return stored.map((one) => (one?.document as { Key: unknown } | undefined)?.Key).toSorted();
}

const C = new FolderStore('').idOf('sk_test_c');
const NOW = { due: null, usedAt: 0 };

describe('the folder of a store', () => {
  test('has a file for each world, which names no key and which only its owner can read', async () => {
    const { path, files } = await saved();
    expect(files).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect(file).toMatch(/^world-[\da-f]{12}-[\da-f]{20}\.json$/);
      expect(statSync(join(path, file)).mode & 0o777).toBe(0o600);
      const text = readFileSync(join(path, file), 'utf8');
      expect(text).toMatch(/^\{"Format":"playmoney-world","Version":1,"Note":"Contains the secret key/);
    }
    expect(await worldsOf(path)).toEqual(['sk_test_a', 'sk_test_b']);
  });

  test('only worlds that changed are written', async () => {
    const { path, files } = await saved();
    const sandbox = testSandbox();
    const keeper = await WorldKeeper.open(sandbox.worlds, new FolderStore(path));
    await client(sandbox, 'sk_test_a').read('/charge');
    await client(sandbox, 'sk_test_b').read('/charge');
    await keeper.end();
    for (const file of files) utimesSync(join(path, file), 0, 0);
    await client(sandbox, 'sk_test_b').read('/charge');
    await keeper.end();
    expect(files.filter((file) => statSync(join(path, file)).mtimeMs > 0)).toHaveLength(1);
  });

  test('may lie behind a link, which stays', async () => {
    const { path } = await saved();
    const link = join(folder(), 'link');
    symlinkSync(path, link);
    expect(await worldsOf(link)).toHaveLength(2);
    await new FolderStore(link).save(C, inPieces('{}'), NOW);
    expect(filesIn(path)).toHaveLength(3);
  });

  test('loses what killed processes left of it when it is locked, and nothing else', async () => {
    const { path, files } = await saved();
    const [file = ''] = files;
    const above = dirname(path);
    const own = join(path, `.${file}.${UUID}`);
    const others = [
      join(path, `.other.json.${UUID}`),
      join(path, `.${file}.backup`),
      join(path, '.DS_Store'),
      join(above, `.worlds.${UUID}`),
      join(above, '.worlds.txt'),
    ];
    for (const left of [own, ...others]) writeFileSync(left, 'secret');
    await openStateFolder(path);
    expect(existsSync(own)).toBe(false);
    expect(others.filter((left) => !existsSync(left))).toEqual([]);
  });

  test('keeps the earlier document if the new one cannot be written whole, and no draft of it', async () => {
    const { path } = await saved();
    const store = new FolderStore(path);
    await store.save(C, inPieces('{"first":', '1}'), NOW);
    async function* failing(): AsyncGenerator<string> {
      yield '{"second":';
      throw new Error('lost');
    }
    await expect(store.save(C, failing(), NOW)).rejects.toThrow('lost');
    const all = readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
    expect(all).toContain('{"first":1}');
    expect(all.join('')).not.toContain('"second"');
  });

  test('says when each world must wake by an empty file, of which a killed process may leave one too many', async () => {
    const path = join(folder(), 'worlds');
    const store = new FolderStore(path);
    const dues = (): string[] => readdirSync(path).filter((name) => name.startsWith('due-'));
    await store.save(C, inPieces('{}'), { due: 5_000, usedAt: 0 });
    expect(dues()).toEqual([`due-5000-${C}`]);
    await store.save(C, inPieces('{}'), { due: 5_001, usedAt: 0 });
    expect(dues()).toEqual([`due-5000-${C}`]);
    writeFileSync(join(path, `due-4000-${C}`), '');
    const later = new FolderStore(path);
    expect(await later.list()).toEqual([{ id: C, due: 4_000 }]);
    await later.save(C, inPieces('{}'), { due: 9_000, usedAt: 0 });
    expect(dues()).toEqual([`due-9000-${C}`]);
    await later.remove(C);
    expect(readdirSync(path)).toEqual([]);
  });

  test('remembers when each world was last called', async () => {
    const { path } = await saved();
    const store = new FolderStore(path);
    const [{ id } = { id: '' }] = await store.list();
    await store.save(id, inPieces(readFileSync(join(path, `world-${id}.json`), 'utf8')), {
      due: null,
      usedAt: 7_000,
    });
    expect((await store.load(id))?.usedAt).toBe(7_000);
  });

  test('takes the files of version 0.1.0, which had other names', async () => {
    const { path, files } = await saved();
    for (const file of files)
      renameSync(join(path, file), join(path, `world-${file.slice(-25, -5).padEnd(32, '0')}.json`));
    await openStateFolder(path);
    expect(filesIn(path)).toEqual(files);
  });
});
