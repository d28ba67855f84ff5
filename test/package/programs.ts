import type { Started } from '../node/cli/program.js';
import { startingPrograms as startingAny } from '../node/cli/starting.js';

/** The same with options alone, on a free port. */
export function startingPrograms(): (...args: readonly string[]) => Promise<Started> {
  const start = startingAny();
  return (...args) => start([...args, '--port', '0']);
}
