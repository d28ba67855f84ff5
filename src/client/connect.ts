import { World } from './world.js';

/** The default key. */
export const DEFAULT_KEY = 'sk_test_local';

export interface ConnectOptions {
  /** The secret key of the world. Default: `sk_test_local`. */
  readonly key?: string;
  /** The server's `--admin-token`. */
  readonly adminToken?: string;
}

export function connect(url: string | URL, { key = DEFAULT_KEY, adminToken }: ConnectOptions = {}): World {
  return new World({
    url: String(url).replace(/\/+$/, ''),
    key,
    adminToken: adminToken ?? null,
    // Looked up at each call, since a test may replace the global later.
    // No redirects: they would take the key elsewhere.
    fetch: (request) => fetch(request, { redirect: 'manual' }),
  });
}
