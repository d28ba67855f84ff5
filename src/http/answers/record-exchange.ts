import type { Context } from 'hono';

import type { Dialect } from '../../core/dialect/dialect.js';
import type { QueuedHeader } from '../../journal/completed-call.js';
import { findPrecedenceStep, findRuleName } from '../../outcomes/provider.js';
import { type Bindings, type Env, type Exchange, findTrigger } from '../exchange.js';
import { formatFaultHeader } from '../fault-header.js';
import type { World } from '../../world/world.js';
import { formatWarnings } from './respond.js';

/**
 * Records an exchange of the service in its world's journal, once; with status 0 if there was no answer. Also notifies live
 * readers of the world, including of calls of the control plane.
 */
export function recordExchange(c: Context<Env>, status: number): void {
  const exchange = c.get('exchange');
  const { world, verdict, dialect, warnings } = exchange;
  if (world === null || exchange.recorded) return;
  exchange.recorded = true;
  const { noted } = c.env;
  const at = exchange.at ?? world.now;
  if (noted) noted.at = at;
  if (exchange.control) {
    // Reads change nothing that live readers show.
    if (c.req.method !== 'GET') world.watch?.noteChange();
    return;
  }
  const reference =
    findBodyReference(exchange.requestBody, dialect) ?? findBodyReference(exchange.responseBody, dialect);
  if (noted) noted.reference = reference;
  const { url } = c.req;
  const mark = url.indexOf('?');
  const trigger = findTrigger(exchange);
  const realAt = c.get('edge').host.now();
  const entry = world.journal.record({
    at,
    realAt,
    durationMs: realAt - exchange.begun,
    method: c.req.method,
    path: c.req.path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    operation: exchange.operation,
    requestId: exchange.requestId,
    dialect,
    dialectBy: nameDialectChooser(exchange, world),
    headers: c.env.headers === undefined ? c.req.raw.headers : listHeaderPairs(c.env.headers),
    request: exchange.journalBody,
    status,
    responseBody: exchange.responseBody,
    responseText: exchange.responseText,
    trigger,
    fault: exchange.performedFault,
    rule: findRuleName(verdict?.trigger),
    precedence: choosePrecedence(exchange, trigger),
    reference,
    created: exchange.created,
    caused: exchange.caused,
    warning: warnings.length === 0 ? null : formatWarnings(warnings),
    queued: buildHeader(exchange),
    held: exchange.held,
  });
  if (exchange.caused.length > 0) world.webhooks.noteEntry(exchange.caused, entry);
  // A restore replaced the world while the call waited, and so undid what the call had done.
  if (world.isUndone) world.journal.branch.undo(entry, entry + 1);
  world.watch?.wake();
}

function* listHeaderPairs(
  headers: NonNullable<Bindings['headers']>,
): Generator<readonly [string, string], void> {
  for (const name in headers) {
    const value = headers[name] ?? '';
    yield [name, typeof value === 'string' ? value : value.join(', ')];
  }
}

/** The header with the effect of a queue or of a person, except a delay; null if there is none, as for a time-out after the commit. */
function buildHeader({ verdict, held, override, fault: asked }: Exchange): QueuedHeader | null {
  if (held?.by === 'hand' && asked !== null) return ['x-sandbox-fault', formatFaultHeader(asked)];
  if (held?.by === 'hand' && override !== null) return ['x-sandbox-outcome', override.outcome.name];
  if (!verdict?.trigger.startsWith('queue:')) return null;
  const { outcome, fault, phase } = verdict;
  if (fault !== null) return ['x-sandbox-fault', formatFaultHeader({ fault, phase })];
  return outcome === null || phase === 'after' ? null : ['x-sandbox-outcome', outcome.name];
}

/** The step of the documented precedence that decided the outcome; null if no provider was asked. */
function choosePrecedence(exchange: Exchange, trigger: string | null): string | null {
  if (trigger !== null) return findPrecedenceStep(trigger);
  return exchange.providerAnswer === null ? null : 'approve';
}

/** The name of the choice behind the dialect of a call. A setting is that of a reset, of the scenario, or else of the sandbox. */
function nameDialectChooser({ chosen: { dialect, by } }: Exchange, { settings, script }: World): string {
  if (by !== 'setting') return by;
  if (settings.own.dialect !== null) return 'reset';
  return script.scenario?.dialect === dialect ? 'scenario' : 'option';
}

/** The Reference of a body; client libraries write the name in any case. */
function findBodyReference(body: unknown, dialect: Dialect): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const reference = dialect === 'sdk' ? readSdkReference(body) : 'Reference' in body ? body.Reference : null;
  return typeof reference === 'string' ? reference : null;
}

function readSdkReference(body: object): unknown {
  const entries = Object.entries(body);
  return entries.find(([name, value]) => value !== null && name.toLowerCase() === 'reference')?.[1];
}
