import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError } from '../cli/terminal.js';

/** How long what a command leaves behind may take to end after SIGTERM. */
const LEFT_MS = 500;
const LEFT_CHECK_MS = 20;
/** The third signal is passed on as SIGKILL. */
const KILLING_SIGNAL = 3;
const PARENT_CHECK_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A command that runs in a process group of its own, on the terminal and streams of this program. */
export interface Child {
  /** Resolves with its exit code, 128 and the signal's number where one ended it; rejects with a CommandError. */
  readonly ended: Promise<number>;
  /** Passes a signal to all of its group. */
  pass(signal: NodeJS.Signals): void;
  /** Ends what is left of its group. */
  clear(): Promise<void>;
}

/** Runs a command; signals to this program go on to it, and when this program ends it ends, too. */
export async function runChild(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Child> {
  const { spawn } = await import('node:child_process');
  const [name = '', ...args] = command;
  const isWindows = process.platform === 'win32';
  // On Windows, npm and its like are batch files, which only a shell runs, and there are no process groups.
  const child = isWindows
    ? spawn(command.map(quotedForWindows).join(' '), { env, stdio: 'inherit', shell: true })
    : spawn(name, args, { env, stdio: 'inherit', detached: true });
  const kill = (signal: NodeJS.Signals | 0): boolean => killGroup(child, signal, isWindows);

  let signals = 0;
  let isCleared = false;
  const pass = (signal: NodeJS.Signals): void => {
    signals++;
    kill(signals >= KILLING_SIGNAL ? 'SIGKILL' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  // Once it is cleared, another process may have its number.
  process.once('exit', () => isCleared || kill('SIGKILL'));

  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(cannotRun(name, error)));
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  const clear = async (): Promise<void> => {
    kill('SIGTERM');
    for (let waited = 0; waited < LEFT_MS && kill(0); waited += LEFT_CHECK_MS) await sleep(LEFT_CHECK_MS);
    kill('SIGKILL');
    isCleared = true;
  };
  return { ended, pass, clear };
}

/** Sends a signal to a process and all that it started; whether any was there. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0, isAlone: boolean): boolean {
  if (child.pid === undefined) return false;
  if (isAlone) return child.exitCode === null && child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** The exit codes are those of shells. */
function cannotRun(name: string, { code, message }: NodeJS.ErrnoException): CommandError {
  const shown = JSON.stringify(name);
  if (code === 'ENOENT') return new CommandError(`exec: there is no command ${shown} to run`, 127);
  const reason = code === 'EACCES' ? 'may not be run: it is no program' : `cannot be run: ${message}`;
  return new CommandError(`exec: the command ${shown} ${reason}`, 126);
}

function quotedForWindows(word: string): string {
  return /^[\w.:/\\@=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}

/** Under npm, which passes SIGTERM to its shell alone, calls back when that shell has died. */
export function followParent(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
