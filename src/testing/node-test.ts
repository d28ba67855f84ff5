import { AssertionError } from 'node:assert';
import { relative } from 'node:path';
import { after, test as base, type TestContext, type TestOptions } from 'node:test';

import type { SandboxOptions, SweepReport, World } from '../index.js';
import { FixtureRuns, type SandboxFixtures } from './fixtures.js';
import { SameNameCounter } from './identity.js';
import { MATCHERS, type ReportMatchers, type SandboxMatchers, type MatcherResult } from './matchers.js';

export type { ReceivedMessage, Receiver } from './receiver.js';
export type { ExpectedBody, ExpectedCharge } from './matchers.js';
export type { SandboxFixtures };

/** The fixtures of a test, and what node:test passes to it. */
export interface TestFixtures extends SandboxFixtures {
  readonly t: TestContext;
}

type TestBody = (fixtures: TestFixtures) => unknown;

/** Registers a test; each of its runs has its own fixtures. */
interface Register {
  (name: string, run: TestBody): void;
  (name: string, options: TestOptions, run: TestBody): void;
}

/** The `test` of node:test, with fixtures. */
export interface SandboxTest extends Register {
  readonly only: Register;
  readonly skip: Register;
  readonly todo: Register;
}

/** Assertions about a world. They reject with an AssertionError. */
export type SandboxAssertions = SandboxMatchers<Promise<void>>;

/** Asserts something about a world, or about a report of `sweep`, as `expect` of other runners does. It knows only these assertions. */
export function expect(world: World): SandboxAssertions & { readonly not: SandboxAssertions };
export function expect(report: SweepReport): ReportMatchers & { readonly not: ReportMatchers };
export function expect(given: World | SweepReport): object {
  return { ...buildAssertions(given, true), not: buildAssertions(given, false) };
}

/** Each assertion refuses what is not for it. */
function buildAssertions(
  given: World | SweepReport,
  isExpected: boolean,
): SandboxAssertions & ReportMatchers {
  const require = ({ pass, message }: MatcherResult): void => {
    if (pass !== isExpected) throw new AssertionError({ message: message() });
  };
  const [world, report] = [given as World, given as SweepReport];
  return {
    toHaveCharged: async (...expected) => require(await MATCHERS.toHaveCharged(world, ...expected)),
    toHaveDelivered: async (...expected) => require(await MATCHERS.toHaveDelivered(world, ...expected)),
    toBalance: async (orders) => require(await MATCHERS.toBalance(world, orders)),
    toBeSafe: () => require(MATCHERS.toBeSafe(report)),
  };
}

const NODE_NAMES = new SameNameCounter();

/**
 * Like `test`, with other options for the sandbox. If PLAYMONEY_URL names a server, options of the whole server are refused.
 *
 * @example
 * const test = createTest({ dialect: 'sdk' });
 */
export function createTest(options: SandboxOptions = {}): SandboxTest {
  const runs = new FixtureRuns(options, process.env);
  after(() => runs.close());
  const registering = (register: typeof base.only): Register => {
    return (name: string, given: TestOptions | TestBody, body?: TestBody): void => {
      const [settings, run] = typeof given === 'function' ? [{}, given] : [given, body ?? (() => {})];
      const test = {};
      void register(name, settings, (t) => {
        // node:test stops waiting for a test that takes too long, and goes on with this.
        t.after(() => runs.endAll(t));
        const { fullName = name, filePath = process.argv[1] ?? '' } = t as NewerContext;
        const place = relative(process.cwd(), filePath);
        const identity = {
          name: fullName,
          place,
          sameNameIndex: NODE_NAMES.count(fullName, test),
          attempt: 0,
        };
        return runs.run(identity, run, { t }, String(run), t);
      });
    };
  };
  return Object.assign(registering(base), {
    only: registering(base.only),
    skip: registering(base.skip),
    todo: registering(base.todo),
  });
}

/** Fields of the context that Node 20 does not have, or not in its types. There each file has a process of its own. */
interface NewerContext {
  readonly fullName?: string;
  readonly filePath?: string;
}

/**
 * The `test` of node:test with the fixtures `sandbox` and `receiver`, in process or on the server that PLAYMONEY_URL names.
 *
 * @example
 * test('the customer learns that the card was declined', async ({ sandbox }) => {
 *   await sandbox.outcomes.queue('charge.create', ['insufficient_funds']);
 *   await assert.rejects(checkout(sandbox.url, sandbox.key), /declined/);
 *   await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
 * });
 */
export const test: SandboxTest = createTest();
