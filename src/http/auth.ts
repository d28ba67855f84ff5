import { shownId } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import type { World } from '../world.js';
import type { EdgeSettings } from './exchange.js';

const KEY_MAX = 256;
const TEST_PREFIX = 'sk_test_';
const PUBLIC_PREFIX = 'pk_test_';
const REFUSED_KEYS = new Set(['sk_test_invalid', 'sk_test_revoked']);
const LIMITED_KEY = 'sk_test_limited';
/** What the key sk_test_limited may send in one virtual second. */
const LIMITED_CALLS = 5;

/** The key of a request when it is accepted, else a 401. The key itself is never repeated. */
export function authenticate(key: string | undefined, settings: EdgeSettings): string {
  if (key === undefined || key === '') {
    return refuseKey(
      'The header x-secretkey is missing. Send any key that starts with sk_test_, for example sk_test_local: each opens a world of its own. In a browser, begin at /_sandbox.',
    );
  }
  if (key.startsWith('sk_live_')) {
    return refuseKey(
      'A live key was sent to a sandbox in x-secretkey. Use one that starts with sk_test_, for example sk_test_local.',
    );
  }
  if (key.startsWith(PUBLIC_PREFIX)) {
    return refuseKey(
      'A public key was sent in x-secretkey; this call needs a secret one, for example sk_test_local.',
    );
  }
  if (REFUSED_KEYS.has(key)) {
    return refuseKey(`The key ${key} is always refused: it exists to test just that.`);
  }
  if (!isOneKey(key)) {
    return refuseKey(
      `The header x-secretkey must hold one key of at most ${KEY_MAX} characters, without blanks and commas, once.`,
    );
  }
  if (isAccepted(key, settings.keys)) return key;
  return refuseKey(
    'The key in x-secretkey is not accepted. Use one that starts with sk_test_, for example sk_test_local, or start the server with --key to accept yours.',
  );
}

function refuseKey(detail: string): never {
  return refuse(CODE.InvalidAuthentication, detail);
}

/** The secret key of the world that a public key works in, for calls of pages. */
export function secretOf(publicKey: string, isForPages: boolean): string {
  if (!isForPages) {
    refuseKey(
      'A public key does not reach this call, whatever x-secretkey holds. Leave x-publickey out and send x-secretkey.',
    );
  }
  if (publicKey.startsWith(PUBLIC_PREFIX) && isOneKey(publicKey)) {
    return TEST_PREFIX + publicKey.slice(PUBLIC_PREFIX.length);
  }
  const secret = publicKey.startsWith('sk_')
    ? ' A secret key was sent, which must never stand in a page.'
    : '';
  return refuseKey(
    `The header x-publickey must hold one key that starts with ${PUBLIC_PREFIX}, once.${secret}`,
  );
}

/** The key of the world of a 3-D Secure challenge; an unknown one is refused with 400 and code 59. */
export function keyOfChallenge(id: string, worlds: Iterable<World>): string {
  for (const { key, authentications } of worlds) if (authentications.find(id)) return key;
  return refuse(CODE.InvalidThreeDSServerTransID, `There is no challenge ${shownId(id)}.`);
}

/** The key of the world of a payment link; an unknown one is refused with 404 and code 116. */
export function keyOfLink(id: string, worlds: Iterable<World>): string {
  for (const { key, paymentLinks } of worlds) if (paymentLinks.find(id)) return key;
  return refuse(CODE.InvalidPaymentLinkId, `There is no payment link ${shownId(id)}.`);
}

/** Two headers of one name arrive joined by a comma. */
function isOneKey(key: string): boolean {
  return key.length <= KEY_MAX && /^[\x21-\x2b\x2d-\x7e]+$/.test(key);
}

function isAccepted(key: string, keys: readonly string[]): boolean {
  if (key.startsWith(TEST_PREFIX)) return true;
  let accepted = false;
  for (const known of keys) if (known === 'any' || equalInConstantTime(known, key)) accepted = true;
  return accepted;
}

/** Compares every character, so that the time taken does not show where two keys differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= a.charCodeAt(i % a.length) ^ b.charCodeAt(i);
  return difference === 0;
}

/** The key sk_test_limited gets a 429 after a few calls in one second of its world's clock. */
export function limitRate(world: World): void {
  if (world.key !== LIMITED_KEY) return;
  const second = Math.floor(world.now / 1000);
  if (world.rate.second !== second) world.rate = { second, calls: 0 };
  if (world.rate.calls++ < LIMITED_CALLS) return;
  const manual = world.clock.mode === 'manual' ? ' The clock is manual: advance it, for example by 1s.' : '';
  refuse(
    CODE.RateLimitingApplied,
    `The key ${LIMITED_KEY} takes ${LIMITED_CALLS} calls in a second.${manual}`,
    { retryAfterSeconds: 1 },
  );
}
