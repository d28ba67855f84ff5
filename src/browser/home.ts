import { PlaymoneyError } from './call.js';

/** Where a script of ours came from; within a module or the page itself it cannot know, and the page's own server stands for it. */
export const HOME = new URL(
  (document.currentScript instanceof HTMLScriptElement && document.currentScript.src) || location.href,
).origin;

/** The headers of a page's call. Whatever the server speaks otherwise, our scripts read the names of the specification. */
export function speakingFor(publicKey: string): Readonly<Record<string, string>> {
  return { 'x-publickey': publicKey, 'x-sandbox-dialect': 'documented' };
}

/** Throws a `PlaymoneyError` that says what is wrong with a public key. */
export function requirePublicKey(publicKey: unknown): asserts publicKey is string {
  if (typeof publicKey !== 'string' || publicKey === '')
    throw new PlaymoneyError('publicKey is missing. Use any key that starts with pk_test_.');
  if (publicKey.startsWith('sk_')) {
    throw new PlaymoneyError(
      'publicKey holds a secret key, which must never stand in a page. Use pk_test_….',
    );
  }
  // A header takes nothing else, and the browser would not say which one is wrong.
  if (!/^[\x21-\x7e]+$/.test(publicKey))
    throw new PlaymoneyError(
      'publicKey has characters that no key has. Use any key that starts with pk_test_.',
    );
}
