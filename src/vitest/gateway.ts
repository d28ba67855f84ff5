import { connect, createSandbox, type SandboxOptions, type World } from '../index.js';
import { KEY_PREFIX } from './key.js';

/** Where the tests of a file have their worlds. */
export interface Gateway {
  /** What the keys of its worlds begin with. */
  readonly prefix: string;
  /** The empty world of a key, whose clock stands still. */
  open(key: string): Promise<World>;
  close(): void;
}

/** What tells a test run of a server, as `playmoney exec` sets it. */
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
