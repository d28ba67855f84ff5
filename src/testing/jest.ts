import { afterAll, afterEach, expect, test as base } from '@jest/globals';
import { relative } from 'node:path';

import type { SandboxOptions } from '../index.js';
import { FixtureRuns, type SandboxFixtures } from './fixtures.js';
import { type TestIdentity, SameNameCounter } from './identity.js';
import { MATCHERS, type ReportMatchers, type SandboxMatchers } from './matchers.js';

export type { ReceivedMessage, Receiver } from './receiver.js';
export type { ExpectedBody, ExpectedCharge } from './matchers.js';
export type { ReportMatchers, SandboxFixtures, SandboxMatchers };

/** Registers a test; each of its runs has its own fixtures. */
interface Register {
  (name: string, run: (fixtures: SandboxFixtures) => unknown, timeout?: number): void;
  /** Registers a test for each row, which comes before the fixtures: in parts if it is an array, as with `test.each` of Jest. */
  each<T extends readonly unknown[]>(
    rows: readonly T[],
  ): (name: string, run: (...args: [...T, SandboxFixtures]) => unknown, timeout?: number) => void;
  each<T>(
    rows: readonly T[],
  ): (name: string, run: (row: T, fixtures: SandboxFixtures) => unknown, timeout?: number) => void;
}

/** The `test` of Jest, with fixtures. */
export interface SandboxTest extends Register {
  readonly only: Register;
  readonly skip: Register;
}

expect.extend(MATCHERS);

const JEST_NAMES = new SameNameCounter();

/**
 * Like `test`, with other options for the sandbox. If PLAYMONEY_URL names a server, options of the whole server are refused. Call it
 * outside of tests.
 *
 * @example
 * const test = createTest({ dialect: 'sdk' });
 */
export function createTest(options: SandboxOptions = {}): SandboxTest {
  const runs = new FixtureRuns(options, process.env);
  // Jest stops waiting for a test that takes too long, and goes on with this.
  afterEach(() => runs.endAll());
  afterAll(() => runs.close());

  const registering = (register: Pick<typeof base, 'each'> & RegisterTest): Register => {
    const given = (name: string, run: (fixtures: SandboxFixtures) => unknown, timeout?: number): void => {
      const identify = makeIdentify();
      register(name, () => runs.run(identify(), run, {}), timeout);
    };
    const each =
      (rows: readonly unknown[]) =>
      (name: string, run: (...args: unknown[]) => unknown, timeout?: number): void => {
        const identify = makeIdentify();
        const body = (...row: unknown[]): Promise<void> =>
          runs.run(identify(), (fixtures) => run(...row, fixtures), {}, String(run));
        register.each(rows)(name, body, timeout);
      };
    // TypeScript cannot spread a row over the parameters.
    return Object.assign(given, { each }) as Register;
  };
  return Object.assign(registering(base), {
    only: registering(base.only),
    skip: registering(base.skip),
  });
}

type RegisterTest = (name: string, run: () => Promise<void>, timeout?: number) => void;

/** Identifies the runs of one registered test. */
function makeIdentify(): () => TestIdentity {
  const test = {};
  const attempts = new Map<string, number>();
  return () => {
    const { currentTestName: name = '', testPath = '' } = expect.getState();
    const attempt = attempts.get(name) ?? 0;
    attempts.set(name, attempt + 1);
    return {
      name,
      place: relative(process.cwd(), testPath),
      sameNameIndex: JEST_NAMES.count(name, test),
      attempt,
    };
  };
}

/**
 * Jest's `test` with the fixtures `sandbox` and `receiver`, in process or on the server that PLAYMONEY_URL names. Importing it adds
 * the matchers to `expect`.
 *
 * @example
 * test('the customer learns that the card was declined', async ({ sandbox }) => {
 *   await sandbox.outcomes.queue('charge.create', ['insufficient_funds']);
 *   await expect(checkout(sandbox.url, sandbox.key)).rejects.toThrow('declined');
 *   await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
 * });
 */
export const test: SandboxTest = createTest();
