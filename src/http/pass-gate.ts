import type { Context } from 'hono';

import type { ApiError } from '../core/errors.js';
import { type Edge, type Env, headerOf } from './exchange.js';
import { Gate } from './gate.js';
import { CONTROL } from './request-key.js';
import { hostsOf, vetMount } from './mounted.js';

/** Calls of the page script. They have a public key: a page must not know the admin token. */
export const PAGE_CALLS = `${CONTROL}/page/`;

/** Whether a path is one of the pages that everybody may open. */
export type IsOpen = (path: string) => boolean;

/** Returns the origin that may read the answer. */
type PassGate = (c: Context<Env>, control: boolean, isKnown: boolean) => string | null;

/** Checks what every request names before its key: hosts, path and Origin. */
export function gateOf(
  { settings }: Edge,
  isOpen: IsOpen,
  unknown: (method: string, path: string) => ApiError,
): PassGate {
  const gate = new Gate(settings);
  let isMountKnown = false;
  return (c, control, isKnown) => {
    const hosts = hostsOf(c);
    for (const host of hosts) gate.checkHost(host);
    isMountKnown ||= vetMount(c);
    // A page of a mount that does not know its path. Its visitor has no key.
    if (!isKnown && c.req.path.indexOf(CONTROL) > 0) throw unknown(c.req.method, c.req.path);
    return checkOrigin(c, gate, hosts[0], control, isOpen);
  };
}

function checkOrigin(
  c: Context<Env>,
  gate: Gate,
  host: string,
  control: boolean,
  isOpen: IsOpen,
): string | null {
  const origin = headerOf(c, 'origin');
  const { path, method } = c.req;
  if (origin !== undefined) return gate.checkOrigin(origin, host, method, control);
  // Browsers send an Origin with most calls of other sites, but not with all.
  const isNavigation = headerOf(c, 'sec-fetch-mode') === 'navigate' && !path.startsWith(PAGE_CALLS);
  // A page may be opened from other sites, and the script of card forms may be loaded by them.
  const isForOthers = path === `${CONTROL}/sdk.js` || (isNavigation && isOpen(path));
  const isClosed = control && !isForOthers;
  if (headerOf(c, 'sec-fetch-site') === 'cross-site') gate.checkSite(method, isClosed);
  return null;
}
