import { shortHash } from './ids/random.js';

/** The keys of worlds. */

/** The key in messages and examples, and that of a command without `--key`. */
export const DEFAULT_KEY = 'sk_test_local';
export const TEST_PREFIX = 'sk_test_';
export const PUBLIC_PREFIX = 'pk_test_';
export const LIVE_PREFIX = 'sk_live_';
/** Keys with which a test can get a 401. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set(['sk_test_invalid', 'sk_test_revoked']);

/**
 * The name of the world of a key, which does not reveal the key. Its first digit follows from the last character of the key, so that a
 * proxy in front of several servers can send a call with the key and a page with the name to the same one.
 */
export function deriveWorldName(key: string): string {
  const last = key.charCodeAt(key.length - 1) & 15;
  return last.toString(16) + shortHash(`world:${key}`).slice(1);
}
