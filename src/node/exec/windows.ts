import type { ChildProcess, spawnSync } from 'node:child_process';

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
