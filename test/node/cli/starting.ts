import { afterEach, beforeAll } from 'vitest';

import { buildIfMissing, type Program, type Started, startProgram } from './program.js';

/** What the tests of started programs send: a key, and a charge that is approved. */
export const KEY = { 'x-secretkey': 'sk_test_a' };
export const JSON_KEY = { ...KEY, 'content-type': 'application/json' };
export const CHARGE = JSON.stringify({
  Amount: '20.00',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' },
});

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
