import { PlaymoneyError } from './call.js';

/** The origin that this script was loaded from. Inside a module it is unknown, so the page's origin is used. */
export const HOME = new URL(
  (document.currentScript instanceof HTMLScriptElement && document.currentScript.src) || location.href,
).origin;

/** The headers of a call. The scripts need the documented dialect, whatever the server's default is. */
export function headersFor(publicKey: string): Readonly<Record<string, string>> {
  return { 'x-publickey': publicKey, 'x-sandbox-dialect': 'documented' };
}

/** Throws a `PlaymoneyError` if a public key is wrong. */
export function requirePublicKey(publicKey: unknown): asserts publicKey is string {
  if (typeof publicKey !== 'string' || publicKey === '')
    throw new PlaymoneyError('publicKey is missing. Use any key that starts with pk_test_.');
  if (publicKey.startsWith('sk_')) {
    throw new PlaymoneyError(
      'publicKey is a secret key, which must never be in a page. Use a key that starts with pk_test_.',
    );
  }
  // Headers allow no other characters, and the browser's error would not name the key.
  if (!/^[\x21-\x7e]+$/.test(publicKey))
    throw new PlaymoneyError('publicKey has invalid characters. Use any key that starts with pk_test_.');
}
