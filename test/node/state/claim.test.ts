import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { watch } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { claimFolder } from '../../../src/node/state/claim.js';
import type { OwnClaim } from '../../../src/node/state/own-claim.js';
import { FileError } from '../../../src/node/files/file-error.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = temporaryFolder();
/** Long before and long after all claims of the test. */
const [OLD, YOUNG] = ['000000000', 'zzzzzzzzz'];

function beganAt(pid: number): string {
  if (!existsSync(`/proc/${pid}/stat`)) return '0';
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '0';
}

/** Leaves the claim of a process; returns the path of its file. */
function left(
  pid: number,
  { age = OLD, began = beganAt(pid), namespace = '', host = hostname() } = {},
): string {
  const file = join(folder, `lock-${age}-${pid}-${began}-${namespace && `${namespace}-`}${host}`);
  writeFileSync(file, '');
  return file;
}

const owners = (): string[] => readdirSync(folder).map((name) => name.split('-')[2] ?? '');
const ended = (): number => spawnSync(process.execPath, ['-v']).pid;
const made: OwnClaim[] = [];

async function claimed(timing?: Parameters<typeof claimFolder>[3]): Promise<OwnClaim> {
  const own = await claimFolder(folder, 'lock', './worlds', timing);
  made.push(own);
  return own;
}

/** A clock that passes only when a claim waits; `happens` is called with each of its instants. */
function passing(happens: (ms: number) => void = () => {}) {
  const timing = {
    ms: 0,
    now: () => timing.ms,
    sleep: async (ms: number): Promise<void> => {
      timing.ms += ms;
      happens(timing.ms);
      await setImmediate();
    },
  };
  return timing;
}

/** Touches a file, as the process that has it does. */
const touch = (file: string): void => utimesSync(file, new Date(), Date.now() / 1000 + 1);

/** The lines that are printed during a test. */
function printed(): string[] {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  onTestFinished(() => write.mockRestore());
  return lines;
}

/** Claims that cannot be looked up: the first has the number and the host of this process. */
const FOREIGN: readonly [what: string, leave: (age?: string) => string][] = [
  ['in another container', (age = OLD) => left(process.pid, { age, namespace: '0123456789ab' })],
  ['on another machine', (age = OLD) => left(process.ppid, { age, host: 'another' })],
  [
    'on a machine of the same name',
    (age = OLD) => left(ended(), { age, began: '7', namespace: 'ba9876543210' }),
  ],
];

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

  test.each(FOREIGN)(
    'waits ten seconds for a process %s, and takes the place of one that is silent',
    async (_, leave) => {
      const lines = printed();
      const file = leave();
      const timing = passing((ms) => expect([ms, existsSync(file)]).toEqual([ms, true]));
      const own = await claimed(timing);
      expect(timing.ms).toBe(10_000);
      expect(existsSync(file)).toBe(false);
      expect(() => own.requireHeld()).not.toThrow();
      expect(lines).toEqual([expect.stringContaining('Waiting at most 10 s to find out')]);
    },
  );

  test.each(FOREIGN)('is refused as soon as a process %s touches its own', async (_, leave) => {
    printed();
    const file = leave();
    const timing = passing((ms) => void (ms === 5_000 && touch(file)));
    await expect(claimed(timing)).rejects.toThrow(
      './worlds is in use by a server on another machine or in another container (',
    );
    expect(timing.ms).toBe(5_000);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each(FOREIGN)('does not wait any longer when a process %s has ended', async (_, leave) => {
    printed();
    const file = leave();
    const timing = passing((ms) => void (ms === 1_000 && rmSync(file)));
    await claimed(timing);
    expect(timing.ms).toBe(1_000);
  });

  test.each(FOREIGN)('gives a younger process %s two seconds to give up', async (_, leave) => {
    printed();
    const file = leave(YOUNG);
    const timing = passing(() => touch(file));
    await expect(claimed(timing)).rejects.toThrow('is in use by');
    expect(timing.ms).toBe(2_020);
  });

  test('takes the place of a process that ended here without any delay', async () => {
    left(ended());
    left(process.ppid, { began: '1' });
    const timing = passing();
    await claimed(timing);
    expect(timing.ms).toBe(0);
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
    await expect(claimed(passing())).rejects.toThrow(`(process ${process.ppid})`);
    expect(owners()).toEqual([String(process.ppid)]);
  });

  test('cannot be where no file can be made, and the message says why', async () => {
    await expect(claimFolder(join(folder, 'none'), 'lock', 'x')).rejects.toThrow('its folder does not exist');
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

describe('a claim that holds', () => {
  /** A claim whose time is that of the test. */
  async function holding(): Promise<{ own: OwnClaim; file: string }> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 1_800_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const own = await claimed();
    return { own, file: join(folder, readdirSync(folder)[0] ?? '') };
  }
  const LOST = './worlds may be in use by another server, because this one was suspended';

  test('touches its file every second, so that others see that it runs', async () => {
    const { own, file } = await holding();
    for (let second = 1; second <= 3; second++) {
      vi.advanceTimersByTime(1_000);
      expect(statSync(file).mtimeMs).toBe(1_800_000_000_000 + second * 1_000);
    }
    own.release();
    vi.advanceTimersByTime(1_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is lost if its process was suspended until another one took it, whether that still runs or not', async () => {
    const { own, file } = await holding();
    rmSync(file);
    vi.setSystemTime(Date.now() + 10_000);
    expect(() => own.requireHeld()).toThrow(LOST);
    vi.advanceTimersByTime(5_000);
    expect(() => own.requireHeld()).toThrow(LOST);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is made again if a user deletes its file', async () => {
    const { own, file } = await holding();
    rmSync(file);
    vi.advanceTimersByTime(1_000);
    expect(existsSync(file)).toBe(true);
    own.requireHeld();
    rmSync(folder, { recursive: true });
    vi.advanceTimersByTime(60_000);
    mkdirSync(folder);
    own.requireHeld();
    expect(existsSync(file)).toBe(true);
  });

  test('is lost if another process has claimed the folder meanwhile', async () => {
    const { own, file } = await holding();
    rmSync(file);
    const other = left(process.ppid);
    expect(() => own.requireHeld()).toThrow(LOST);
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([other]);
  });
});
