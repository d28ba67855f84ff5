import {
  expect,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type TestAPI,
  test as base,
} from 'vitest';

import type { SandboxOptions } from '../index.js';
import { reportFailure } from './failure.js';
import { openWorldReceiver, type SandboxFixtures } from './fixtures.js';
import { type TestGateway, openGateway } from './gateway.js';
import type { TestIdentity } from './identity.js';
import { MATCHERS, type ReportMatchers, type SandboxMatchers } from './matchers.js';

export type { ReceivedMessage, Receiver } from './receiver.js';
export type { ExpectedBody, ExpectedCharge } from './matchers.js';
export type { SandboxFixtures };

declare module 'vitest' {
  interface Matchers<T> extends SandboxMatchers<Promise<void>>, ReportMatchers {}
}

expect.extend(MATCHERS);

type Gateways = Map<SandboxOptions, TestGateway>;

/**
 * Like `test`, with other options for the sandbox. If PLAYMONEY_URL names a server, options of the whole server are refused.
 *
 * @example
 * const test = createTest({ dialect: 'sdk' });
 */
export function createTest(options: SandboxOptions = {}): TestAPI<SandboxFixtures> {
  const gatewayOf = (gateways: Gateways): TestGateway => {
    // Older versions of vitest pass the array itself, because they do not know fixtures of a file.
    if (!(gateways instanceof Map)) throw new Error('playmoney/vitest needs vitest 3.2 or later.');
    const gateway = gateways.get(options) ?? openGateway(options, process.env);
    gateways.set(options, gateway);
    return gateway;
  };
  return base.extend<SandboxFixtures & { readonly playmoneyGateways: Gateways }>({
    // Keyed by options, because vitest 3 shares this fixture among all tests of a file, even those of different `createTest` calls.
    playmoneyGateways: [
      // Vitest reads the fixtures that this one depends on from its first parameter. There are none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const gateways: Gateways = new Map();
        await use(gateways);
        for (const gateway of gateways.values()) gateway.close();
      },
      { scope: 'file' },
    ],
    sandbox: async ({ playmoneyGateways, task, onTestFailed }, use) => {
      const world = await gatewayOf(playmoneyGateways).open(identifyTask(task));
      onTestFailed(() => reportFailure(task.name, world));
      await use(world);
    },
    receiver: async ({ playmoneyGateways, sandbox }, use) => {
      const receiver = await openWorldReceiver(sandbox, gatewayOf(playmoneyGateways), options);
      await use(receiver);
      await receiver.close();
    },
  });
}

/**
 * Vitest's `test` with the fixtures `sandbox` and `receiver`, in process or on the server that PLAYMONEY_URL names.
 *
 * @example
 * test('the customer learns that the card was declined', async ({ sandbox }) => {
 *   await sandbox.outcomes.queue('charge.create', ['insufficient_funds']);
 *   await expect(checkout(sandbox.url, sandbox.key)).rejects.toThrow('declined');
 *   await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
 * });
 */
export const test: TestAPI<SandboxFixtures> = createTest();

/** @internal */
export function identifyTask(task: RunnerTestCase): TestIdentity {
  const names = titlesAbove(task);
  const { retryCount = 0, repeatCount = 0 } = task.result ?? {};
  return {
    name: names.join(' '),
    place: `${task.file.projectName ?? ''}\n${task.file.name}`,
    sameNameIndex: listSameName(task.file, names).indexOf(task.id),
    attempt: `${retryCount}\n${repeatCount}`,
  };
}

/** The names of a task's suites, then its own name. */
function titlesAbove({ name, suite, file }: RunnerTask): string[] {
  return suite === undefined || suite === file ? [name] : [...titlesAbove(suite), name];
}

/** The tests of a file with the same names, in order. */
function listSameName(file: RunnerTestFile, names: readonly string[]): string[] {
  let tasks: readonly RunnerTask[] = [file];
  for (const name of names) {
    const below = tasks.flatMap((task) => ('tasks' in task ? task.tasks : []));
    tasks = below.filter((task) => task.name === name);
  }
  return tasks.map(({ id }) => id);
}
