import {
  connect,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  serve,
  type World,
} from '../../src/index.js';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A charge of a token, as the body of a call. */
export function charging(Reference: string, more: object = {}): RequestInit {
  return {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference, ...more }),
  };
}

export async function charge(world: World, reference: string, more: object = {}): Promise<string> {
  const answer = await world.fetch('/charge/token', charging(reference, more));
  const { ChargeId } = (await answer.json()) as { ChargeId: string };
  return ChargeId;
}

/** A sandbox with a way to its worlds. */
export interface Reached {
  readonly sandbox: Sandbox;
  world(key?: string): World;
  end(): Promise<void>;
}

/** The two ways in which a world is reached; what holds for one holds for the other. */
export const WAYS: [name: string, reach: (options?: SandboxOptions) => Promise<Reached>][] = [
  [
    'within the process',
    (options = {}) => {
      const sandbox = createSandbox({ clock: 'manual', ...options });
      return Promise.resolve({
        sandbox,
        world: (key) => sandbox.world(key),
        end: () => Promise.resolve(sandbox.close()),
      });
    },
  ],
  [
    'over HTTP',
    async (options = {}) => {
      const sandbox = createSandbox({ clock: 'manual', ...options });
      const server = await serve(sandbox);
      const { adminToken } = options;
      return {
        sandbox,
        world: (key) =>
          connect(`${server.url}/`, {
            ...(key === undefined ? {} : { key }),
            ...(typeof adminToken === 'string' ? { adminToken } : {}),
          }),
        end: async () => {
          await server.close(0);
          sandbox.close();
        },
      };
    },
  ],
];
