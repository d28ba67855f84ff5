import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, test } from 'vitest';

import { type Claim, claim } from '../../../src/node/state/claim.js';
import { FileError } from '../../../src/node/files/whole-file.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = temporaryFolder();
/** Long before and long after all claims of the test. */
const [OLD, YOUNG] = ['000000000', 'zzzzzzzzz'];

function beganAt(pid: number): string {
  if (!existsSync(`/proc/${pid}/stat`)) return '0';
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '0';
}

/** Leaves the claim of a process; returns the path of its file. */
function left(pid: number, { age = OLD, began = beganAt(pid), host = hostname() } = {}): string {
  const file = join(folder, `lock-${age}-${pid}-${began}-${host}`);
  writeFileSync(file, '');
  return file;
}

const owners = (): string[] => readdirSync(folder).map((name) => name.split('-')[2] ?? '');
const ended = (): number => spawnSync(process.execPath, ['-v']).pid;
const made: Claim[] = [];

async function claimed(): Promise<Claim> {
  const own = await claim(folder, 'lock', './worlds');
  made.push(own);
  return own;
}

afterEach(() => {
  for (const own of made.splice(0)) own.release();
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

/** A process that has ended, but whose parent, a shell that became another program, never asks how. */
async function zombie(): Promise<{ pid: number; parent: ChildProcess }> {
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line);
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await setImmediate();
  return { pid, parent };
}

describe('a claim', () => {
  test.runIf(existsSync('/proc/self/stat'))(
    'of a process that ended without its parent noticing is void',
    async () => {
      const { pid, parent } = await zombie();
      left(pid);
      await claimed();
      expect(owners()).toEqual([String(process.pid)]);
      parent.kill();
    },
  );

  test('is a file that names its process, until it is released', async () => {
    const own = await claimed();
    expect(owners()).toEqual([String(process.pid)]);
    // Names may not have these characters on Windows.
    expect(readdirSync(folder).join('')).not.toMatch(/[<>:"/\\|?*]/);
    own.release();
    expect(owners()).toEqual([]);
  });

  test('is refused while another process has one; the message says which, and what to do', async () => {
    const file = left(process.ppid);
    const refused = claimed();
    await expect(refused).rejects.toBeInstanceOf(FileError);
    await expect(refused).rejects.toThrow(
      `./worlds is in use by another server (process ${process.ppid}). Stop that server, or use another place. If there is no such server, delete ${file}`,
    );
    expect(owners()).toEqual([String(process.ppid)]);
  });

  test('is refused if a process on another machine has one, because nobody can tell whether it runs', async () => {
    const file = left(ended(), { host: 'another' });
    await expect(claimed()).rejects.toThrow(
      `./worlds is in use by a server on another machine or in another container (another, process `,
    );
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    ['a process that has ended', () => left(ended())],
    ['one whose number another process has', () => left(process.ppid, { began: '1' })],
    ['one of this number before a restart', () => left(process.pid)],
    ['several of them', () => [OLD, YOUNG].map((age) => left(ended(), { age }))],
  ])('takes the place of that of %s, which is deleted', async (_, leave) => {
    leave();
    await claimed();
    expect(owners()).toEqual([String(process.pid)]);
  });

  test.each([
    'lock-',
    'lock-x',
    'lock-000000000-x-0-h',
    'lock-000000000-1-0',
    'lock',
    'locks-000000000-1-0-h',
  ])('is not impeded by a file that is none: %s', async (name) => {
    writeFileSync(join(folder, name), '');
    await claimed();
    expect(readdirSync(folder)).toContain(name);
  });

  test('waits for younger ones to give up, so that one of several starts at once succeeds', async () => {
    const younger = left(process.ppid, { age: YOUNG });
    const changes = watch(folder);
    const waiting = claimed();
    for await (const _ of changes) if (owners().includes(String(process.pid))) break;
    rmSync(younger);
    await waiting;
    expect(owners()).toEqual([String(process.pid)]);
  });

  test('gives up if a younger one stays', async () => {
    left(process.ppid, { age: YOUNG });
    await expect(claim(folder, 'lock', './worlds', 0)).rejects.toThrow(`(process ${process.ppid})`);
    expect(owners()).toEqual([String(process.ppid)]);
  });

  test('cannot be where no file can be made, and the message says why', async () => {
    await expect(claim(join(folder, 'none'), 'lock', 'x')).rejects.toThrow('its folder does not exist');
  });

  test('names the one of an ended process that cannot be deleted', async () => {
    const file = left(ended());
    rmSync(file);
    mkdirSync(file);
    const refused = claimed();
    await expect(refused).rejects.toBeInstanceOf(FileError);
    await expect(refused).rejects.toThrow(`cannot write ${file}: `);
  });

  test('that cannot be deleted does not disturb the end of its process', async () => {
    const own = await claimed();
    const [name = ''] = readdirSync(folder);
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
    own.release();
    expect(readdirSync(folder)).toEqual([name]);
  });
});
