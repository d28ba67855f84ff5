import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';

import { hashText } from '../core/random.js';
import { connect, createSandbox, type SandboxOptions, type World } from '../index.js';

/** The prefix of keys, unless the environment sets one. */
const KEY_PREFIX = 'sk_test';
/** How much of a test's name its key contains, so that users can recognise its world. */
const SHOWN_LENGTH_MAX = 40;

/** The sandbox that the tests of a file use. */
export interface Gateway {
  /** The prefix of its worlds' keys. */
  readonly prefix: string;
  /** The empty world of a key, with a manual clock. */
  open(key: string): Promise<World>;
  close(): void;
}

/** The variables that name a server, as `playmoney exec` sets them. */
interface Environment {
  readonly PLAYMONEY_URL?: string;
  readonly PLAYMONEY_KEY?: string;
  readonly PLAYMONEY_ADMIN_TOKEN?: string;
}

/** The gateway of a test file: the server that the environment names, or else one in process. */
export function openGateway(options: SandboxOptions, environment: Environment): Gateway {
  const { PLAYMONEY_URL: url = '' } = environment;
  return url === '' ? gatewayWithin(options) : gatewayAt(url, options, environment);
}

function gatewayWithin(options: SandboxOptions): Gateway {
  const sandbox = createSandbox({ clock: 'manual', ...options });
  // Programs can call the address with the global fetch, as they would call a server.
  const restore = sandbox.intercept(sandbox.world().url);
  return {
    prefix: KEY_PREFIX,
    open: (key) => Promise.resolve(sandbox.world(key)),
    close: () => {
      restore();
      sandbox.close();
    },
  };
}

function gatewayAt(url: string, options: SandboxOptions, environment: Environment): Gateway {
  const { scenario, seed, ...others } = options;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new Error(
      `Failed to use the server at PLAYMONEY_URL: createTest cannot set ${other} on a running server. Start the server with ${other}, and remove it from createTest.`,
    );
  }
  const { PLAYMONEY_KEY: own = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = environment;
  // A server accepts every key with the usual prefix, but only one exact key of another kind.
  const prefix = own.startsWith(`${KEY_PREFIX}_`) ? own : KEY_PREFIX;
  return {
    prefix,
    open: async (key) => {
      const world = connect(url, { key, ...(adminToken === undefined ? {} : { adminToken }) });
      // An earlier run used the same keys, and may have left a scenario.
      await (scenario === undefined ? world.scenario.clear() : world.scenario.use(scenario));
      await world.reset(seed === undefined ? {} : { seed });
      await world.clock.set('manual');
      return world;
    },
    close: () => {},
  };
}

/** Which retry or repetition of a test is running. */
type Attempt = Pick<NonNullable<RunnerTestCase['result']>, 'retryCount' | 'repeatCount'>;

/**
 * The key of a test's world. It is the same in every run and every worker, so that identifiers in snapshots are the same. It
 * differs for each test, retry and repetition.
 */
export function keyOf(task: RunnerTestCase, prefix: string, attempt: Attempt = task.result ?? {}): string {
  const { file } = task;
  const names = namesOf(task);
  const twin = twinsOf(file, names).indexOf(task.id);
  const { retryCount = 0, repeatCount = 0 } = attempt;
  const identity = [file.projectName ?? '', file.name, ...names, twin, retryCount, repeatCount].join('\n');
  const [a, b] = hashText(identity);
  const shown = names
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .slice(0, SHOWN_LENGTH_MAX);
  return `${prefix}_${shown}_${hex(a)}${hex(b)}`;
}

/** The names of a task's suites, then its own name. */
function namesOf(task: RunnerTask): string[] {
  const names: string[] = [];
  for (let one: RunnerTask | undefined = task; one !== undefined && one !== task.file; one = one.suite) {
    names.unshift(one.name);
  }
  return names;
}

/** The tests of a file with the same names, in order. */
function twinsOf(file: RunnerTestFile, names: readonly string[]): string[] {
  let tasks: readonly RunnerTask[] = [file];
  for (const name of names) {
    tasks = tasks.flatMap((one) => ('tasks' in one ? one.tasks.filter((inner) => inner.name === name) : []));
  }
  return tasks.map(({ id }) => id);
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
