import type { IncomingMessage, ServerResponse } from 'node:http';

import { maskSecrets } from '../../core/text/secrets.js';
import { formatInstant } from '../../core/time/time.js';
import type { LogNote } from '../../http/exchange.js';
import { decodeOrKeep } from '../../journal/mask-names.js';
import { formatJson, formatLines, type Printable } from '../terminal/terminal.js';

const PATH_MAX = 200;
/** The facts that the app reports about each logged call. */
const NOTED = new WeakMap<ServerResponse, LogNote>();
/** A smaller difference between the two clocks of a call is only the time that the call took. */
const SAME_CLOCK_MS = 60_000;

/** A segment of a path that may be a card number or a key that was sent there by mistake. */
const SECRET_WORD = /(?<=\/)(?:\d[ -]?){11,18}\d(?=\/|$)|(?<=\/)[sp]k_[^/]*/g;

/** Logs a line per request when its answer ends: with the reference of the body, without query values, headers or card data. */
export function createRequestLog(
  format: 'text' | 'json',
  write: (line: Printable) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const begun = performance.now();
    const noted: LogNote = { at: null, reference: null };
    NOTED.set(response, noted);
    response.once('close', () => {
      const line = describeCall(request, response, noted, begun);
      write(format === 'json' ? formatJson(line) : formatLines([formatLogLine(line)]));
    });
  };
}

/** The note that the app fills in for the log; undefined without a log. */
export function findLogNote(response: ServerResponse): LogNote | undefined {
  return NOTED.get(response);
}

function describeCall(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  noted: LogNote,
  begun: number,
) {
  return {
    At: new Date().toISOString(),
    Method: method,
    Path: formatLogPath(url),
    // Null if a fault lost the answer, or the client disconnected before it.
    Status: response.headersSent ? response.statusCode : null,
    DurationMs: Math.round((performance.now() - begun) * 100) / 100,
    WorldAt: noted.at === null ? null : formatInstant(noted.at),
    Reference: noted.reference === null ? null : maskSecrets(noted.reference),
  };
}

function formatLogLine(line: ReturnType<typeof describeCall>): string {
  const { At, Method, Path, Status, DurationMs, WorldAt, Reference } = line;
  const isOther = WorldAt !== null && isOtherClock(WorldAt, At);
  return [
    `${At} ${Method} ${Path} ${Status ?? 'no answer'} ${DurationMs} ms`,
    ...(isOther ? [`world=${WorldAt}`] : []),
    ...(Reference === null ? [] : [formatReference(Reference)]),
  ].join(' ');
}

export function isOtherClock(worldAt: string, realAt: string): boolean {
  return Math.abs(Date.parse(worldAt) - Date.parse(realAt)) >= SAME_CLOCK_MS;
}

/** A reference in a line, which a search for the whole word finds. */
export function formatReference(reference: string): string {
  return `reference=${/^[\w.:#/-]+$/.test(reference) ? reference : JSON.stringify(reference)}`;
}

function formatLogPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const plain = decodeOrKeep(path);
  const masked = maskSecrets(plain.replaceAll(SECRET_WORD, '***'));
  const shown = masked === plain ? path : masked;
  return shown.slice(0, PATH_MAX).replaceAll(/[^\x21-\x7e]/g, '?');
}
