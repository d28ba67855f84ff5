import type { ScenarioDefinition } from './scenario-definition.js';
import type { Restore } from './intercept.js';
import type { WorldOptions } from './asked.js';
import type { World } from './world.js';
import type { Host } from '../core/host.js';
import type { Post, Posted } from '../core/post.js';

/** The public types of the package. They depend on no internal type and on no other package. */

/** The clocks of new worlds. */
export interface ClockOptions {
  /** A `manual` clock stands still until you advance it. */
  readonly mode?: 'real' | 'manual' | 'scaled';
  /** Virtual milliseconds per real millisecond, in the mode `scaled`. Default: 60. */
  readonly rate?: number;
  /** The start, as an instant or in milliseconds since 1970. Default: now in the mode `real`, otherwise 2026-01-01T00:00:00Z. */
  readonly start?: string | Date | number | null;
}

/** The options of a sandbox. All are optional. */
export interface SandboxOptions extends WorldOptions {
  /** The seed of identifiers and random numbers. Default: `1`. */
  readonly seed?: string;
  /** Default: `real`. */
  readonly clock?: 'real' | 'manual' | ClockOptions;
  /** The scenario of all worlds: the name of one in the library, or your own definition. */
  readonly scenario?: string | ScenarioDefinition;
  /** Secret keys to accept in addition to `sk_test_…`. `any` accepts all. */
  readonly keys?: readonly string[];
  /**
   * Delivers webhooks instead of the host, for example to an app in the same process. If it returns nothing, the response counts as 200.
   * If it throws, the attempt has failed and is repeated later.
   */
  readonly deliver?: (post: Post) => Promise<Posted | void> | Posted | void;
  /**
   * The path under which another app mounts the sandbox, such as `/pay`. Links and pages then begin with it. Paths of requests may
   * begin with it, too. Default: none.
   */
  readonly basePath?: string;
  /**
   * Whether links begin with the address in `X-Forwarded-Host` and `X-Forwarded-Proto`. Only for a sandbox behind a proxy that sets both.
   * The host must be local or allowed. Default: false.
   */
  readonly trustProxy?: boolean;
  /** Host names to accept in addition to local ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may call the sandbox, in addition to those on loopback. */
  readonly allowedOrigins?: readonly string[];
  /** The value that calls of the control API over HTTP must send in x-sandbox-admin. */
  readonly adminToken?: string | null;
  /** The maximum size of a request body, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** The maximum size of the request body of a batch or a reconciliation, in bytes. Default: 16 MiB. */
  readonly batchBodyLimit?: number;
  /**
   * The maximum bytes of memory of the whole program, including your own code. Calls that would add more are refused with 503.
   * Default: without limit.
   */
  readonly memoryMax?: number | null;
  /** The maximum number of worlds. */
  readonly worldsMax?: number;
  /** The maximum number of records of one kind in a world. */
  readonly recordsMax?: number;
  /** The source of time, timers and deliveries. Default: Node. */
  readonly host?: Host;
}

/** A sandbox with all its worlds, one for each secret key. */
export interface Sandbox extends Disposable {
  /**
   * Answers a request without a socket. Accepts a path such as `/charge/card` instead of an address. Rejects like the global
   * `fetch` when a fault drops the answer or the signal is aborted. An app that mounts the sandbox may pass the bindings of
   * `@hono/node-server` instead of `init`: `incoming` has what a body parser left.
   */
  fetch(input: string | URL | Request, init?: RequestInit | { readonly incoming: object }): Promise<Response>;
  /** The world of a secret key. Its first call opens it. Default: `sk_test_local`. */
  world(key?: string): World;
  /**
   * Answers calls of the global `fetch` to addresses that begin with the base. All other calls are unaffected. If a key is given,
   * it replaces the key of the intercepted calls. Call the returned function to end the interception.
   *
   * @example
   * using restore = sandbox.intercept('https://api.example.com/v1', { key: 'sk_test_orders' });
   */
  intercept(base: string | URL, options?: { readonly key?: string }): Restore;
  /** Closes all worlds and stops their timers. `using` does the same. */
  close(): void;
}

/** The certificate authority that clients must trust. */
export interface Authority {
  /** The path of the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /** The certificate in PEM format. */
  readonly certificate: string;
}

export interface ServeOptions {
  /** Default: 0, which uses a free port. */
  readonly port?: number;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Serve HTTPS, with HTTP/2 for clients that support it. */
  readonly https?: {
    /** The folder of the certificates. Default: the user's data folder. */
    readonly dir?: string;
    /** Names in the certificate in addition to localhost, 127.0.0.1, ::1 and the host. */
    readonly names?: readonly string[];
    /** Called once, when a client first ends its handshake in a way that shows it does not trust the certificate. */
    readonly onDistrust?: (authority: Authority) => void;
  };
}

/** A running server. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The certificate authority that clients must trust; null without HTTPS. */
  readonly authority: Authority | null;
  /** Stops accepting connections, waits up to `graceMs` milliseconds for open requests, then closes the remaining connections. */
  close(graceMs?: number): Promise<void>;
}
