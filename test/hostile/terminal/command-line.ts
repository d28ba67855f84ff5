import { vi } from 'vitest';

import { CommandError, formatLines, type Printable } from '../../../src/node/terminal/terminal.js';
import { parseCommand } from '../../../src/node/cli/parse.js';
import { type PlainVerb, runVerb } from '../../../src/node/cli/run-verb.js';
import type { CommandOf } from '../../../src/node/cli/parse.js';

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Long enough for a server that answers, however busy the machine. */
const LIMIT_MS = 60_000;
const timeout = AbortSignal.timeout.bind(AbortSignal);

/** Runs a command line that starts no server, as the program does, with another time limit for each call. */
export async function commandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  limitMs = LIMIT_MS,
): Promise<Printed> {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(limitMs));
  const printed = { stdout: '', stderr: '' };
  const out = (text: Printable): void => void (printed.stdout += text);
  const err = (text: Printable): void => void (printed.stderr += text);
  const output = { out, err, progress: { note: () => {}, hide: () => {} } };
  try {
    const command = parseCommand(argv, env) as CommandOf<PlainVerb>;
    const { text, exitCode = 0 } = await runVerb(command, { env, output });
    if (text !== undefined) out(text);
    return { code: exitCode, ...printed };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    err(formatLines([`playmoney: ${error.message}`]));
    return { code: error.exitCode, ...printed };
  }
}
