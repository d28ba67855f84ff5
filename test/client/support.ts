import { onTestFinished } from 'vitest';

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

/** A sandbox with a way to its worlds; it ends with the test. */
export interface Reached {
  readonly sandbox: Sandbox;
  world(key?: string): World;
}

/** The two ways in which a world is reached; what holds for one holds for the other. */
export const WAYS: [name: string, reach: (options?: SandboxOptions) => Promise<Reached>][] = [
  [
    'within the process',
    (options = {}) => {
      const sandbox = createSandbox({ clock: 'manual', ...options });
      onTestFinished(() => sandbox.close());
      return Promise.resolve({ sandbox, world: (key) => sandbox.world(key) });
    },
  ],
  [
    'over HTTP',
    async (options = {}) => {
      const sandbox = createSandbox({ clock: 'manual', ...options });
      const server = await serve(sandbox);
      onTestFinished(async () => {
        await server.close(0);
        sandbox.close();
      });
      const { adminToken } = options;
      return {
        sandbox,
        world: (key) =>
          connect(`${server.url}/`, {
            ...(key === undefined ? {} : { key }),
            ...(typeof adminToken === 'string' ? { adminToken } : {}),
          }),
      };
    },
  ],
];
