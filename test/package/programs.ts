import { afterEach, beforeAll } from 'vitest';

import { buildIfMissing, type Program, type Started, startProgram } from '../node/program.js';

/** What starts the program as it is built, for a file of tests; each ends with the test that started it. */
export function startingPrograms(): (...args: readonly string[]) => Promise<Started> {
  const running: Program[] = [];
  beforeAll(buildIfMissing);
  afterEach(async () => {
    for (const program of running.splice(0)) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
  });
  return async (...args) => {
    const started = await startProgram([...args, '--port', '0']);
    running.push(started);
    return started;
  };
}
