import type { ScenarioDefinition } from './client/scenario-definition.js';
import type { Restore } from './client/intercept.js';
import type { World } from './client/world.js';
import type { Host } from './core/host.js';
import type { Post, Posted } from './core/post.js';

/** What the package says of itself: nothing of the inside, and no package, is needed to read it. */

/** How the clocks of new worlds go. */
export interface ClockOptions {
  /** `manual` stands still until it is advanced. */
  readonly mode?: 'real' | 'manual' | 'scaled';
  /** Virtual milliseconds for each real one, in the mode `scaled`; 60 unless given. */
  readonly rate?: number;
  /** Where it begins, as an instant or in milliseconds since 1970; now in the mode `real`, else 2026-01-01T00:00:00Z. */
  readonly start?: string | Date | number | null;
}

/** All options of a sandbox; what is left out has the default. */
export interface SandboxOptions {
  /** What identifiers and all draws are made from; `1` unless given. */
  readonly seed?: string;
  /** `real` unless given. */
  readonly clock?: 'real' | 'manual' | ClockOptions;
  /** The spelling of requests and answers: as specified, or as client libraries send and read it; `documented` unless given. */
  readonly dialect?: 'documented' | 'sdk';
  /** What worlds play: a scenario of the library by its name, or one of your own. */
  readonly scenario?: string | ScenarioDefinition;
  /** Life of a single-use token in milliseconds; 15 minutes unless given. */
  readonly tokenTtl?: number;
  /** Life of an authorisation that is not captured, in milliseconds; 7 days unless given. */
  readonly authorisationTtl?: number;
  /** How long a vault entry keeps a Ccv that no charge uses, in milliseconds; until a charge uses it unless given. */
  readonly ccvTtl?: number | null;
  /** Refuses a ProviderId that is neither built in nor configured, with code 39. */
  readonly knownProvidersOnly?: boolean;
  /** Milliseconds for each row of a batch; 100 ms, and less in batches above 300 rows, unless given. */
  readonly batchPace?: number | null;
  /** Secret keys that are accepted in addition to `sk_test_…`; `any` accepts all. */
  readonly keys?: readonly string[];
  /** Refuses unknown fields and filters instead of warning. */
  readonly strict?: boolean;
  /** Refuses card numbers that are not published test cards. */
  readonly testCardsOnly?: boolean;
  /** To which receivers webhooks go: those on loopback and private addresses unless given. */
  readonly webhooks?: 'private' | 'public' | 'off';
  /** The key of webhook signatures, such as that of the service's dashboard. Webhooks are not signed by default. */
  readonly webhookSecret?: string | null;
  /** What the names of the headers `Version` and `Signature` of webhooks begin with; `X-Payfurl-` unless given. */
  readonly webhookHeaderPrefix?: string;
  /**
   * Posts to receivers of webhooks in place of the host, for instance to an app of the same process. What it throws is a
   * failed attempt, and is tried again later.
   */
  readonly deliver?: (post: Post) => Promise<Posted>;
  /** Host names that are accepted in addition to local ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may call, in addition to loopback ones. */
  readonly allowedOrigins?: readonly string[];
  /** What x-sandbox-admin must hold for calls of the control plane over HTTP. */
  readonly adminToken?: string | null;
  /** The most bytes of a request's body, and of a batch's; 1 MiB and 16 MiB unless given. */
  readonly bodyLimit?: number;
  readonly batchBodyLimit?: number;
  /** How many worlds there may be, and records of one kind in each. */
  readonly worldsMax?: number;
  readonly recordsMax?: number;
  /** Time, timers and deliveries; those of Node unless given. */
  readonly host?: Host;
}

/** A gateway with all its worlds, one for each secret key. */
export interface Sandbox extends Disposable {
  /**
   * Answers a request without a socket; a path such as `/charge/card` may stand in place of an address. Rejects as the
   * global `fetch` does where a trigger loses the answer, and when the signal is aborted.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The world of a secret key, which opens with its first call; that of `sk_test_local` unless given. */
  world(key?: string): World;
  /**
   * Answers the global `fetch` for addresses that begin with the base, until the function that it returns is called.
   * Intercepted calls have the key, or else what they bring along; all other addresses are left alone.
   *
   * @example
   * using restore = sandbox.intercept('https://api.example.com/v1', { key: 'sk_test_orders' });
   */
  intercept(base: string | URL, options?: { readonly key?: string }): Restore;
  /** Ends all worlds and their timers; also done by `using`. */
  close(): void;
}

/** Where clients can find what they need to trust a server. */
export interface Authority {
  /** The file that holds the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /** The certificate itself, in PEM. */
  readonly certificate: string;
}

export interface ServeOptions {
  /** 0 takes a free port; that is the default. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 unless given. */
  readonly host?: string;
  /** Serves HTTPS, with HTTP/2 for those who offer it. */
  readonly https?: {
    /** Where the certificates are kept and found again; the user's own data folder unless given. */
    readonly dir?: string;
    /** What the certificate names besides localhost, 127.0.0.1, ::1 and the host. */
    readonly names?: readonly string[];
    /** Called once, when the first client breaks off its handshake as those do that do not trust the certificate. */
    readonly onDistrust?: (authority: Authority) => void;
  };
}

/** A port that is open. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Who clients have to trust; null where nothing is encrypted. */
  readonly authority: Authority | null;
  /** Stops taking connections, lets answers under way end for so many milliseconds, then closes what is left. */
  close(graceMs?: number): Promise<void>;
}
