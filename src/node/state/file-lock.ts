import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

import { isObject, parsedJson } from '../../core/text.js';
import { codeOf, FileError, linked, OWNER_ONLY, refuseWrite } from './whole-file.js';

/** How often to try again after a lock has gone, or was left by a dead process. */
const ATTEMPTS_MAX = 3;

/**
 * Locks a file for this process until it ends, with a lock file next to it that names the process. Rejects with a
 * FileError if another process of this machine has the lock; takes over the lock of a dead process.
 */
export async function holdFile(file: string): Promise<void> {
  const lock = `${await linked(file)}.lock`;
  const own = JSON.stringify({ Pid: process.pid, Began: await beganAt(process.pid), Host: hostname() });
  for (let attempt = 1; !(await createLock(lock, own)); attempt++) {
    const holder = await holderOf(lock);
    if (holder !== null || attempt === ATTEMPTS_MAX) {
      throw new FileError(
        `${file} is in use by another server (process ${holder ?? 'unknown'}). Stop that server, or use another file. If there is no such server, delete ${lock}`,
      );
    }
    await rm(lock, { force: true }).catch((error: unknown) => refuseWrite(lock, error));
  }
  process.once('exit', () => release(lock, own));
}

/** Creates a lock; returns false if there is one. */
async function createLock(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(lock, own, { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : refuseWrite(lock, error);
  }
}

/** Returns the process that has a lock; null if it has ended, or cannot be checked since it is on another machine. */
async function holderOf(lock: string): Promise<number | null> {
  const read = parsedJson(await readFile(lock, 'utf8').catch(() => ''));
  const { Pid, Began, Host } = isObject(read) ? read : {};
  if (typeof Pid !== 'number' || Pid === process.pid || Host !== hostname() || !isRunning(Pid)) return null;
  // After a restart of the machine or container, another process may have the same number.
  return (await beganAt(Pid)) === Began ? Pid : null;
}

function isRunning(pid: number): boolean {
  try {
    // Sends nothing.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM';
  }
}

/** When a process started, in ticks since the machine's start (proc(5), field 22); empty on systems without /proc. */
async function beganAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may contain spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Releases only its own lock: the file may have been deleted and locked by another process. */
function release(lock: string, own: string): void {
  try {
    if (readFileSync(lock, 'utf8') === own) rmSync(lock);
  } catch {
    // A lock that is left behind does no harm: its process has ended.
  }
}
