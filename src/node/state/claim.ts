import { createHash } from 'node:crypto';
import { lstatSync, opendirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf, FileError, refuseRead, refuseWrite } from '../files/file-error.js';
import { NODE_HOST } from '../machine/host.js';
import { OwnClaim, SILENT_MS } from './own-claim.js';

/** How often the claims of others are looked at, and for how long those that are younger may take to give up. */
const CHECK_MS = 20;
const GIVE_UP_MS = 2_000;
/** How many names are read from a folder at a time. */
const ENTRIES = 512;
const OWN_HOST = encodeURIComponent(hostname());
const OWN_NAMESPACE = findNamespace();
/** The end of a claim's name. Those of earlier versions have no namespace. */
const CLAIM = /^[\da-z]{9}-(\d+)-(\d+)-(?:([\da-f]{12}|0)-)?(.*)$/;

/** A claim of a process. Its file is empty: its name contains everything, so a claim is complete as soon as it exists. */
interface Claimant {
  readonly file: string;
  readonly pid: number;
  /** When the process started, in ticks since the machine's start; 0 if unknown. */
  readonly began: string;
  /** Whether the number of the process can be looked up here. */
  readonly isLocal: boolean;
  /** Percent-encoded, since it is part of a file's name. */
  readonly host: string;
}

/** The observations of another process's claim. */
interface ObservedClaim {
  readonly touched: number;
  readonly since: number;
  /** Since when its process is known to run; Infinity if it may have ended. */
  runsSince: number;
}

/** Time that stands still while the machine sleeps, as claims do. */
const TIMING = { now: () => performance.now(), sleep: (ms: number): Promise<unknown> => sleep(ms) };

/**
 * Claims something for this process until the process ends, by a file in `folder` whose name begins with `prefix`. Rejects with a
 * FileError if another process has claimed `what`.
 *
 * Each process creates a file of its own, and then looks for those of others. The claim holds if there is none of a running
 * process. Of two processes, the second one to create its file sees that of the first, so at most one succeeds, whatever
 * the order. Nothing is ever replaced, so claims of ended processes can be deleted at any time.
 *
 * A process on another machine or in another container cannot be looked up: two of them may have the same number and host. It runs
 * if it touches its file. One that was suspended for so long that it did not, finds its file gone, and has lost its claim.
 */
export async function claimFolder(
  folder: string,
  prefix: string,
  resource: string,
  timing = TIMING,
): Promise<OwnClaim> {
  const age = Date.now().toString(36).padStart(9, '0');
  const began = await readProcessStart(process.pid);
  const name = [prefix, age, process.pid, began, OWN_NAMESPACE, OWN_HOST].join('-');
  const othersNow = (): Claimant[] => listClaimants(folder, prefix).filter(({ file }) => file !== name);
  const own = new OwnClaim(join(folder, name), resource, () => othersNow().length === 0);
  const observed = new Map<string, ObservedClaim>();
  try {
    for (;;) {
      const others = await findRunning(folder, othersNow(), observed, timing.now());
      if (others.length === 0) return own;
      // Claims sort by age. Of several that started together, the oldest one waits until the others have given up.
      const first = others.find(({ file }) => {
        const runsFor = timing.now() - (observed.get(file)?.runsSince ?? Infinity);
        return runsFor >= (file < name ? 0 : GIVE_UP_MS);
      });
      if (first !== undefined) throw buildClaimedError(resource, first, join(folder, first.file));
      await timing.sleep(CHECK_MS);
    }
  } catch (error) {
    own.release();
    throw error;
  }
}

/** Finds the claims of processes that run, or may run. Deletes those of ended processes. */
async function findRunning(
  folder: string,
  claimants: readonly Claimant[],
  observed: Map<string, ObservedClaim>,
  now: number,
): Promise<Claimant[]> {
  const found: Claimant[] = [];
  for (const claimant of claimants) {
    const file = join(folder, claimant.file);
    const touched = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (touched === undefined) continue;
    if (!claimant.isLocal && !observed.has(claimant.file)) warnOfClaimant(claimant);
    const seen = observed.get(claimant.file) ?? { touched, since: now, runsSince: Infinity };
    observed.set(claimant.file, seen);
    const isTouched = touched !== seen.touched;
    const hasEnded = claimant.isLocal
      ? !(await isProcessRunning(claimant))
      : !isTouched && now - seen.since >= SILENT_MS;
    if (hasEnded) await rm(file, { force: true }).catch((error: unknown) => refuseWrite(file, error));
    else found.push(claimant);
    if (claimant.isLocal || isTouched) seen.runsSince = Math.min(now, seen.runsSince);
  }
  return found.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function warnOfClaimant({ pid, host }: Claimant): void {
  NODE_HOST.warn?.(
    `--state: a server on another machine or in another container (${host}, process ${pid}) has the folder, or had it when it was killed. Waiting at most ${SILENT_MS / 1000} s to find out`,
  );
}

function listClaimants(folder: string, prefix: string): Claimant[] {
  return Array.from(readFolderNames(folder)).flatMap((file) => parseClaimant(file, prefix) ?? []);
}

/** The names in a folder, one after the other: hundreds of thousands take much memory together, and from another thread three times as long. */
export function* readFolderNames(folder: string): Generator<string, void> {
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

function parseClaimant(file: string, prefix: string): Claimant | null {
  const [, pid = '', began = '', namespace = OWN_NAMESPACE, host = ''] = file.startsWith(`${prefix}-`)
    ? (CLAIM.exec(file.slice(prefix.length + 1)) ?? [])
    : [];
  if (pid === '') return null;
  const isLocal = namespace === OWN_NAMESPACE && host === OWN_HOST;
  return { file, pid: Number(pid), began, isLocal, host };
}

/**
 * A name for the processes that have numbers of their own: those of a container, or of a machine outside of any, until it starts
 * again. 0 on systems without /proc.
 */
function findNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    const parts = `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
    return createHash('sha256').update(parts).digest('hex').slice(0, 12);
  } catch {
    return '0';
  }
}

async function isProcessRunning({ pid, began }: Claimant): Promise<boolean> {
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
  return (await readProcessStart(pid)) === began;
}

/** When a process started (proc(5), field 22); 0 on systems without /proc, empty if it has ended and its parent has not noticed. */
async function readProcessStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may contain spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? '' : (fields[18] ?? '0');
}

function buildClaimedError(resource: string, { pid, host, isLocal }: Claimant, file: string): FileError {
  return new FileError(
    isLocal
      ? `${resource} is in use by another server (process ${pid}). Stop that server, or use another place. If there is no such server, delete ${file}`
      : `${resource} is in use by a server on another machine or in another container (${host}, process ${pid}). Stop that server, or use another place`,
  );
}
