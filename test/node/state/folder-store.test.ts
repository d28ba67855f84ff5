import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openState, takeState } from '../../../src/node/state/kept-worlds.js';
import { FolderStore } from '../../../src/node/state/folder-store.js';
import { folder } from '../../support/folder.js';
import { client, testSandbox } from '../../support/sandbox.js';

const UUID = '12345678-9abc-def0-1234-56789abcdef0';
const filesIn = (path: string): string[] => readdirSync(path).filter((name) => name.startsWith('world-'));

async function* document(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

/** A folder with two worlds. */
async function saved(): Promise<{ path: string; files: string[] }> {
  const path = join(folder(), 'worlds');
  const sandbox = testSandbox();
  const end = (await openState(path)).keep(sandbox);
  for (const key of ['sk_test_a', 'sk_test_b']) await client(sandbox, key).read('/charge');
  expect(await end()).toBe(true);
  return { path, files: filesIn(path) };
}

async function worldsOf(path: string): Promise<string[]> {
  const sandbox = testSandbox();
  await (await openState(path)).restore(sandbox);
  return Array.from(sandbox.worlds.all(), ({ key }) => key).toSorted();
}

describe('the folder of a store', () => {
  test('has a file for each world, which names no key and which only its owner can read', async () => {
    const { path, files } = await saved();
    expect(files).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect(file).toMatch(/^world-[\da-f]{32}\.json$/);
      expect(statSync(join(path, file)).mode & 0o777).toBe(0o600);
      const text = readFileSync(join(path, file), 'utf8');
      expect(text).toMatch(/^\{"Format":"playmoney-world","Version":1,"Note":"Contains the secret key/);
    }
    expect(await worldsOf(path)).toEqual(['sk_test_a', 'sk_test_b']);
  });

  test('only worlds that changed are written', async () => {
    const { path, files } = await saved();
    const sandbox = testSandbox();
    const kept = await openState(path);
    await kept.restore(sandbox);
    const end = kept.keep(sandbox);
    await client(sandbox, 'sk_test_b').read('/charge');
    for (const file of files) utimesSync(join(path, file), 0, 0);
    await end();
    expect(files.filter((file) => statSync(join(path, file)).mtimeMs > 0)).toHaveLength(1);
  });

  test('may lie behind a link, which stays', async () => {
    const { path } = await saved();
    const link = join(folder(), 'link');
    symlinkSync(path, link);
    expect(await worldsOf(link)).toHaveLength(2);
    await new FolderStore(link).save('sk_test_c', document('{}'));
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
    await takeState(path);
    expect(existsSync(own)).toBe(false);
    expect(others.filter((left) => !existsSync(left))).toEqual([]);
  });

  test('keeps the earlier document if the new one cannot be written whole, and no draft of it', async () => {
    const { path } = await saved();
    const store = new FolderStore(path);
    await store.save('sk_test_c', document('{"first":', '1}'));
    async function* failing(): AsyncGenerator<string> {
      yield '{"second":';
      throw new Error('lost');
    }
    await expect(store.save('sk_test_c', failing())).rejects.toThrow('lost');
    const all = readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
    expect(all).toContain('{"first":1}');
    expect(all.join('')).not.toContain('"second"');
  });
});
