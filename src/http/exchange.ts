import type { Context } from 'hono';

import type { ChosenDialect, Dialect } from '../core/dialect/dialect.js';
import { CODE, refuse } from '../core/errors.js';
import type { Host } from '../core/host.js';
import type { Memory } from '../core/limits/memory.js';
import type { Webhook } from '../core/store/field.js';
import type { HeldTime } from '../records/held-time.js';
import type { SentBody } from '../journal/request-body.js';
import type { Override } from '../outcomes/header.js';
import { isTestCard } from '../outcomes/magic.js';
import type { ProviderAnswer } from '../outcomes/provider.js';
import type { ScenarioLibrary } from '../scenarios/file/library.js';
import type { Operation, ScriptDecision } from '../scenarios/script/model.js';
import type { UnreadableWorld } from '../world/keeper.js';
import type { WorldSettings } from '../world/settings.js';
import type { World } from '../world/world.js';
import type { Worlds } from '../world/worlds.js';
import type { HeaderFault } from './fault-header.js';
import type { HeldBody } from './body/held-body.js';
import type { Incoming } from './body/parsed-body.js';

const NOTHING: readonly string[] = [];

/** A request and its answer, as far as they are known. */
export class Exchange {
  /** The outcome that the header x-sandbox-outcome or else a scenario requests. */
  override: Override | null = null;
  /** The fault that the header x-sandbox-fault requests. */
  fault: HeaderFault | null = null;
  /** Null if the request was refused before its operation was determined. */
  operation: Operation | null = null;
  verdict: ScriptDecision | null = null;
  /** When it arrived by the world's clock, if a rule has moved that clock since; null for the present instant. */
  at: number | null = null;
  /** The request's body as the journal stores it; null if there was none. */
  journalBody: SentBody | null = null;
  /** The JSON of both bodies, once known. */
  requestBody: unknown = null;
  responseBody: unknown = null;
  /** The answer's JSON text as it was sent. */
  responseText: string | null = null;
  recorded = false;
  /** How the call ended its wait, if a hold made it wait. */
  held: HeldTime | null = null;
  /** The kind of the fault that was performed. */
  performedFault: string | null = null;
  /** For the header x-sandbox-warning. */
  readonly warnings: string[] = [];
  /** The identifiers of the deliveries that its operation caused. */
  caused = NOTHING;
  /** The identifier of the charge that its operation created. */
  created: string | null = null;
  /** Why its world could not be loaded, for the call that deletes it. */
  unreadable: UnreadableWorld | null = null;
  /** The last answer of a provider, with the trigger, the latency and the delay. */
  providerAnswer: ProviderAnswer | null = null;

  constructor(
    readonly requestId: string,
    /** The world of the request's key; null for the few paths that need no key. */
    readonly world: World | null,
    /** The caller's origin; null unless its pages may read the answer. */
    readonly origin: string | null,
    /** Whether it is a call of the control plane, which the journal does not record. */
    readonly control: boolean,
    /** When the request arrived, by the wall clock. */
    readonly begun: number,
    readonly chosen: ChosenDialect,
  ) {}

  get dialect(): Dialect {
    return this.chosen.dialect;
  }
}

/** The trigger of the answer, for the header and the journal; null if nothing special decided. */
export function findTrigger({ providerAnswer, verdict, fault, performedFault }: Exchange): string | null {
  // A scripted fault decides what the client sees, whatever its provider answered.
  const isScripted = performedFault !== null && fault === null;
  return (isScripted ? verdict?.trigger : undefined) ?? providerAnswer?.trigger ?? verdict?.trigger ?? null;
}

/** Must run before anything else happens in the world, so that it takes only the deliveries of this operation. */
export function noteCaused(exchange: Exchange): void {
  const { world } = exchange;
  const caused = world?.webhooks.takeCaused() ?? NOTHING;
  if (caused.length === 0) return;
  exchange.caused = caused;
  world?.runningDeliveries.startFirst(world.webhooks.takeFirst());
}

/**
 * Delays an answer by real milliseconds; returns whether its client still waits for it. Ends at once when the client leaves, so
 * that an abandoned call does not count as a concurrent request. Throws if the world was reset in the meantime.
 */
export function delayAnswer(c: Context<Env>, ms: number): Promise<boolean> {
  return holdAnswer(c, requireWorld(c).waits.sleep(ms, c.req.raw.signal));
}

/** Like `delayAnswer`, until a promise resolves. Webhooks of the request that have not started are sent after the answer. */
export async function holdAnswer(c: Context<Env>, until: Promise<unknown>): Promise<boolean> {
  const { caused } = c.get('exchange');
  const world = requireWorld(c);
  const letGo = caused.length > 0 ? world.runningDeliveries.hold(caused) : undefined;
  await until;
  letGo?.();
  world.requireOpen();
  return !c.req.raw.signal.aborted;
}

/** For the log of a server. */
export interface LogNote {
  /** When the call happened, by the clock of its world; null without a world. */
  at: number | null;
  reference: string | null;
}

/** The data that a server passes to the app with a request; empty for calls in process. */
export interface Bindings {
  /** The headers by their names in lower case, in the order in which they were sent. The `Headers` of a `Request` are sorted, which takes time. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads a body of known length, faster than its `Request` does. Rejects if the client disconnects. */
  readonly readBody?: ((into: HeldBody) => Promise<void>) | undefined;
  /** The request of Node behind one that an app passes on. */
  readonly incoming?: Incoming | undefined;
  /** Filled in if the server has a log. */
  readonly noted?: LogNote | undefined;
  /** An answer whose body is a stream, with its headers. The server sends it itself, because such a body may break off. */
  streamed?: { readonly answer: Response; readonly headers: Readonly<Record<string, string>> };
}

/** A header of a request, by its name in lower case. Faster than looking it up in a `Request`. */
export function headerOf(c: Context<Env>, name: string): string | undefined {
  const { headers } = c.env;
  if (headers === undefined) return c.req.header(name);
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The names of all headers of a request, in lower case. */
export function headerNames(c: Context<Env>): string[] {
  return c.env.headers === undefined ? [...c.req.raw.headers.keys()] : Object.keys(c.env.headers);
}

export interface Env {
  Bindings: Bindings;
  Variables: { exchange: Exchange; edge: Edge };
}

export interface EdgeSettings {
  /** The path under which another app mounts the sandbox, such as `/pay`; empty for none. */
  readonly basePath: string;
  /** Whether addresses in answers follow `X-Forwarded-Host` and `X-Forwarded-Proto`; `proto`: only the latter. */
  readonly trustProxy: boolean | 'proto';
  /** Further host names that the server answers for. */
  readonly allowedHosts: readonly string[];
  /** Further origins whose pages may call the server. */
  readonly allowedOrigins: readonly string[];
  /** Keys accepted in addition to sk_test_…; `any` accepts every key. */
  readonly keys: readonly string[];
  /** The minimum length of a key that starts with sk_test_, for a server that strangers can reach. */
  readonly keyLengthMin: number;
  /** Refuses keys that have the right form and must not be used; null for none. */
  readonly vetKey: ((key: string) => void) | null;
  /** Whether a public key is a hash of its secret key, for a server that strangers can reach. Otherwise they differ only in their beginning. */
  readonly hashesPublicKeys: boolean;
  /** The names of options in messages, by those of the command line; null to use the latter. */
  readonly optionNames: Readonly<Record<string, string>> | null;
  /** The token that /_sandbox requires in x-sandbox-admin; null for none. */
  readonly adminToken: string | null;
  /** Whether a call of /_sandbox may name its world instead of sending the key. True if every such call may use every world. */
  readonly worldsByName: boolean;
  /** Called with the reason when a page or a host is refused, since browsers do not show it. */
  readonly onTurnedAway: ((detail: string) => void) | null;
  /** Called when a fault makes a call hang, with what its server passed on. */
  readonly onHang: ((env: Bindings) => void) | null;
  /** The maximum bytes of a request body, and of that of a batch. */
  readonly bodyLimit: number;
  readonly batchBodyLimit: number;
}

export interface Edge {
  readonly settings: EdgeSettings;
  readonly host: Host;
  readonly library: ScenarioLibrary;
  readonly memory: Memory;
  readonly worlds: Worlds;
  /** Answers a call of the sandbox's own, as if a client had sent it. */
  readonly send: (request: Request) => Promise<Response>;
}

/** The world of a request. Throws if the request has none, or if the world was reset in the meantime. */
export function requireWorld(c: Context<Env>): World {
  const { world } = c.get('exchange');
  if (world === null) return refuse(CODE.InvalidAuthentication, 'This call needs the header x-secretkey.');
  world.requireOpen();
  return world;
}

/** The settings of the world of a request, or those of new worlds if it has none. */
export function findWorldSettings(c: Context<Env>): WorldSettings {
  return (c.get('exchange').world ?? c.get('edge').worlds).settings;
}

export function overrideOf(c: Context<Env>): Override | null {
  return c.get('exchange').override;
}

export function checkTestCard(c: Context<Env>, pan: string): void {
  if (isTestCard(pan)) return;
  if (findWorldSettings(c).testCardsOnly) {
    refuse(
      CODE.InvalidCardNumber,
      'This server accepts only published test cards; GET /_sandbox/triggers lists them.',
    );
  }
  c.get('exchange').warnings.push(
    'the card number is not a published test card; it is treated like one that is approved',
  );
}

/** Warns about a receiver without https only once in a world, because programs send the same receiver with every call. */
export function warnOfHttpReceiver(c: Context<Env>, webhook: Webhook | null): void {
  const { world, warnings } = c.get('exchange');
  if (world === null || world.isWarnedOfHttp || webhook?.url.startsWith('http:') !== true) return;
  world.isWarnedOfHttp = true;
  warnings.push(
    'Webhook.Url uses http, which is allowed only for loopback and private hosts; the real service requires https',
  );
}
