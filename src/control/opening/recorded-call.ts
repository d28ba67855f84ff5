import { TRACE_HEADER, TRACE_HEADER_TEXT } from '../journal/trace.js';
import { findDialect } from '../../core/dialect/dialect.js';
import { isObject, quoteText } from '../../core/text/text.js';
import { parseInstant } from '../../core/time/time.js';
import type { CompletedCall } from '../../journal/completed-call.js';
import { type JsonObject, refuseFile, requireFormat, TRACE } from './file-format.js';

export const ENTRIES_MAX = 100_000;
/** More calls than any journal drops. */
const EVICTED_MAX = 1e12;
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** A recorded call and its answer. */
export interface TraceEntry {
  /** By the world's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if there was none, or it is not in the trace. */
  readonly body: unknown;
  /** 0 when there was no answer. */
  readonly status: number;
  /** Null if the answer was empty, or is not in the trace; a string if it was not JSON. */
  readonly response: unknown;
  /** Why the answer is not in the trace, such as `encoding zstd`; null if it is, or that is unknown. */
  readonly lost: string | null;
  readonly requestLost: string | null;
  /** The simulated fault of the answer, such as `truncate`. */
  readonly fault: string | null;
  readonly isTruncated: boolean;
  readonly isRequestTruncated: boolean;
  /** Whether a restore of a snapshot had undone it. */
  readonly isUndone: boolean;
  readonly shown: ShownFields;
}

/** The fields of a call that a journal shows, and a replay does not use. */
type ShownFields = Pick<
  CompletedCall,
  | 'realAt'
  | 'durationMs'
  | 'operation'
  | 'requestId'
  | 'reference'
  | 'trigger'
  | 'rule'
  | 'precedence'
  | 'warning'
  | 'created'
  | 'dialect'
  | 'dialectBy'
>;

export interface Trace {
  /** The mode of the world's clock at the end. */
  readonly clockMode: string;
  readonly evicted: number;
  /** The calls to replay. */
  readonly entries: readonly TraceEntry[];
  /** All calls of the journal, also those that a restore had undone. */
  readonly recorded: readonly TraceEntry[];
}

/** Without what a restore undid, the calls led from a new world to the recorded one. */
export function separateUndone(recorded: readonly TraceEntry[]): Pick<Trace, 'entries' | 'recorded'> {
  return { recorded, entries: recorded.filter(({ isUndone }) => !isUndone) };
}

type RefuseTrace = (message: string) => never;

function createRefuseTrace(place: string): RefuseTrace {
  return (message) => refuseFile(`${place}: ${message}`);
}

export function readTrace(value: unknown, file: string): Trace {
  const { Clock, Entries, Evicted = 0 } = requireFormat(file, value, TRACE);
  const fail = createRefuseTrace(file);
  if (!Array.isArray(Entries)) return fail('Entries must be a list');
  if (Entries.length > ENTRIES_MAX) {
    return fail(`too many entries: ${Entries.length}; the maximum is ${ENTRIES_MAX}`);
  }
  return {
    clockMode:
      isObject(Clock) && typeof Clock['Mode'] === 'string'
        ? Clock['Mode']
        : fail('Clock.Mode must be a string'),
    evicted: isCount(Evicted) ? Evicted : fail('Evicted must be a number of calls'),
    ...separateUndone(
      Entries.map((entry: unknown, n) =>
        isObject(entry)
          ? readTraceEntry(entry, `${file}: entry ${n + 1}`)
          : fail(`entry ${n + 1} must be an object`),
      ),
    ),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= EVICTED_MAX;
}

/** Reads a parsed entry; `place` names it in messages. Refuses what is none. */
export function readTraceEntry(entry: JsonObject, place: string): TraceEntry {
  const fail = createRefuseTrace(place);
  const textOf = (name: string): string => {
    const value = entry[name];
    return typeof value === 'string' ? value : fail(`${name} must be a string`);
  };
  const { Body = null, Headers = {}, Status, Response = null, Fault = null } = entry;
  const [method, path] = [textOf('Method'), textOf('Path')];
  if (!METHOD.test(method)) fail(`Method must be an HTTP method, not ${quoteText(method)}`);
  if (!path.startsWith('/')) fail('Path must begin with a slash');
  const at = parseInstant(textOf('At')) ?? fail('At must be a date and time');
  const isStatus = typeof Status === 'number' && Number.isInteger(Status) && Status >= 0 && Status <= 599;
  return {
    at,
    method,
    path,
    query: textOf('Query'),
    headers: readHeaders(Headers, fail),
    body: Body,
    status: isStatus ? Status : fail('Status must be an HTTP status, or 0'),
    response: Response,
    lost: textOrNull(entry['Lost']),
    requestLost: textOrNull(entry['RequestLost']),
    fault: textOrNull(Fault),
    isTruncated: entry['Truncated'] === true,
    isRequestTruncated: entry['RequestTruncated'] === true,
    isUndone: entry['Undone'] === true,
    shown: readShownFields(entry, at),
  };
}

/** Traces of earlier versions, and of other programs, have less. */
function readShownFields(entry: JsonObject, at: number): ShownFields {
  const textOr = (name: string): string | null => textOrNull(entry[name]);
  const { DurationMs } = entry;
  return {
    realAt: parseInstant(textOr('RealAt') ?? '') ?? at,
    durationMs: typeof DurationMs === 'number' ? DurationMs : 0,
    operation: textOr('Operation'),
    requestId: textOr('RequestId') ?? '',
    reference: textOr('Reference'),
    trigger: textOr('Trigger'),
    rule: textOr('Rule'),
    precedence: textOr('Precedence'),
    warning: textOr('Warning'),
    created: textOr('Created'),
    dialect: findDialect(textOr('Dialect') ?? '') ?? null,
    dialectBy: textOr('DialectBy'),
  };
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readHeaders(value: unknown, fail: RefuseTrace): Readonly<Record<string, string>> {
  if (!isObject(value)) return fail('Headers must be an object');
  // Refuses all others, so that a file cannot make the replay send them.
  for (const [name, text] of Object.entries(value)) {
    if (!TRACE_HEADER.test(name))
      fail(`a trace may only have the headers content-type and x-sandbox-…, not ${quoteText(name)}`);
    if (typeof text !== 'string' || !TRACE_HEADER_TEXT.test(text))
      fail(`the header ${name} must be a string of ASCII characters`);
  }
  return value as Readonly<Record<string, string>>;
}
