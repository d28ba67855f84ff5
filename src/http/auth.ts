import { CODE, refuse } from '../core/errors.js';
import { LIVE_PREFIX, PUBLIC_PREFIX, REFUSED_KEYS, TEST_PREFIX } from '../core/keys.js';
import { decodeBase64 } from '../core/text/base64.js';
import type { World } from '../world/world.js';
import type { Worlds } from '../world/worlds.js';
import type { EdgeSettings } from './exchange.js';

const KEY_MAX = 256;
const LIMITED_KEY = 'sk_test_limited';
/** How many calls the key sk_test_limited may send per second of its world's clock. */
const LIMITED_CALLS = 5;

/** The key of a request if it is accepted, or else a 401, which never contains the key. */
export function requireSecretKey(
  key: string | undefined,
  settings: Pick<EdgeSettings, 'keys' | 'keyLengthMin'> & Partial<Pick<EdgeSettings, 'vetKey'>>,
  authorization?: string,
): string {
  if (key === undefined || key === '') {
    if (hasAuthorizationKey(authorization, settings.keys)) {
      return refuseKey(
        'The header x-secretkey is missing, and Authorization, which has a key, is not read. Send that key in x-secretkey, and nothing else with it.',
      );
    }
    return refuseKey(
      'The header x-secretkey is missing. Send any key that starts with sk_test_, such as sk_test_local; each key has its own world. In a browser, open /_sandbox.',
    );
  }
  if (key.startsWith(LIVE_PREFIX)) {
    return refuseKey(
      'The header x-secretkey holds a live key, but this is a sandbox. Send a key that starts with sk_test_, such as sk_test_local.',
    );
  }
  if (key.startsWith(PUBLIC_PREFIX)) {
    return refuseKey(
      'The header x-secretkey holds a public key. This call needs a secret key, such as sk_test_local.',
    );
  }
  if (REFUSED_KEYS.has(key)) {
    return refuseKey(`The key ${key} is always refused, so that you can test for it.`);
  }
  if (!isSingleKey(key)) {
    return refuseKey(
      `The header x-secretkey must hold exactly one key of at most ${KEY_MAX} characters, without spaces or commas.`,
    );
  }
  const { keyLengthMin } = settings;
  if (key.startsWith(TEST_PREFIX) && key.length < keyLengthMin) {
    return refuseKey(
      `The key in x-secretkey is too short for this server, because others could guess it: it has ${key.length} characters, and must have at least ${keyLengthMin}. Send ${TEST_PREFIX} followed by at least ${keyLengthMin - TEST_PREFIX.length} random characters, such as those that \`openssl rand -hex 16\` prints.`,
    );
  }
  settings.vetKey?.(key);
  if (isAcceptedKey(key, settings.keys)) return key;
  return refuseKey(
    'The key in x-secretkey is not accepted. Send a key that starts with sk_test_, such as sk_test_local, or start the server with --key to accept your own.',
  );
}

/** Whether a header has a key as other services read it: as it is, as a Bearer token, or as the user of Basic. */
function hasAuthorizationKey(authorization: string | undefined, keys: readonly string[]): boolean {
  const [, scheme, sent = ''] = /^(?:(basic|bearer|token) +)?([^\s]+)$/i.exec(authorization ?? '') ?? [];
  const bytes = scheme?.toLowerCase() === 'basic' ? decodeBase64(sent) : undefined;
  const [key = ''] = (bytes === undefined ? sent : new TextDecoder().decode(bytes)).split(':', 1);
  return /^[sp]k_/.test(key) || (key !== '' && keys.some((known) => equalInConstantTime(known, key)));
}

function refuseKey(detail: string): never {
  return refuse(CODE.InvalidAuthentication, detail);
}

/** The secret key of the world that a public key belongs to, for calls of pages. */
export function toSecretKey(publicKey: string, isForPages: boolean): string {
  if (!isForPages) {
    refuseKey('This call does not accept a public key. Remove the header x-publickey and send x-secretkey.');
  }
  if (publicKey.startsWith(PUBLIC_PREFIX) && isSingleKey(publicKey)) {
    return TEST_PREFIX + publicKey.slice(PUBLIC_PREFIX.length);
  }
  const secret = publicKey.startsWith('sk_') ? ' It holds a secret key, which must never be in a page.' : '';
  return refuseKey(
    `The header x-publickey must hold exactly one key that starts with ${PUBLIC_PREFIX}.${secret}`,
  );
}

/** Where public keys are hashes: they reveal no more of a secret key than the name of its world does. */
export function hashedPublicKey(name: string): string {
  return PUBLIC_PREFIX + name;
}

/** The secret key of the world of a public key. A promise if the world must be loaded first. */
export function keyOfPublic(
  publicKey: string,
  isForPages: boolean,
  { hashesPublicKeys }: EdgeSettings,
  worlds: Worlds,
): string | Promise<string> {
  const twin = toSecretKey(publicKey, isForPages);
  if (!hashesPublicKeys) return twin;
  return worlds.keyNamed(publicKey.slice(PUBLIC_PREFIX.length), () =>
    refuseKey(
      'No world has the public key in x-publickey. On this server it is a hash of the secret key: GET /_sandbox/world, with the secret key, opens the world and returns it as PublicKey.',
    ),
  );
}

/** The key of the world whose name is in the address of a page; an unknown one is refused with 404. */
export function requirePageKey(name: string, worlds: Worlds): string | Promise<string> {
  return worlds.keyNamed(name, () =>
    refuse(
      CODE.ValidationError,
      'This address belongs to no world of this server. It may have been deleted.',
      {
        httpStatus: 404,
      },
    ),
  );
}

/** Documents with full card numbers, and what providers and webhooks authenticate with. */
const WHOLE_WORLDS = ['/_sandbox/state', '/_sandbox/bundle'];

/** The key of the world of a name, which a call of /_sandbox can send in x-sandbox-world. */
export function requireNamedKey(
  name: string,
  path: string,
  { worldsByName, optionNames }: EdgeSettings,
  worlds: Worlds,
): string | Promise<string> {
  const whole = WHOLE_WORLDS.find((prefix) => path.startsWith(prefix));
  if (whole !== undefined) {
    return refuseKey(
      `${whole} contains card numbers and credentials, so it requires the key of the world in x-secretkey.`,
    );
  }
  if (!worldsByName) {
    const unless =
      optionNames === null
        ? ' With --admin-token, or on a loopback address, it opens worlds by name as well.'
        : '';
    return refuseKey(`This server opens a world only by its key: send the key in x-secretkey.${unless}`);
  }
  return worlds.keyNamed(name, () =>
    refuseKey('No world of this server has that name. GET /_sandbox/worlds lists those it has.'),
  );
}

/** Without commas: two headers of the same name arrive joined by one. */
function isSingleKey(key: string): boolean {
  return key.length <= KEY_MAX && /^[\x21-\x2b\x2d-\x7e]+$/.test(key);
}

function isAcceptedKey(key: string, keys: readonly string[]): boolean {
  if (key.startsWith(TEST_PREFIX)) return true;
  let accepted = false;
  for (const known of keys) if (known === 'any' || equalInConstantTime(known, key)) accepted = true;
  return accepted;
}

/** Compares every character, so that the time does not reveal where two keys differ. */
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
  const manual = world.clock.mode === 'manual' ? ' The clock is manual: advance it by 1s to continue.' : '';
  const detail = `The key ${LIMITED_KEY} allows ${LIMITED_CALLS} calls per second.${manual}`;
  refuse(CODE.RateLimitingApplied, detail, { retryAfterSeconds: 1 });
}
