import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

import { isObject, parsedJson } from '../../core/text.js';
import { codeOf, FileError, linked, OWNER_ONLY, refuseWrite } from './whole-file.js';

/** How often a lock is tried again that went away, or that a dead process left behind. */
const ATTEMPTS_MAX = 3;

/**
 * Holds a file for this process until it ends, by a lock beside it that names the process. Rejects with a FileError where
 * another process of this machine holds it; the lock of a dead one is taken over.
 */
export async function holdFile(file: string): Promise<void> {
  const lock = `${await linked(file)}.lock`;
  const own = JSON.stringify({ Pid: process.pid, Began: await beganAt(process.pid), Host: hostname() });
  for (let attempt = 1; !(await isMade(lock, own)); attempt++) {
    const holder = await holderOf(lock);
    if (holder !== null || attempt === ATTEMPTS_MAX) {
      throw new FileError(
        `${file} is kept by another server, process ${holder ?? 'unknown'}; each would overwrite what the other keeps. End that one, or give this one a file of its own. If there is no such server, delete ${lock}`,
      );
    }
    await rm(lock, { force: true }).catch((error: unknown) => refuseWrite(lock, error));
  }
  process.once('exit', () => release(lock, own));
}

/** Makes a lock; false where there is one. */
async function isMade(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(lock, own, { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : refuseWrite(lock, error);
  }
}

/** The process that holds a lock; null when it is gone, or runs on another machine and cannot be checked. */
async function holderOf(lock: string): Promise<number | null> {
  const read = parsedJson(await readFile(lock, 'utf8').catch(() => ''));
  const { Pid, Began, Host } = isObject(read) ? read : {};
  if (typeof Pid !== 'number' || Pid === process.pid || Host !== hostname() || !isRunning(Pid)) return null;
  // After a restart of the machine or a container another process may have the number.
  return (await beganAt(Pid)) === Began ? Pid : null;
}

function isRunning(pid: number): boolean {
  try {
    // Sends nothing.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, but for another user.
    return codeOf(error) === 'EPERM';
  }
}

/** When a process began, in ticks since the start of the machine (proc(5), field 22); empty where there is no such file. */
async function beganAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may hold blanks.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Releases only its own lock: the file may have been deleted and locked by another process. */
function release(lock: string, own: string): void {
  try {
    if (readFileSync(lock, 'utf8') === own) rmSync(lock);
  } catch {
    // It is gone, or stays behind without harm: its process is over.
  }
}
