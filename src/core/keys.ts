/** The keys of worlds. */

export const TEST_PREFIX = 'sk_test_';
export const PUBLIC_PREFIX = 'pk_test_';
export const LIVE_PREFIX = 'sk_live_';
/** Keys with which a test can get a 401. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set(['sk_test_invalid', 'sk_test_revoked']);
