import type { Context } from 'hono';

import { chooseDialect } from '../core/dialect/dialect.js';
import { ApiError, CODE, refuse } from '../core/errors.js';
import { MEBIBYTE } from '../core/limits/memory.js';
import { Identifiers, hashText } from '../core/ids/random.js';
import { parseOverride, refuseHeader } from '../outcomes/header.js';
import { parseFaultName } from '../scenarios/file/fault.js';
import type { Operation } from '../scenarios/script/operations.js';
import { UnreadableWorld } from '../world/keeper.js';
import type { World } from '../world/world.js';
import { requireSecretKey, equalInConstantTime, limitRate } from './auth.js';
import { hintAtDialect, requireKnownDialect } from './answers/dialect.js';
import { delayAnswer, type Edge, type Env, Exchange, headerOf, holdAnswer } from './exchange.js';
import { parseFaultHeader } from './fault-header.js';
import { CONTROL, isControlPath, findRequestKey, PAYER_PAGES, WORLDS_PATH } from './request-key.js';
import { catchRefusal } from './operation.js';
import { recordExchange } from './answers/record-exchange.js';
import { isOpenedInBrowser, redirectToDashboard, answerPreflight } from './answers/without-route.js';
import { renameOptions } from './answers/option-names.js';
import { dropAnswer, sendError } from './answers/respond.js';
import { warnOfOddHeaders } from './odd-headers.js';
import { gateOf, type IsOpen, PAGE_CALLS } from './gate.js';

/** The path of the page script ends like this in every version. */
export const PAGE_SCRIPT = '/js/payfurl.js';
/** Pages that are no world's, and are parts of another. */
const REFERENCE_PARTS = `${CONTROL}/reference/`;
/** Works even if the world that it replaces cannot be read. */
const RESET = `${CONTROL}/reset`;
/** Calls that need no key, but the admin token if there is one. */
const KEYLESS = [`${CONTROL}/worlds`, `${CONTROL}/triggers`];

/** The memory to require for a new world: more than most need, so that it is measured before each. */
const WORLD_BYTES = MEBIBYTE;

export interface EdgeParts {
  readonly edge: Edge;
  /** Paths without key or admin token: a browser cannot send them with a page or its scripts. Answers hold no secrets. */
  readonly openPaths: ReadonlySet<string>;
  /** The refusal of an unknown path, or of a method that a path does not support. */
  readonly unknown: (method: string, path: string) => ApiError;
  /** The methods that a path supports, for the `Allow` header. */
  readonly allowOf: (path: string) => string;
}

export interface Endpoint {
  /** Everybody may call it. */
  readonly isOpen: boolean;
  readonly run: (c: Context<Env>) => Response | Promise<Response>;
  /** The operation of a call that is refused before its handler; null if it depends on the call. */
  readonly operation: Operation | null;
  readonly isForPages: boolean;
}

/** Answers a call: first what every request goes through, then the handler of its path; null for an unknown path. */
export type EdgeHandler = (c: Context<Env>, endpoint: Endpoint | null) => Promise<Response>;

/** The steps before a route: the gate, the key, the world's clock. Refusals in the contract's order: 403, 401, 405, 429. */
export function createEdgeHandler(parts: EdgeParts): EdgeHandler {
  const { edge } = parts;
  const isOpen = buildOpenCheck(parts.openPaths);
  const passGate = gateOf(edge, isOpen, parts.unknown);
  const anonymous = countAnonymous(edge);

  return async (c, endpoint) => {
    c.set('edge', edge);
    const begun = edge.host.now();
    const { path, method } = c.req;
    const control = isControlPath(path);
    // Null until the key is known. A refusal before that has an anonymous request identifier.
    let exchange: Exchange | null = null;
    let origin: string | null = null;
    try {
      origin = passGate(c, control, endpoint !== null);
      if (method === 'OPTIONS') return answerPreflight(c, anonymous(c, origin), parts.allowOf(path));
      if (path === '/' && isOpenedInBrowser(c))
        return redirectToDashboard(anonymous(c, origin), edge.settings.basePath);
      if (control && !isOpen(path)) requireAdminToken(c, edge);
      // Who mistypes an address and sends no key is helped by the right address, not by a key.
      const hasNoKey = headerOf(c, 'x-secretkey') === undefined || isOpenedInBrowser(c);
      if (control && endpoint === null && hasNoKey) throw parts.unknown(method, path);
      if (isWorldless(path, parts.openPaths)) exchange = anonymous(c, origin);
      else {
        const found = findRequestKey(c, endpoint?.isForPages ?? false, control && !isOpen(path));
        const key = found instanceof Promise ? await found : found;
        // A key that has a world was accepted when the world was opened.
        const world = edge.worlds.find(key ?? '') ?? (await openWorld(c, edge, key));
        const chosen = chooseDialect((name) => headerOf(c, name), control, world.settings.dialect);
        const waiting = beginCall(world, begun);
        if (waiting !== null) await waiting;
        exchange = new Exchange(world.chance.nextRequestId(control), world, origin, control, begun, chosen);
      }
    } catch (error) {
      exchange ??= anonymous(c, origin, control);
      c.set('exchange', exchange);
      // A world whose file cannot be read can still be deleted: DELETE /_sandbox/worlds/NAME.
      if (path.startsWith(WORLDS_PATH) && error instanceof UnreadableWorld) exchange.unreadable = error;
      else if (error instanceof ApiError)
        return sendError(exchange, renameOptions(error, edge.settings), path);
      else throw error;
    }
    c.set('exchange', exchange);
    let status = 0;
    try {
      const delay = control ? 0 : (exchange.world?.settings.delay ?? 0);
      const response = await holdForWebhooks(c, () =>
        delay > 0 ? delayEndpoint(c, endpoint, parts, delay) : callEndpoint(c, endpoint, parts),
      );
      ({ status } = response);
      return response;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      status = error.httpStatus;
      return sendError(exchange, renameOptions(error, edge.settings), path);
    } finally {
      exchange.operation ??= endpoint?.operation ?? null;
      recordExchange(c, status);
      if (exchange.world !== null) exchange.world.calls.ended++;
      exchange.world?.armTimer();
    }
  };
}

/** Builds the exchanges of calls without a world, which have request identifiers of their own. */
function countAnonymous(edge: Edge): (c: Context<Env>, origin: string | null, control?: boolean) => Exchange {
  const ids = new Identifiers(hashText('anonymous'), 'request');
  let calls = 0;
  return (c, origin, control = true) => {
    const chosen = chooseDialect((name) => headerOf(c, name), control, edge.worlds.dialect);
    return new Exchange(ids.at(calls++), null, origin, true, 0, chosen);
  };
}

/** From here on the world stays in memory until the call has ended, although the call may wait for due jobs. */
function beginCall(world: World, now: number): Promise<void> | null {
  world.calls.begun++;
  world.usedAt = now;
  return world.enter();
}

function callEndpoint(
  c: Context<Env>,
  endpoint: Endpoint | null,
  { unknown }: EdgeParts,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  if (endpoint === null) throw unknown(c.req.method, c.req.path);
  if (exchange.world !== null && !exchange.control) limitRate(exchange.world);
  requireKnownDialect(headerOf(c, 'x-sandbox-dialect'));
  if (exchange.chosen.by === 'default') hintAtDialect(c, exchange);
  readSandboxHeaders(c, exchange);
  return endpoint.run(c);
}

/** Answers after the webhooks that a scenario sends first, even if the answer is a refusal or is lost. */
async function holdForWebhooks(
  c: Context<Env>,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } finally {
    if (c.get('exchange').caused.length > 0) await waitForFirstWebhooks(c);
  }
}

async function waitForFirstWebhooks(c: Context<Env>): Promise<void> {
  const { world, caused } = c.get('exchange');
  const first = world?.runningDeliveries.waitForReceivers(caused) ?? null;
  if (first !== null && !(await holdAnswer(c, first))) throw dropAnswer(c);
}

/** Delays the answer, which may be a refusal, by the delay of its world. */
async function delayEndpoint(
  c: Context<Env>,
  endpoint: Endpoint | null,
  parts: EdgeParts,
  ms: number,
): Promise<Response> {
  const response = await catchRefusal(c, () => callEndpoint(c, endpoint, parts));
  if (await delayAnswer(c, ms)) return response;
  throw dropAnswer(c);
}

/** Brings the world of a key that is not in memory: the saved one, or a new one, which may have to load seed data first. */
async function openWorld(c: Context<Env>, edge: Edge, key: string | undefined): Promise<World> {
  const accepted = requireSecretKey(key, edge.settings, headerOf(c, 'authorization'));
  edge.memory.requireRoom(WORLD_BYTES);
  try {
    return await edge.worlds.bring(accepted);
  } catch (error) {
    if (!(error instanceof UnreadableWorld) || c.req.path !== RESET || c.req.method !== 'POST') throw error;
    await error.remove();
    return edge.worlds.bring(accepted);
  }
}

function buildOpenCheck(openPaths: ReadonlySet<string>): IsOpen {
  const isPage = (path: string): boolean => openPaths.has(path) && !KEYLESS.includes(path);
  const prefixes = [...PAYER_PAGES, PAGE_CALLS, REFERENCE_PARTS];
  return (path) => isPage(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function isWorldless(path: string, openPaths: ReadonlySet<string>): boolean {
  return (
    openPaths.has(path) ||
    KEYLESS.includes(path) ||
    path.startsWith(REFERENCE_PARTS) ||
    path.endsWith(PAGE_SCRIPT)
  );
}

function requireAdminToken(c: Context<Env>, edge: Edge): void {
  const { adminToken } = edge.settings;
  const given = headerOf(c, 'x-sandbox-admin') ?? '';
  if (adminToken === null || equalInConstantTime(adminToken, given)) return;
  const detail =
    given === ''
      ? 'This server protects /_sandbox with an admin token: send it in the header x-sandbox-admin.'
      : 'The token in the header x-sandbox-admin is not the admin token of this server.';
  refuse(CODE.InvalidAuthentication, detail, { httpStatus: 403 });
}

function readSandboxHeaders(c: Context<Env>, exchange: Exchange): void {
  warnOfOddHeaders(c, exchange);
  const fault = headerOf(c, 'x-sandbox-fault');
  if (fault !== undefined) exchange.fault = parseFaultHeader(fault);
  const outcome = headerOf(c, 'x-sandbox-outcome');
  if (outcome === undefined) return;
  if (parseFaultName(outcome) !== undefined)
    refuseHeader(`${outcome} is a fault; send it in x-sandbox-fault`);
  const override = parseOverride(outcome);
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || exchange.world === null) {
    exchange.warnings.push('ignored x-sandbox-outcome: a read does not ask a provider');
    return;
  }
  exchange.override = override;
}
