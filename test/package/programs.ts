import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import type { Started } from '../node/cli/program.js';
import { startingPrograms as startingAny } from '../node/cli/starting.js';

/** The same with options alone, on a free port. */
export function startingPrograms(): (...args: readonly string[]) => Promise<Started> {
  const start = startingAny();
  return (...args) => start([...args, '--port', '0']);
}

/** Whether a command can be run: not each of them has an option that does nothing. */
export function has(command: string): boolean {
  const folders = process.env['PATH']?.split(delimiter) ?? [];
  return folders.some((one) => existsSync(join(one, command)));
}
