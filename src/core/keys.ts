/** The keys of worlds. */

/** The key in messages and examples, and that of a command without `--key`. */
export const DEFAULT_KEY = 'sk_test_local';
export const TEST_PREFIX = 'sk_test_';
export const PUBLIC_PREFIX = 'pk_test_';
export const LIVE_PREFIX = 'sk_live_';
/** Keys with which a test can get a 401. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set(['sk_test_invalid', 'sk_test_revoked']);
