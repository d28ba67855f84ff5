import { World } from './world.js';

/** The world of those who name no key. */
export const DEFAULT_KEY = 'sk_test_local';

export interface ConnectOptions {
  /** The secret key that opens the world; `sk_test_local` unless given. */
  readonly key?: string;
  /** What the server's `--admin-token` says. */
  readonly adminToken?: string;
}

/**
 * A world of a server that runs elsewhere, with all that a world within the process has.
 *
 * @example
 * const world = connect('http://127.0.0.1:4010', { key: 'sk_test_orders' });
 * await world.clock.advance('2h');
 */
export function connect(url: string | URL, { key = DEFAULT_KEY, adminToken }: ConnectOptions = {}): World {
  return new World({
    url: String(url).replace(/\/+$/, ''),
    key,
    adminToken: adminToken ?? null,
    // Looked up at each call, since a test may replace the global later.
    fetch: (request) => fetch(request),
  });
}
