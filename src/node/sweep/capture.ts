import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { CommandError } from '../terminal/terminal.js';

/** Runs a command in a shell and returns what it printed. Its stderr goes to this terminal. Rejects if it fails, or takes too long. */
export async function capture(command: string, env: NodeJS.ProcessEnv, timeout: number): Promise<string> {
  const child = spawn(command, {
    env,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = await text(child.stdout);
  const code = await ended;
  if (code === 0) return printed;
  throw new CommandError(`the command ${JSON.stringify(command)} ended with exit code ${code ?? 'none'}`);
}
