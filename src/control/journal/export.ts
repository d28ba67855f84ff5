import type { ClockMode } from '../../core/time/clock.js';
import { DEFAULT_DIALECT } from '../../core/dialect/dialect.js';
import { formatInstant } from '../../core/time/time.js';
import { replayed } from '../../journal/mask.js';
import type { Entry } from '../../journal/entry.js';
import { bodyOf } from '../../journal/model.js';
import { VERSION } from '../../core/version.js';
import type { World } from '../../world/world.js';
import { headersOfEntry } from './presenter.js';
import type { ExportFormat } from './schema.js';

export const TRACE_FORMAT = 'playmoney-trace';
export const TRACE_VERSION = 1;
export const BUNDLE_FORMAT = 'playmoney-bundle';
export const BUNDLE_VERSION = 1;

/** Begins the last field of a bundle. Everything before it may contain full card numbers, the rest has stand-ins for them. */
export const TRACE_FIELD = ',"Trace":';
export const BUNDLE_NUMBERS =
  'full card numbers (vault, unused tokens, scenario). Share it only with people who may see them.';
/** How an HTTP Archive begins. */
const CREATOR = JSON.stringify({ name: 'playmoney', version: VERSION });
export const HAR_START = `{"log":{"version":"1.2","creator":${CREATOR},"entries":[`;
export const HAR_END = ']}}';
export const TRACE_END = ']}';
/** How many entries are written before other work gets a turn. */
const ENTRIES_PER_CHUNK = 20;
const JSON_TYPE = 'application/json';

/** The journal as a stream of text for other programs. It may have tens of megabytes. */
export function exportJournal(world: World, format: ExportFormat): ReadableStream<Uint8Array> {
  const made = format === 'har' ? pieces(world, HAR_START, harEntry, HAR_END) : traceOf(world);
  const utf8 = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = made.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
  });
}

/** The trace of a world as it is now, in pieces. */
export function traceOf(world: World): Generator<string, void> {
  const { mode, rate } = world.clock;
  const { seed, dialect } = world.settings;
  const start = traceStart({ now: world.now, mode, rate }, world.journal.evicted, seed);
  return pieces(world, start, (entry) => traceEntry(entry, dialect), TRACE_END);
}

/** The first line of a trace: the clock, how many calls the journal evicted, and the seed if it is known. */
export function traceStart(
  { now, mode, rate }: { readonly now: number; readonly mode: ClockMode; readonly rate: number },
  evicted: number,
  seed: string | null = null,
): string {
  const head = {
    Format: TRACE_FORMAT,
    Version: TRACE_VERSION,
    ...(seed === null ? {} : { Seed: seed }),
    Clock: { Now: formatInstant(now), Mode: mode, Rate: rate },
    Evicted: evicted,
  };
  return `${JSON.stringify(head).slice(0, -1)},"Entries":[`;
}

function pieces(
  world: World,
  start: string,
  present: (entry: Entry) => object,
  end: string,
): Generator<string, void> {
  // Entries that come or go during a slow export belong to the next one.
  return listed(Array.from(world.journal.entries()), start, present, end);
}

function* listed(
  entries: readonly Entry[],
  start: string,
  present: (entry: Entry) => object,
  end: string,
): Generator<string, void> {
  let text = start;
  let written = 0;
  for (const entry of entries) {
    text += (written === 0 ? '' : ',') + JSON.stringify(present(entry));
    written++;
    if (written % ENTRIES_PER_CHUNK !== 0) continue;
    yield text;
    text = '';
  }
  yield text + end;
}

/** An entry as a replay needs it: stand-ins in place of masks, and the headers that matter. */
export function traceEntry(entry: Entry, dialect = DEFAULT_DIALECT) {
  // A replay may go to a server with another default dialect.
  const dialectHeader = dialect === DEFAULT_DIALECT ? {} : { 'x-sandbox-dialect': dialect };
  const headers = Object.entries(headersOfEntry(entry)).filter(
    ([name, text]) => TRACE_HEADER.test(name) && TRACE_HEADER_TEXT.test(text),
  );
  return {
    At: formatInstant(entry.at),
    Method: entry.method,
    Path: entry.path,
    Query: entry.query,
    Headers: { ...dialectHeader, ...Object.fromEntries(headers), ...queuedHeaders(entry) },
    Body: replayed(bodyOf(entry.request), entry.standIns),
    Status: entry.status,
    Response: entry.answer,
    ...(entry.fault === null ? {} : { Fault: entry.fault }),
    ...(entry.truncated ? { Truncated: true } : {}),
    ...(entry.requestTruncated ? { RequestTruncated: true } : {}),
  };
}

/** A world that replays the call has no queue, so the call itself asks for what the queue decided. */
function queuedHeaders({ queued }: Entry): Readonly<Record<string, string>> {
  return queued === undefined || queued === null ? {} : { [queued[0]]: queued[1] };
}

/** The headers in a trace: those that matter, except secrets. */
export const TRACE_HEADER = /^(?:content-type|providerid|x-sandbox-(?!admin$)[a-z-]{1,32})$/;
export const TRACE_HEADER_TEXT = /^[\t\x20-\x7e]{0,1024}$/;

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

/** An entry in the format HTTP Archive 1.2. */
export function harEntry(entry: Entry): object {
  const headers = headersOfEntry(entry);
  return {
    startedDateTime: formatInstant(entry.realAt - entry.durationMs),
    time: entry.durationMs,
    request: harRequest(entry, headers),
    response: harResponse(entry),
    cache: {},
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
    _entryId: entry.id,
    _at: formatInstant(entry.at),
    _operation: entry.operation,
    _trigger: entry.trigger,
    _fault: entry.fault,
    _warnings: entry.warning,
    _truncated: entry.truncated,
    _requestTruncated: entry.requestTruncated,
    // What a replay sends in place of masks.
    _standIns: entry.standIns,
  };
}

function harRequest(entry: Entry, headers: Record<string, string>): object {
  const { method, path, query, request: text } = entry;
  return {
    method,
    url: `http://${headers['host'] ?? 'localhost'}${path}${query === '' ? '' : `?${query}`}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namesAndValues(Object.entries(headers)),
    queryString: namesAndValues(new URLSearchParams(query)),
    ...(text === null ? {} : { postData: { mimeType: headers['content-type'] ?? JSON_TYPE, text } }),
    headersSize: -1,
    bodySize: -1,
  };
}

/** Browsers write status 0 if there was no response. */
function harResponse(entry: Entry): object {
  const { status, requestId, answer } = entry;
  const text = answer === null ? '' : JSON.stringify(answer);
  const headers: Record<string, string> = text === '' ? {} : { 'content-type': JSON_TYPE };
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: namesAndValues(Object.entries({ ...headers, 'x-request-id': requestId })),
    content: { size: text.length, mimeType: JSON_TYPE, text },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

function namesAndValues(pairs: Iterable<readonly [string, string]>): NameAndValue[] {
  return Array.from(pairs, ([name, value]) => ({ name, value }));
}
