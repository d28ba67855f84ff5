import type { ClockMode } from '../../core/time/clock.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { dropNulls } from '../../core/given.js';
import { formatInstant } from '../../core/time/time.js';
import type { Entry } from '../../journal/entry.js';
import { insertStandIns } from '../../journal/mask.js';
import { parseBodyText } from '../../journal/completed-call.js';
import type { World } from '../../world/world.js';
import { readEntryHeaders } from './presenter.js';

export const TRACE_FORMAT = 'playmoney-trace';
export const TRACE_VERSION = 1;
export const BUNDLE_FORMAT = 'playmoney-bundle';
export const BUNDLE_VERSION = 1;

/** Begins the last field of a bundle. Everything before it may contain full card numbers; this field has stand-ins for them. */
export const TRACE_FIELD = ',"Trace":';
export const BUNDLE_NUMBERS =
  'full card numbers (vault, unused tokens, scenario). Share it only with people who may see them.';
/** How many calls are written before other work gets a turn. */
const CALLS_PER_PIECE = 20;

/** The fields of a trace about the world, besides its calls. */
interface TraceHead {
  readonly now: number;
  readonly mode: ClockMode;
  readonly rate: number;
  readonly evicted: number;
  readonly seed: string | null;
}

export function writeWorldTrace(
  world: World,
  entries = [...world.journal.entries()],
): Generator<string, void> {
  const calls = formatEntries(entries, (entry) => buildTraceEntry(entry));
  return writeTrace(buildTraceHead(world, world.journal.evicted), calls);
}

export function buildTraceHead({ now, clock, settings }: World, evicted: number): TraceHead {
  return { now, mode: clock.mode, rate: clock.rate, evicted, seed: settings.seed };
}

/** Writes a trace in pieces. Each call is the JSON that `buildTraceEntry` makes. */
export function writeTrace(
  { now, mode, rate, evicted, seed }: TraceHead,
  calls: Iterable<string>,
): Generator<string, void> {
  const head = {
    Format: TRACE_FORMAT,
    Version: TRACE_VERSION,
    ...(seed === null ? {} : { Seed: seed }),
    Clock: { Now: formatInstant(now), Mode: mode, Rate: rate },
    Evicted: evicted,
  };
  return joinCalls(`${JSON.stringify(head).slice(0, -1)},"Entries":[`, calls, ']}');
}

/** Calls as JSON. Those that come or go while they are read belong to the next export. */
export function* formatEntries(
  entries: readonly Entry[],
  present: (entry: Entry) => object,
): Generator<string, void> {
  for (const entry of entries) yield JSON.stringify(present(entry));
}

export function* joinCalls(start: string, calls: Iterable<string>, end: string): Generator<string, void> {
  let text = start;
  let count = 0;
  for (const call of calls) {
    text += count === 0 ? call : `,${call}`;
    count++;
    if (count % CALLS_PER_PIECE !== 0) continue;
    yield text;
    text = '';
  }
  yield text + end;
}

/** An entry as a replay needs it: stand-ins in place of masks, and the headers that matter. */
export function buildTraceEntry(entry: Entry, dialect = entry.dialect ?? null) {
  // A replay may go to a server with another default dialect.
  const dialectHeader = dialect === 'sdk' ? { 'x-sandbox-dialect': dialect } : {};
  const headers = Object.entries(readEntryHeaders(entry)).filter(
    ([name, text]) => TRACE_HEADER.test(name) && TRACE_HEADER_TEXT.test(text),
  );
  return {
    At: formatInstant(entry.at),
    Method: entry.method,
    Path: entry.path,
    Query: entry.query,
    Headers: { ...dialectHeader, ...Object.fromEntries(headers), ...buildQueuedHeaders(entry) },
    Body: insertStandIns(parseBodyText(entry.request), entry.standIns),
    Status: entry.status,
    Response: entry.answer,
    ...(entry.fault === null ? {} : { Fault: entry.fault }),
    ...(entry.isUndone ? { Undone: true } : {}),
    ...(entry.truncated ? { Truncated: true } : {}),
    ...(entry.requestTruncated ? { RequestTruncated: true } : {}),
    ...buildEntryDetails(entry, dialect),
  };
}

/** The body that a call was sent with. Without a type there was none: the journal has an empty object for an optional body. */
export function pickSentBody<Body>(headers: Readonly<Record<string, string>>, body: Body): Body | null {
  return headers['content-type'] === undefined ? null : body;
}

/** Further fields that the journal shows of a call, so that it can show the same once a bundle is opened. A replay ignores them. */
function buildEntryDetails(entry: Entry, dialect: Dialect | null) {
  const { operation, requestId, reference, trigger, rule, precedence, warning } = entry;
  const { dialectBy = null, created = null } = entry;
  return {
    RealAt: formatInstant(entry.realAt),
    DurationMs: entry.durationMs,
    ...dropNulls({
      Operation: operation,
      RequestId: requestId || null,
      Dialect: dialect,
      DialectBy: dialectBy,
      Reference: reference,
      Trigger: trigger,
      Rule: rule,
      Precedence: precedence,
      Warning: warning,
      Created: created,
    }),
  };
}

/** A world that replays the call has no queue, so the call itself asks for what the queue decided. */
function buildQueuedHeaders({ queued }: Entry): Readonly<Record<string, string>> {
  return queued === undefined || queued === null ? {} : { [queued[0]]: queued[1] };
}

/** The headers in a trace: those that matter, except secrets. */
export const TRACE_HEADER = /^(?:content-type|providerid|x-sandbox-(?!admin$)[a-z-]{1,32})$/;
export const TRACE_HEADER_TEXT = /^[\t\x20-\x7e]{0,1024}$/;
