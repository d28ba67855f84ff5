/** The keys of worlds. */

export const TEST_PREFIX = 'sk_test_';
export const PUBLIC_PREFIX = 'pk_test_';
export const LIVE_PREFIX = 'sk_live_';
/** Keys with which a test can get a 401. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set(['sk_test_invalid', 'sk_test_revoked']);

/** Why no server accepts a secret key; null if one can. Never contains the key, unless everybody knows it. */
export function whyNoKey(key: string): string | null {
  const use = 'Use the secret key, which begins with sk_test_';
  if (key.startsWith(PUBLIC_PREFIX)) return `is a public key. ${use}`;
  if (key.startsWith(LIVE_PREFIX)) return `is a live key, but this is a sandbox. ${use}`;
  return REFUSED_KEYS.has(key) ? `is ${key}, which is always refused, so it has no world` : null;
}
