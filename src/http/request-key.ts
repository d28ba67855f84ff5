import type { Context } from 'hono';

import { requirePageKey, keyOfPublic, requireNamedKey } from './auth.js';
import { type Env, headerOf } from './exchange.js';

export const CONTROL = '/_sandbox';

/** Whether a path is that of a call of the sandbox itself. */
export function isControlPath(path: string): boolean {
  return path.startsWith(CONTROL) && (path.length === CONTROL.length || path[CONTROL.length] === '/');
}

/** Whether a target leads to the control plane: servers decode escapes, and resolve dots in a path. */
export function leadsToControl(target: string): boolean {
  const { pathname } = new URL(`http://localhost/${target}`);
  return pathname.split('/').some((word) => `/${word.replaceAll(/%5f/gi, '_')}` === CONTROL);
}

/** Pages of payment links, for payers. The path names the world. */
export const PAY = `${CONTROL}/pay/`;
export const CHALLENGE = `${CONTROL}/3ds/`;
/** Pages of wallets, on which payers approve check-outs. */
export const WALLET = `${CONTROL}/wallet/`;
export const PAYER_PAGES: readonly string[] = [PAY, CHALLENGE, WALLET];
/** A world by its name, which can only be deleted. */
export const WORLDS_PATH = `${CONTROL}/worlds/`;

/**
 * The secret key of the world that a call is for; undefined if it has none. A guarded call of /_sandbox may name its world. A
 * promise if the named world must be loaded first.
 */
export function findRequestKey(
  c: Context<Env>,
  isForPages: boolean,
  mayName: boolean,
): string | undefined | Promise<string> {
  const { settings, worlds } = c.get('edge');
  // A plug-in that checks its public key sends an arbitrary secret key with it.
  const publicKey = headerOf(c, 'x-publickey');
  if (publicKey !== undefined) return keyOfPublic(publicKey, isForPages, settings, worlds);
  const { path } = c.req;
  const secretKey = headerOf(c, 'x-secretkey');
  if (secretKey !== undefined) return secretKey;
  const name = mayName ? (headerOf(c, 'x-sandbox-world') ?? findNameInPath(path, WORLDS_PATH)) : undefined;
  if (name !== undefined) return requireNamedKey(name, path, settings, worlds);
  for (const page of PAYER_PAGES) {
    const paying = findNameInPath(path, page);
    if (paying !== undefined) return requirePageKey(paying, worlds);
  }
  return undefined;
}

/** The name of a world that follows the beginning of a path. */
export function findNameInPath(path: string, beginning: string): string | undefined {
  return path.startsWith(beginning) ? path.slice(beginning.length).split('/', 1)[0] : undefined;
}
