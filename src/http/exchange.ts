import type { Context } from 'hono';

import type { Dialect } from '../core/dialect.js';
import { CODE, refuse } from '../core/errors.js';
import type { Host } from '../core/host.js';
import type { Webhook } from '../core/field.js';
import type { KeptBody } from '../journal/body.js';
import type { Override } from '../outcomes/header.js';
import { isTestCard } from '../outcomes/magic.js';
import type { ProviderAnswer } from '../outcomes/provider.js';
import type { ScenarioLibrary } from '../scenarios/library.js';
import type { Operation, Verdict } from '../scenarios/model.js';
import type { World } from '../world.js';
import type { Worlds } from '../worlds.js';
import type { AskedFault } from './fault-header.js';

/** What the edge knows of one request; the answer's headers are made from it. */
export interface Exchange {
  readonly requestId: string;
  /** The world of the request's key; null on the few paths that need none. */
  readonly world: World | null;
  readonly dialect: Dialect;
  /** The outcome that the header x-sandbox-outcome asks for, or else a script. */
  override: Override | null;
  /** What the header x-sandbox-fault asks for. */
  fault: AskedFault | null;
  /** The operation that the request turned out to be; null where it was refused before. */
  operation: Operation | null;
  verdict: Verdict | null;
  /** A call of the control plane, which the journal leaves out. */
  readonly control: boolean;
  /** When the request came, by the wall clock. */
  readonly begun: number;
  /** The request's body as the journal keeps it. */
  sent: KeptBody;
  /** The JSON of both bodies, once known. */
  requestBody: unknown;
  responseBody: unknown;
  /** The answer's JSON as it was sent. */
  responseText: string | null;
  recorded: boolean;
  /** The kind of the fault that was performed. */
  performed: string | null;
  /** The caller's origin, when it may read the answer. */
  readonly origin: string | null;
  /** For the header x-sandbox-warning. */
  readonly warnings: string[];
  /** The deliveries that its operation caused, by their identifiers. */
  caused: readonly string[];
  /** The last answer of a provider: it names the trigger, and how the answer travels. */
  answer: ProviderAnswer | null;
}

/** Notes what the operation just done caused; nothing else has happened in the world since it began. */
export function noteCaused(exchange: Exchange): void {
  const caused = exchange.world?.webhooks.takeCaused();
  if (caused !== undefined && caused.length > 0) exchange.caused = caused;
}

/** Delays an answer by real milliseconds. Webhooks of the request are sent after the answer. */
export async function delayAnswer({ world, caused }: Exchange, host: Host, ms: number): Promise<void> {
  const letGo = caused.length > 0 ? world?.dispatch.hold(caused) : undefined;
  await host.sleep(ms);
  letGo?.();
}

/** What a server and the app share about a request; empty within the process. */
export interface Bindings {
  /** The headers by their names in lower case, in the order in which they were sent. Those of a `Request` are sorted, which takes time. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads a body of stated length faster than by its `Request`. Rejects where the client leaves before its end. */
  readonly readBody?: (() => Promise<Uint8Array>) | undefined;
  /** The answer whose body is a stream, with its headers. The server sends it itself, since such a body may break off. */
  streamed?: { readonly answer: Response; readonly headers: Readonly<Record<string, string>> };
}

/** A header of a request, by its name in lower case. Looking it up in a `Request` takes longer. */
export function headerOf(c: Context<Env>, name: string): string | undefined {
  const { headers } = c.env;
  if (headers === undefined) return c.req.header(name);
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

export interface Env {
  Bindings: Bindings;
  Variables: { exchange: Exchange; edge: Edge };
}

/** The edge's settings, the same for all worlds. */
export interface EdgeSettings {
  /** Further host names that the server answers for. */
  readonly allowedHosts: readonly string[];
  /** Further origins whose pages may call the server. */
  readonly allowedOrigins: readonly string[];
  /** Keys accepted in addition to sk_test_…; `any` accepts every key. */
  readonly keys: readonly string[];
  /** What x-sandbox-admin must hold for /_sandbox; null: nothing. */
  readonly adminToken: string | null;
  /** Called with the reason when a page or a host is refused, since browsers do not show it; null: not called. */
  readonly onTurnedAway: ((detail: string) => void) | null;
  /** Refuse unknown fields and filters instead of warning. */
  readonly strict: boolean;
  /** Refuse card numbers that are not published test cards, so that no real card gets in. */
  readonly testCardsOnly: boolean;
  /** The most bytes of a request's body, and of a batch's. */
  readonly bodyLimit: number;
  readonly batchBodyLimit: number;
}

export interface Edge {
  readonly settings: EdgeSettings;
  readonly host: Host;
  readonly library: ScenarioLibrary;
  readonly worlds: Worlds;
}

/** The world of a request, which must not have been reset since; every path but the few keyless ones has one. */
export function worldOf(c: Context<Env>): World {
  const { world } = c.get('exchange');
  if (world === null) return refuse(CODE.InvalidAuthentication, 'This call needs the header x-secretkey.');
  world.requireOpen();
  return world;
}

export function overrideOf(c: Context<Env>): Override | null {
  return c.get('exchange').override;
}

/** Warns of a card number that is not a published test card; refuses it with `testCardsOnly`. */
export function vetPan(c: Context<Env>, pan: string): void {
  if (isTestCard(pan)) return;
  if (c.get('edge').settings.testCardsOnly) {
    refuse(
      CODE.InvalidCardNumber,
      'This sandbox takes published test cards only; GET /_sandbox/triggers lists them.',
    );
  }
  c.get('exchange').warnings.push(
    'the card number is not a published test card; it behaves like one that approves',
  );
}

export function vetWebhook(c: Context<Env>, webhook: Webhook | null): void {
  if (webhook?.url.startsWith('http:') !== true) return;
  c.get('exchange').warnings.push(
    'Webhook.Url is http, which is taken for loopback and private hosts only; the service takes https',
  );
}
