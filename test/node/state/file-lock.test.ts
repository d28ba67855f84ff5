import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { holdFile } from '../../../src/node/state/file-lock.js';
import { FileError } from '../../../src/node/state/whole-file.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = temporaryFolder();
const file = join(folder, 'worlds.json');
const lock = `${file}.lock`;

function beganAt(pid: number): string {
  if (!existsSync(`/proc/${pid}/stat`)) return '';
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
}

const held = (pid: number, more: object = {}): void =>
  writeFileSync(lock, JSON.stringify({ Pid: pid, Began: beganAt(pid), Host: hostname(), ...more }));

const holder = (): unknown => (JSON.parse(readFileSync(lock, 'utf8')) as { Pid: unknown }).Pid;

afterEach(() => rmSync(lock, { force: true }));

describe('a file that is held', () => {
  test('is named by a lock beside it, as its process is', async () => {
    await holdFile(file);
    expect(holder()).toBe(process.pid);
  });

  test('is refused while its process runs; the message says which, and what to do', async () => {
    held(process.ppid);
    const refused = holdFile(file);
    await expect(refused).rejects.toBeInstanceOf(FileError);
    await expect(refused).rejects.toThrow(
      `${file} is in use by another server (process ${process.ppid}). Stop that server, or use another file. If there is no such server, delete ${lock}`,
    );
    expect(holder()).toBe(process.ppid);
  });

  test.each([
    ['a process that is gone', () => held(spawnSync(process.execPath, ['-v']).pid)],
    ['one whose number another process has', () => held(process.ppid, { Began: '1' })],
    ['another machine', () => held(process.ppid, { Host: 'another' })],
    ['one of this number before a restart', () => held(process.pid)],
    ['nobody, since the power was cut', () => writeFileSync(lock, '')],
    ['nobody, since somebody wrote into it', () => writeFileSync(lock, 'null')],
  ])('is taken over from %s', async (_, leave) => {
    leave();
    await holdFile(file);
    expect(holder()).toBe(process.pid);
  });

  test('cannot be where no lock can be made, and the message says why', async () => {
    await expect(holdFile(join(folder, 'none', 'worlds.json'))).rejects.toThrow(
      `cannot write ${join(folder, 'none', 'worlds.json')}.lock: its folder does not exist`,
    );
  });
});
