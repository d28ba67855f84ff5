import type { Context } from 'hono';

import { keyOfChallenge, keyOfLink, keyOfWorld, secretOf } from './auth.js';
import { type Env, headerOf } from './exchange.js';

export const CONTROL = '/_sandbox';
/** Pages of payment links, for payers. The link determines the world. */
export const PAY = `${CONTROL}/pay/`;
export const CHALLENGE = `${CONTROL}/3ds/`;

/** The secret key of the world that a call is for; undefined if it has none. A guarded call of /_sandbox may name its world. */
export function keyOf(c: Context<Env>, isForPages: boolean, mayName: boolean): string | undefined {
  const { settings, worlds } = c.get('edge');
  // A plug-in that checks its public key sends an arbitrary secret key with it.
  const publicKey = headerOf(c, 'x-publickey');
  if (publicKey !== undefined) return secretOf(publicKey, isForPages);
  const { path } = c.req;
  const secretKey = headerOf(c, 'x-secretkey');
  if (secretKey !== undefined) return secretKey;
  const name = mayName ? headerOf(c, 'x-sandbox-world') : undefined;
  if (name !== undefined) return keyOfWorld(name, path, settings, worlds.all());
  if (path.startsWith(CHALLENGE)) return keyOfChallenge(path.slice(CHALLENGE.length), worlds.all());
  return path.startsWith(PAY) ? keyOfLink(path.slice(PAY.length), worlds.all()) : undefined;
}
