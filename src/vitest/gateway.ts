import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';

import { hashText } from '../core/random.js';
import { connect, createSandbox, type SandboxOptions, type World } from '../index.js';

/** What a key begins with where the environment names none. */
const KEY_PREFIX = 'sk_test';
/** How much of a test's name its key shows to those who look at the worlds of a server. */
const SHOWN_LENGTH_MAX = 40;

/** Where the tests of a file have their worlds. */
export interface Gateway {
  /** What the keys of its worlds begin with. */
  readonly prefix: string;
  /** The empty world of a key, whose clock stands still. */
  open(key: string): Promise<World>;
  close(): void;
}

/** The variables that name a server, as `playmoney exec` sets them. */
interface Environment {
  readonly PLAYMONEY_URL?: string;
  readonly PLAYMONEY_KEY?: string;
  readonly PLAYMONEY_ADMIN_TOKEN?: string;
}

/** The gateway of a test file: on the server that the environment names, or else within the process. */
export function openGateway(options: SandboxOptions, environment: Environment): Gateway {
  const { PLAYMONEY_URL: url = '' } = environment;
  return url === '' ? gatewayWithin(options) : gatewayAt(url, options, environment);
}

function gatewayWithin(options: SandboxOptions): Gateway {
  const sandbox = createSandbox({ clock: 'manual', ...options });
  // Programs that call the address with the global fetch find the worlds there, as they would find a server's.
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
      `Failed to use the server of PLAYMONEY_URL: it cannot be told ${other}. Start it so, and leave ${other} out of createTest.`,
    );
  }
  const { PLAYMONEY_KEY: own = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = environment;
  // A server takes every key of this kind; of another kind it would take the one key alone.
  const prefix = own.startsWith(`${KEY_PREFIX}_`) ? own : KEY_PREFIX;
  return {
    prefix,
    open: async (key) => {
      const world = connect(url, { key, ...(adminToken === undefined ? {} : { adminToken }) });
      // An earlier run had the same keys, and may have played something.
      await (scenario === undefined ? world.scenario.clear() : world.scenario.use(scenario));
      await world.reset(seed === undefined ? {} : { seed });
      await world.clock.set('manual');
      return world;
    },
    close: () => {},
  };
}

/** Which try of a test is meant, as the runner counts them. */
type Attempt = Pick<NonNullable<RunnerTestCase['result']>, 'retryCount' | 'repeatCount'>;

/**
 * The key of a test's world: the same on every run, so that identifiers in snapshots are, whichever worker runs it; another
 * for each test of a run, and for each try of one.
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

/** The names of the suites that a task is in, and its own. */
function namesOf(task: RunnerTask): string[] {
  const names: string[] = [];
  for (let one: RunnerTask | undefined = task; one !== undefined && one !== task.file; one = one.suite) {
    names.unshift(one.name);
  }
  return names;
}

/** The tests of a file that have the same names, in their order. */
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
