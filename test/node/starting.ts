import { afterEach, beforeAll } from 'vitest';

import { buildIfMissing, type Program, type Started, startProgram } from './program.js';

/** What starts the program as it is built, for a file of tests; each ends with the test that started it. */
export function startingPrograms(): typeof startProgram {
  const running: Program[] = [];
  beforeAll(buildIfMissing);
  afterEach(async () => {
    for (const program of running.splice(0)) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
  });
  return async (...given): Promise<Started> => {
    const started = await startProgram(...given);
    running.push(started);
    return started;
  };
}
