import type { Context } from 'hono';

import { CODE, refuse, type ApiError } from '../core/errors.js';
import { isLocalName } from '../core/receiver.js';
import { type EdgeSettings, type Edge, type Env, headerOf } from './exchange.js';
import { CONTROL } from './request-key.js';
import { hostsOf, vetMount } from './mounted.js';

/** Protects every path from web pages: from host names they control (DNS rebinding) and from visitors' browsers (Origin). */

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PORT_MAX = 65_535;

const MALFORMED =
  'The Host header is malformed; it must be a name or an address, optionally with a port up to 65535.';
const CROSS_SITE =
  'A page of another site may not make this call (Sec-Fetch-Site: cross-site, without an Origin). Call it with fetch, which sends an Origin, and allow that origin with --allowed-origin ORIGIN.';

/** The name without port and brackets; undefined when it is malformed. */
function parseHostName(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::(\d{1,5}))?$/i.exec(host);
  if (Number(match?.[3] ?? 0) > PORT_MAX) return undefined;
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function isIpAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  // Anybody can own the name 127.0.0.1.example.com.
  return name.startsWith('127.') && isIpAddress(name);
}

type GateSettings = Pick<EdgeSettings, 'allowedHosts' | 'allowedOrigins' | 'onTurnedAway'>;

export class Gate {
  readonly #passed = new Set<string>();

  constructor(private readonly settings: GateSettings) {}

  checkHost(host: string): void {
    if (this.#passed.has(host)) return;
    const name = parseHostName(host);
    if (name === undefined) refuse(CODE.ValidationError, MALFORMED);
    if (!isIpAddress(name) && !isLocalName(name) && !this.settings.allowedHosts.includes(name)) {
      const shown = name.slice(0, 100);
      const detail = `This server does not answer requests for the host ${shown}. Use 127.0.0.1 or localhost, or allow the name with --allowed-host ${shown}, in a program with the option allowedHosts.`;
      this.settings.onTurnedAway?.(detail);
      refuse(CODE.ValidationError, detail, { httpStatus: 403 });
    }
    // Links begin with it.
    if (!URL.canParse(`http://${host}`)) refuse(CODE.ValidationError, MALFORMED);
    // The limit keeps clients that make up names from filling the memory.
    if (this.#passed.size < 100) this.#passed.add(host);
  }

  /** The origin if it may read the answer, or null. Refuses what pages of other origins must not do. */
  checkOrigin(origin: string, host: string, method: string, control: boolean): string | null {
    if (this.isTrusted(origin, host)) return origin;
    const remedy =
      origin === 'null'
        ? 'A page that was opened from a file has the origin null: serve it over http, or allow it with --allowed-origin null.'
        : `Allow it with --allowed-origin ${origin.slice(0, 100)}, in a program with the option allowedOrigins.`;
    const detail = `The origin ${origin.slice(0, 100)} may not call this server. ${remedy}`;
    // Reported even if the call is answered: the browser hides the answer from its page without a reason.
    this.settings.onTurnedAway?.(detail);
    // A page of another origin cannot read the answer of a plain GET, so that is safe unless it is a control call.
    if (SAFE_METHODS.has(method) && !control) return null;
    refuse(CODE.ValidationError, detail, { httpStatus: 403 });
  }

  /** Refuses what pages of other sites must not do without an Origin. They cannot read the answer of a plain GET. */
  checkSite(method: string, isClosed: boolean): void {
    if (SAFE_METHODS.has(method) && !isClosed) return;
    this.settings.onTurnedAway?.(CROSS_SITE);
    refuse(CODE.ValidationError, CROSS_SITE, { httpStatus: 403 });
  }

  /** Whether pages of an origin may read answers. */
  isTrusted(origin: string, host: string): boolean {
    if (this.settings.allowedOrigins.includes(origin)) return true;
    const match = /^https?:\/\/([^/]+)$/.exec(origin);
    if (!match?.[1]) return false;
    const name = parseHostName(match[1]);
    return match[1] === host || (name !== undefined && isLoopbackName(name));
  }
}

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
