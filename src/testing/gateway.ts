import { refuseUnknownSandboxOptions } from '../app/in-process/sandbox-options.js';
import { interceptFetch, readKey } from '../client/intercept.js';
import { dropNulls } from '../core/given.js';
import {
  type ClockChange,
  type ClockOptions,
  connect,
  createSandbox,
  type ResetOptions,
  type SandboxOptions,
  type World,
} from '../index.js';
import { WORLD_OPTIONS } from '../world/settings.js';
import { makeTestKey, type TestIdentity, makeWorldName } from './identity.js';

/** The prefix of keys, unless the environment sets one. */
const KEY_PREFIX = 'sk_test';

/** The sandbox that the tests of a file use. */
export interface TestGateway {
  /** Resets and returns the world of a test. */
  open(test: TestIdentity): Promise<World>;
  /** Answers a call to the address of its worlds. */
  fetch(request: Request): Promise<Response>;
  /** The key that signs webhooks; null if there is none, or if it is not known. */
  readonly webhookSecret: string | null;
  close(): void;
}

/** The variables that name a server, as `playmoney exec` sets them. */
export interface ServerEnvironment {
  readonly PLAYMONEY_URL?: string;
  readonly PLAYMONEY_KEY?: string;
  readonly PLAYMONEY_ADMIN_TOKEN?: string;
  readonly PLAYMONEY_WEBHOOK_SECRET?: string;
}

/** The sandbox of a test file: on the server that the environment names, or else in process. */
export function openGateway(options: SandboxOptions, environment: ServerEnvironment): TestGateway {
  const { PLAYMONEY_URL: url = '' } = environment;
  return url === '' ? openInProcess(options) : openOnServer(url, options, environment);
}

/** The sandbox of each key in process, because sandboxes with different options have the same address. */
const OWNERS = new Map<string, (request: Request) => Promise<Response>>();

function openInProcess(options: SandboxOptions): TestGateway {
  const sandbox = createSandbox({ clock: 'manual', ...options });
  const start = toResetOptions(options);
  const { url } = sandbox.world();
  const answer = (request: Request): Promise<Response> => sandbox.fetch(request);
  const keys: string[] = [];
  // Programs can call the address with the global fetch, as they would call a server.
  const restore = interceptFetch({
    base: url,
    to: url,
    key: null,
    answer: (request) => (OWNERS.get(readKey(request)) ?? answer)(request),
  });
  return {
    open: async (test) => {
      const key = makeTestKey(test, KEY_PREFIX, start);
      keys.push(key);
      OWNERS.set(key, answer);
      const world = sandbox.world(key);
      await world.reset({ ...start, name: makeWorldName(test) });
      return world;
    },
    fetch: answer,
    webhookSecret: options.webhookSecret ?? null,
    close: () => {
      restore();
      for (const key of keys) OWNERS.delete(key);
      sandbox.close();
    },
  };
}

function openOnServer(url: string, options: SandboxOptions, environment: ServerEnvironment): TestGateway {
  refuseServerOptions(options);
  const { PLAYMONEY_KEY: own = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = environment;
  const { PLAYMONEY_WEBHOOK_SECRET: secret = null } = environment;
  const { scenario, webhookSecret = secret } = options;
  // A server accepts every key with the usual prefix, but only one exact key of another kind.
  const prefix = own.startsWith(`${KEY_PREFIX}_`) ? own : KEY_PREFIX;
  const start = toResetOptions(options);
  return {
    open: async (test) => {
      const key = makeTestKey(test, prefix, start);
      const world = connect(url, { key, ...(adminToken === undefined ? {} : { adminToken }) });
      // An earlier run used the same key, and may have left a scenario.
      await (scenario === undefined ? world.scenario.clear() : world.scenario.use(scenario));
      await world.reset({ ...start, name: makeWorldName(test) });
      return world;
    },
    // Looked up at each call, since a test may replace the global later.
    // No redirects: they would take the key elsewhere.
    fetch: (request) => fetch(request, { redirect: 'manual' }),
    webhookSecret,
    close: () => {},
  };
}

/** The options that a reset sets for one world, besides its settings. */
const RESET_OPTIONS = ['seed', 'clock', 'scenario'];

/** The arguments of the reset before each test. The clock stands still, unless the options say otherwise. */
function toResetOptions({ seed, clock, ...others }: SandboxOptions): ResetOptions {
  const settings = Object.fromEntries(
    Object.entries(others).filter(([name, value]) => name in WORLD_OPTIONS && value !== undefined),
  );
  return { ...(seed === undefined ? {} : { seed }), clock: toClockChange(clock), settings };
}

function toClockChange(clock: ClockOptions | 'real' | 'manual' = 'manual'): ClockChange {
  const { mode = 'real', rate, start = null } = typeof clock === 'string' ? { mode: clock } : clock;
  const now = start === null ? {} : { now: typeof start === 'number' ? new Date(start) : start };
  if (mode !== 'scaled') return { mode, ...now };
  return rate === undefined ? { mode, ...now } : { mode, rate, ...now };
}

/** Refuses options of the whole server, which cannot be set on one that is running. */
function refuseServerOptions(options: SandboxOptions): void {
  refuseUnknownSandboxOptions(options);
  const other = Object.keys(dropNulls(options)).find(
    (name) => !(name in WORLD_OPTIONS) && !RESET_OPTIONS.includes(name),
  );
  if (other === undefined) return;
  const reason =
    other === 'deliver' || other === 'host'
      ? `${other} is a function of this process, and the server is another one. Remove it from createTest, or unset PLAYMONEY_URL.`
      : `createTest cannot set ${other} on a running server. Start the server with ${other}, and remove it from createTest.`;
  throw new Error(`Failed to use the server at PLAYMONEY_URL: ${reason}`);
}
