import { CODE, refuse } from '../core/errors.js';
import type { EdgeSettings } from './exchange.js';

/**
 * The gate in front of every path. A page on the web must not reach the sandbox through a name that it
 * owns (DNS rebinding), nor through a visitor's browser (its Origin).
 */

const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.test', '.svc.cluster.local'];
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The host name without port and brackets; undefined when it is malformed. */
function nameOf(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether a name cannot belong to a stranger: an address, a single label, or a name kept for local use. */
function isLocalName(name: string): boolean {
  if (isAddress(name) || !name.includes('.')) return true;
  return LOCAL_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  // A stranger may own the name 127.0.0.1.example.com.
  return name.startsWith('127.') && isAddress(name);
}

export class Gate {
  readonly #passed = new Set<string>();

  constructor(private readonly settings: EdgeSettings) {}

  /** Refuses a Host header that a stranger could own. */
  checkHost(host: string): void {
    if (this.#passed.has(host)) return;
    const name = nameOf(host);
    if (name === undefined) {
      refuse(
        CODE.ValidationError,
        'The Host header is malformed; a name or an address with an optional port is taken.',
      );
    }
    if (!isLocalName(name) && !this.settings.allowedHosts.includes(name)) {
      const detail = `The host ${name.slice(0, 100)} is not served. Use 127.0.0.1 or localhost; --allowed-host ${name.slice(0, 100)} allows the name.`;
      this.settings.onTurnedAway?.(detail);
      refuse(CODE.ValidationError, detail, { httpStatus: 403 });
    }
    // Bounded: a client that makes up names does not fill the memory.
    if (this.#passed.size < 100) this.#passed.add(host);
  }

  /** The origin that may read the answer, or null; refuses what a stranger's page must not do. */
  checkOrigin(origin: string, host: string, method: string, control: boolean): string | null {
    if (this.#isTrusted(origin, host)) return origin;
    const remedy =
      origin === 'null'
        ? 'Pages from files have the origin null; serve the page over http, or allow them with --allowed-origin null.'
        : `Allow it with --allowed-origin ${origin.slice(0, 100)}.`;
    const detail = `The origin ${origin.slice(0, 100)} may not call this server. ${remedy}`;
    // Also where the answer is given, and the browser keeps it from its page: neither tells anybody why.
    this.settings.onTurnedAway?.(detail);
    // A page elsewhere cannot read the answer of a plain GET, but it must neither change nor look inside.
    if (SAFE_METHODS.has(method) && !control) return null;
    refuse(CODE.ValidationError, detail, { httpStatus: 403 });
  }

  #isTrusted(origin: string, host: string): boolean {
    if (this.settings.allowedOrigins.includes(origin)) return true;
    const match = /^https?:\/\/([^/]+)$/.exec(origin);
    if (!match?.[1]) return false;
    const name = nameOf(match[1]);
    return match[1] === host || (name !== undefined && isLoopback(name));
  }
}
