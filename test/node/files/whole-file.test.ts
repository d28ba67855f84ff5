import { existsSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  createFolder,
  isDraftName,
  retryWhileBusy,
  replaceFile,
  requireWritable,
  writeNew,
} from '../../../src/node/files/whole-file.js';
import { folder } from '../../support/folder.js';

describe('A link that leads nowhere', () => {
  /** A link, and the file that it names. */
  function link(): { file: string; target: string } {
    const [file, target] = [join(folder(), 'link.json'), join(folder(), 'none.json')];
    symlinkSync(target, file);
    return { file, target };
  }

  test.each([
    ['cannot be replaced', (file: string) => replaceFile(file, (write) => write('{}'))],
    ['cannot be written', requireWritable],
    ['is no new file', (file: string) => writeNew(file, 'trace', (write) => write('{}'))],
  ])('%s, and stays', async (_, write) => {
    const { file, target } = link();
    await expect(write(file)).rejects.toThrow(/it is a link to something that does not exist|already exists/);
    expect([lstatSync(file).isSymbolicLink(), existsSync(target)]).toEqual([true, false]);
    expect(readdirSync(join(file, '..'))).toEqual(['link.json']);
  });
});

test('A folder is created with those around it, once; in the place of a file it is refused', () => {
  const path = join(folder(), 'a', 'b', 'c');
  createFolder(path);
  createFolder(path);
  expect(readdirSync(join(path, '..'))).toEqual(['c']);
  writeFileSync(join(path, 'file'), '');
  expect(() => createFolder(join(path, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(join(path, 'file', 'd'))).toThrow('EEXIST');
});

test.runIf(process.platform === 'linux')('A folder where nothing can be created is refused', () => {
  expect(() => createFolder('/proc/playmoney')).toThrow('ENOENT');
});

test.each([
  ['.a.json.12345678-9abc-def0-1234-56789abcdef0', true],
  ['a.json.12345678-9abc-def0-1234-56789abcdef0', false],
  ['.a.json.12345678-9abc-def0-1234-56789abcdef0.txt', false],
  ['.b.json.12345678-9abc-def0-1234-56789abcdef0', false],
  ['.a.json.backup', false],
  ['.a.json.', false],
  ['.a.json', false],
])('%s is a draft of a.json: %s', (name, expected) => {
  expect(isDraftName(name, 'a.json')).toBe(expected);
});

describe('a file that another program has open', () => {
  /** Work that fails with a code as often as asked; returns how often it was done, or the code. */
  async function tried(code: string, failures: number, platform: NodeJS.Platform): Promise<number | string> {
    let times = 0;
    const work = (): Promise<void> =>
      ++times > failures ? Promise.resolve() : Promise.reject(Object.assign(new Error(code), { code }));
    return retryWhileBusy(work, platform, 0).then(
      () => times,
      (error: NodeJS.ErrnoException) => error.code ?? '',
    );
  }

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is waited for on Windows: %s', async (code) => {
    expect(await tried(code, 3, 'win32')).toBe(4);
    expect(await tried(code, Infinity, 'win32')).toBe(code);
  });

  test('is an error elsewhere, as are other reasons on Windows', async () => {
    expect(await tried('EPERM', 1, 'linux')).toBe('EPERM');
    expect(await tried('ENOSPC', 1, 'win32')).toBe('ENOSPC');
  });
});
