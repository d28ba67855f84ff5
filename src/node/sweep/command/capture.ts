import { buffer } from 'node:stream/consumers';

import { startDeadline } from '../../../core/time/sleep.js';
import { type Child, runChild } from '../../exec/child.js';
import { NODE_HOST } from '../../machine/host.js';
import { CommandError } from '../../terminal/terminal.js';

const NOTHING = new Uint8Array();
/** The exit code of shells for SIGINT. */
const EXIT_INTERRUPTED = 130;

/**
 * Runs a command in a shell and returns what it printed. Its stderr goes to this terminal. Rejects if it fails, or takes too long.
 * `watch` receives its process.
 */
export async function captureOutput(
  command: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
  watch?: (child: Child) => void,
): Promise<Uint8Array> {
  const child = await runChild(command, env, ['ignore', 'pipe', 'inherit']);
  watch?.(child);
  const printed = child.stdout === null ? NOTHING : buffer(child.stdout).catch(() => NOTHING);
  // A process that it left behind may still print.
  const ended = Promise.all([child.ended, printed]).then(([code]) => code);
  const code = await waitForExit({ ...child, ended }, timeout);
  if (code === 0) return printed;
  const why = code === null ? 'took longer than --timeout allows' : `ended with exit code ${code}`;
  throw new CommandError(`the command ${JSON.stringify(command)} ${why}`);
}

/** Null if the time is over. Throws if a signal interrupted it, because programs may then exit with 0. */
export async function waitForExit(child: Child, timeout: number): Promise<number | null> {
  const exitCode = await waitAtMost(child.ended, timeout, () => {
    child.kill();
    child.stdout?.destroy();
  });
  await child.clear();
  if (exitCode === null || !child.isInterrupted()) return exitCode;
  throw new CommandError('sweep was interrupted', exitCode || EXIT_INTERRUPTED);
}

/** Null if the time is over, after which the command is ended. */
async function waitAtMost(exit: Promise<number>, ms: number, stop: () => void): Promise<number | null> {
  const deadline = startDeadline(NODE_HOST, ms);
  const result = await Promise.race([exit, deadline.over.then(() => null)]);
  deadline.end();
  if (result !== null) return result;
  stop();
  await exit;
  return null;
}
