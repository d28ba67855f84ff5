import type { ChildProcess, StdioOptions, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { ENDING_SIGNALS } from '../terminal/signals.js';
import { CommandError } from '../terminal/terminal.js';

/** How long processes that a command leaves behind may take to end after SIGTERM. */
const LEFT_MS = 500;
const LEFT_CHECK_MS = 20;
/** The third signal is passed on as SIGKILL. */
const KILLING_SIGNAL = 3;
const PARENT_CHECK_MS = 500;

/** A command that runs in its own process group, on the terminal and streams of this program unless they are ignored. */
export interface Child {
  /** Resolves with its exit code, or 128 plus the number of the signal that ended it; rejects with a CommandError. */
  readonly ended: Promise<number>;
  pass(signal: NodeJS.Signals): void;
  /** Ends it at once with all its processes, which does not count as an interruption. */
  kill(): void;
  clear(): Promise<void>;
  /** Whether a signal was passed to it. */
  isInterrupted(): boolean;
  /** The output of the command; null unless `stdio` has a pipe for it. */
  readonly stdout: Readable | null;
}

/** Runs a command, or a text in a shell. It gets the signals sent to this program, and ends when this program ends. */
export async function runChild(
  command: readonly string[] | string,
  env: NodeJS.ProcessEnv,
  stdio: StdioOptions = 'inherit',
): Promise<Child> {
  const { spawn, spawnSync } = await import('node:child_process');
  const isShell = typeof command === 'string';
  const [name = '', ...args] = isShell ? [command] : command;
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn(isShell ? command : command.map(quoteForWindows).join(' '), { env, stdio, shell: true })
    : spawn(name, args, { env, stdio, shell: isShell, detached: true });
  const kill = (signal: NodeJS.Signals | 0): boolean =>
    isWindows ? signalOnWindows(child, signal, spawnSync) : killGroup(child, signal);

  let signals = 0;
  let isCleared = false;
  const pass = (signal: NodeJS.Signals): void => {
    signals++;
    kill(signals >= KILLING_SIGNAL ? 'SIGKILL' : signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, pass);
  // After it is cleared, another process may have its number.
  const killLast = (): void => void (isCleared || kill('SIGKILL'));
  process.once('exit', killLast);

  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(buildRunError(name, error)));
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  const clear = async (): Promise<void> => {
    kill('SIGTERM');
    for (let waited = 0; waited < LEFT_MS && kill(0); waited += LEFT_CHECK_MS) await sleep(LEFT_CHECK_MS);
    kill('SIGKILL');
    isCleared = true;
    for (const signal of ENDING_SIGNALS) process.off(signal, pass);
    process.off('exit', killLast);
  };
  return {
    ended,
    pass,
    kill: () => void kill('SIGKILL'),
    clear,
    isInterrupted: () => signals > 0,
    stdout: child.stdout,
  };
}

/** Sends a signal to a process and all its children; returns whether any of them exists. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Uses the exit codes of shells. */
function buildRunError(name: string, { code, message }: NodeJS.ErrnoException): CommandError {
  const shown = JSON.stringify(name);
  if (code === 'ENOENT') return new CommandError(`command not found: ${shown}`, 127);
  const reason = code === 'EACCES' ? 'it is not an executable file' : message;
  return new CommandError(`cannot run ${shown}: ${reason}`, 126);
}

/** Under npm, which sends SIGTERM only to its shell, calls back when that shell has ended. */
export function followParent(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}

/** On Windows, commands such as npm are batch files, which only a shell runs, and there are no process groups. */

/** A word of a command for cmd.exe. A backslash before a quote would make it a part of the word. */
export function quoteForWindows(word: string): string {
  if (/^[\w.:/\\@=+-]+$/.test(word)) return word;
  return `"${word.replaceAll(/(\\+)(?="|$)/g, '$1$1').replaceAll('"', '""')}"`;
}

/** Passes a signal on; returns whether the command runs. The console sends Ctrl+C itself; any other ends the whole tree. */
export function signalOnWindows(
  { pid, exitCode }: Pick<ChildProcess, 'pid' | 'exitCode'>,
  signal: NodeJS.Signals | 0,
  run: (...command: Parameters<typeof spawnSync>) => unknown,
): boolean {
  if (pid === undefined || exitCode !== null) return false;
  if (signal === 'SIGTERM' || signal === 'SIGKILL')
    run('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
  return true;
}
