import { PlaymoneyError } from './error.js';

/** The script of the page that this code is in. It is known only while it loads; a module has none, and on a server there is no page. */
const SCRIPT = typeof document === 'undefined' ? null : document.currentScript;

/** The sandbox that a page calls, and the world there. */
export interface Gateway {
  /** The address of the sandbox, without a slash at the end. */
  readonly address: string;
  readonly publicKey: string;
}

/** The paths of the scripts below the address of the sandbox. */
const SCRIPTS = /\/(?:_sandbox|v[^/]*\/js)\/\w+\.js$/;

/** The address of the sandbox: `baseUrl`, or that of this script, or in a module the origin of the page. */
export function sandboxAddress(
  baseUrl: string = (SCRIPT as HTMLScriptElement | null)?.src || location.origin,
): string {
  try {
    const { origin, pathname } = new URL(baseUrl);
    return origin + pathname.replace(SCRIPTS, '').replace(/\/+$/, '');
  } catch {
    throw new PlaymoneyError(`baseUrl is not an address: ${baseUrl}. Use one such as http://127.0.0.1:4010.`);
  }
}

/** The headers of a call. The scripts need the documented dialect, whatever the server's default is. */
export function callHeaders(publicKey: string): Readonly<Record<string, string>> {
  return { 'x-publickey': publicKey, 'x-sandbox-dialect': 'documented' };
}

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
