import { opendirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf, FileError, OWNER_ONLY, refuseRead, refuseWrite } from '../files/whole-file.js';

/** How often the oldest of several claims checks whether the others have gone. */
const CHECKS_MAX = 100;
const CHECK_MS = 20;
/** How many names are read from a folder at a time. */
const ENTRIES = 512;
const OWN_HOST = encodeURIComponent(hostname());

/** A claim of a process. Its file is empty: its name contains everything, so a claim is complete as soon as it exists. */
interface Claimant {
  readonly file: string;
  readonly pid: number;
  /** When the process started, in ticks since the machine's start; 0 if unknown. */
  readonly began: string;
  /** Percent-encoded, since it is part of a file's name. */
  readonly host: string;
}

export interface Claim {
  release(): void;
}

/**
 * Claims something for this process until the process ends, by a file in `folder` whose name begins with `prefix`. Rejects with a
 * FileError if another process has claimed `what`.
 *
 * Each process creates a file of its own, and then looks for those of others. The claim holds if there is none of a running
 * process. Of two processes, the second one to create its file sees that of the first, so at most one succeeds, whatever
 * the order. Nothing is ever replaced, so claims of ended processes can be deleted at any time.
 */
export async function claim(
  folder: string,
  prefix: string,
  what: string,
  checkMs = CHECK_MS,
): Promise<Claim> {
  const own = await create(folder, prefix);
  for (let check = 1; ; check++) {
    const others = await running(folder, prefix, own.name);
    if (others.length === 0) return own;
    // Claims sort by age. Of several that started together, the oldest one waits until the others have given up.
    const first =
      others.find(({ file }) => file < own.name) ?? (check === CHECKS_MAX ? others[0] : undefined);
    if (first !== undefined) {
      own.release();
      throw takenError(what, first, join(folder, first.file));
    }
    await sleep(checkMs);
  }
}

async function create(folder: string, prefix: string): Promise<Claim & { readonly name: string }> {
  const age = Date.now().toString(36).padStart(9, '0');
  const name = [prefix, age, process.pid, await beganAt(process.pid), OWN_HOST].join('-');
  const file = join(folder, name);
  await writeFile(file, '', { flag: 'wx', mode: OWNER_ONLY }).catch((error: unknown) =>
    refuseWrite(file, error),
  );
  const release = (): void => {
    process.off('exit', release);
    try {
      rmSync(file, { force: true });
    } catch {
      // A file that cannot be deleted does no harm: its process has ended.
    }
  };
  process.once('exit', release);
  return { name, release };
}

/** The other claims of processes that run, or that cannot be checked. Deletes those of ended processes. */
async function running(folder: string, prefix: string, own: string): Promise<Claimant[]> {
  const found: Claimant[] = [];
  for (const file of namesIn(folder)) {
    const claimant = file === own ? null : claimantOf(file, prefix);
    if (claimant === null) continue;
    if (claimant.host !== OWN_HOST || (await isRunning(claimant))) found.push(claimant);
    else
      await rm(join(folder, file), { force: true }).catch((error: unknown) =>
        refuseWrite(join(folder, file), error),
      );
  }
  return found.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** The names in a folder, one after the other: hundreds of thousands take much memory together, and from another thread three times as long. */
export function* namesIn(folder: string): Generator<string, void> {
  try {
    const entries = opendirSync(folder, { bufferSize: ENTRIES });
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry.name;
    } finally {
      entries.closeSync();
    }
  } catch (error) {
    refuseRead(folder, error);
  }
}

function claimantOf(file: string, prefix: string): Claimant | null {
  const [, pid = '', began = '', host = ''] = file.startsWith(`${prefix}-`)
    ? (/^[0-9a-z]{9}-(\d+)-(\d+)-(.*)$/.exec(file.slice(prefix.length + 1)) ?? [])
    : [];
  return pid === '' ? null : { file, pid: Number(pid), began, host };
}

async function isRunning({ pid, began }: Claimant): Promise<boolean> {
  // A claim with this process's number that is not its own is from before a restart of the container.
  if (pid === process.pid) return false;
  try {
    // Sends nothing.
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    if (codeOf(error) !== 'EPERM') return false;
  }
  // After a restart of the machine or container, another process may have the same number.
  return (await beganAt(pid)) === began;
}

/** When a process started (proc(5), field 22); 0 on systems without /proc, empty if it has ended and its parent has not noticed. */
async function beganAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may contain spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? '' : (fields[18] ?? '0');
}

function takenError(what: string, { pid, host }: Claimant, file: string): FileError {
  return new FileError(
    host === OWN_HOST
      ? `${what} is in use by another server (process ${pid}). Stop that server, or use another place. If there is no such server, delete ${file}`
      : `${what} is in use by a server on another machine or in another container (${host}, process ${pid}), or was when that server was killed. If it has ended, delete ${file}`,
  );
}
