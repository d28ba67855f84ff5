import { formatInstant } from '../../core/time/time.js';
import { VERSION } from '../../core/version.js';
import { streamPieces } from '../../http/answers/respond.js';
import type { Entry } from '../../journal/entry.js';
import type { World } from '../../world/world.js';
import { readEntryHeaders } from './presenter.js';
import type { ExportFormat } from './schema.js';
import { joinCalls, writeWorldTrace, formatEntries } from './trace.js';

const CREATOR = JSON.stringify({ name: 'playmoney', version: VERSION });
const HAR_START = `{"log":{"version":"1.2","creator":${CREATOR},"entries":[`;
const JSON_TYPE = 'application/json';

/** The journal as a stream of text for other programs. It may have tens of megabytes. */
export function exportJournal(world: World, format: ExportFormat): ReadableStream<Uint8Array> {
  const entries = [...world.journal.entries()];
  if (format === 'har') return streamPieces(writeHar(formatEntries(entries, buildHarEntry)));
  const present = entries.filter(({ isUndone }) => !isUndone);
  return streamPieces(writeWorldTrace(world, present));
}

/** Writes an HTTP Archive in pieces. Each call is the JSON that `buildHarEntry` makes. */
export function writeHar(calls: Iterable<string>): Generator<string, void> {
  return joinCalls(HAR_START, calls, ']}}');
}

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

export function buildHarEntry(entry: Entry): object {
  const headers = readEntryHeaders(entry);
  return {
    startedDateTime: formatInstant(entry.realAt - entry.durationMs),
    time: entry.durationMs,
    request: buildHarRequest(entry, headers),
    response: buildHarResponse(entry),
    cache: {},
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
    _entryId: entry.id,
    _at: formatInstant(entry.at),
    _operation: entry.operation,
    _dialect: entry.dialect,
    _dialectBy: entry.dialectBy,
    _trigger: entry.trigger,
    _fault: entry.fault,
    _warnings: entry.warning,
    _recorded: entry.isRecorded,
    _undone: entry.isUndone,
    _truncated: entry.truncated,
    _requestTruncated: entry.requestTruncated,
    _standIns: entry.standIns,
  };
}

function buildHarRequest(entry: Entry, headers: Record<string, string>): object {
  const { method, path, query, request: text } = entry;
  return {
    method,
    url: `http://${headers['host'] ?? 'localhost'}${path}${query === '' ? '' : `?${query}`}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toNamesAndValues(Object.entries(headers)),
    queryString: toNamesAndValues(new URLSearchParams(query)),
    ...(text === null ? {} : { postData: { mimeType: headers['content-type'] ?? JSON_TYPE, text } }),
    headersSize: -1,
    bodySize: -1,
  };
}

/** Browsers write status 0 if there was no response. */
function buildHarResponse(entry: Entry): object {
  const { status, requestId, answer } = entry;
  const text = answer === null ? '' : JSON.stringify(answer);
  const headers: Record<string, string> = text === '' ? {} : { 'content-type': JSON_TYPE };
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toNamesAndValues(Object.entries({ ...headers, 'x-request-id': requestId })),
    content: { size: text.length, mimeType: JSON_TYPE, text },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

function toNamesAndValues(pairs: Iterable<readonly [string, string]>): NameAndValue[] {
  return Array.from(pairs, ([name, value]) => ({ name, value }));
}
