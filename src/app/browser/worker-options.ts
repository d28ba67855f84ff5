import { parseBase } from '../../client/intercept.js';

/** The options of a sandbox in a service worker. They are in the address of its script. */
export interface WorkerOptions {
  /** The path or address to answer for. Default: `/pay`. */
  readonly base?: string;
  /** The secret key of all calls below the base. Default: their own. */
  readonly key?: string;
  /** The seed of identifiers and random numbers. Default: `1`. */
  readonly seed?: string;
  /** The clock of new worlds. Default: `real`. */
  readonly clock?: string;
  /** The name of a scenario of the library, for all worlds. */
  readonly scenario?: string;
  /** The dialect of requests and answers. Default: `auto`. */
  readonly dialect?: string;
  /** The name of the IndexedDB database that keeps the worlds. Default: `playmoney`. */
  readonly database?: string;
}

export const DEFAULT_BASE = '/pay';

/** Throws a TypeError for a base that would leave nothing of the site. */
export function resolveWorkerBase(base: string): URL {
  const address = parseBase(base);
  if (address.origin !== globalThis.origin || address.pathname !== '/') return address;
  throw new TypeError(
    `The base is ${JSON.stringify(base)}, so the worker would answer for the whole site. Name a path such as /pay.`,
  );
}

/** The compiler demands each of them, and no other. */
const KNOWN: Record<keyof WorkerOptions, true> = {
  base: true,
  key: true,
  seed: true,
  clock: true,
  scenario: true,
  dialect: true,
  database: true,
};

/** Without `refuseUnknownNames`, whose suggestions are larger than all else of what registers a worker. */
export function refuseUnknownOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `The worker has no option ${JSON.stringify(unknown)}. Its options are ${Object.keys(KNOWN).join(', ')}.`,
  );
}
