import type { IncomingMessage, ServerResponse } from 'node:http';

import { maskSecrets } from '../../core/text/secrets.js';
import { formatInstant } from '../../core/time/time.js';
import type { Noted } from '../../http/exchange.js';
import { jsonOf, linesOf, type Printable } from '../terminal/terminal.js';

const PATH_MAX = 200;
/** What the app reports of the calls that are logged. */
const NOTED = new WeakMap<ServerResponse, Noted>();
/** The two clocks of a call are the same if they differ by less, because a call takes time. */
const SAME_CLOCK_MS = 60_000;

/** A segment of a path that may be a card number or a key that was sent there by mistake. */
const SECRET_WORD = /(?<=\/)(?:\d[ -]?){11,18}\d(?=\/|$)|(?<=\/)[sp]k_[^/]*/g;

/**
 * Logs each request as one line at the end of its answer: with its reference, and without query values, headers and other
 * fields of bodies, and so without keys and card data.
 */
export function requestLog(
  format: 'text' | 'json',
  write: (line: Printable) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const begun = performance.now();
    const noted: Noted = { at: null, reference: null };
    NOTED.set(response, noted);
    response.once('close', () => {
      const line = {
        At: new Date().toISOString(),
        Method: request.method ?? '',
        Path: maskPath(request.url ?? ''),
        // Nothing was sent if a fault lost the answer, or the client disconnected.
        Status: response.headersSent ? response.statusCode : null,
        DurationMs: Math.round((performance.now() - begun) * 100) / 100,
        WorldAt: noted.at === null ? null : formatInstant(noted.at),
        Reference: noted.reference === null ? null : maskSecrets(noted.reference),
      };
      write(format === 'json' ? jsonOf(line) : linesOf([textOf(line)]));
    });
  };
}

/** The note that the app fills in for the log; undefined without a log. */
export function notedOf(response: ServerResponse): Noted | undefined {
  return NOTED.get(response);
}

interface Line {
  readonly At: string;
  readonly Method: string;
  readonly Path: string;
  readonly Status: number | null;
  readonly DurationMs: number;
  readonly WorldAt: string | null;
  readonly Reference: string | null;
}

function textOf({ At, Method, Path, Status, DurationMs, WorldAt, Reference }: Line): string {
  const isOther = WorldAt !== null && isOtherClock(WorldAt, At);
  return [
    `${At} ${Method} ${Path} ${Status ?? 'no answer'} ${DurationMs} ms`,
    ...(isOther ? [`world=${WorldAt}`] : []),
    ...(Reference === null ? [] : [referenceText(Reference)]),
  ].join(' ');
}

export function isOtherClock(worldAt: string, realAt: string): boolean {
  return Math.abs(Date.parse(worldAt) - Date.parse(realAt)) >= SAME_CLOCK_MS;
}

/** A reference in a line, which a search for the whole word finds. */
export function referenceText(reference: string): string {
  return `reference=${/^[\w.:#/-]+$/.test(reference) ? reference : JSON.stringify(reference)}`;
}

function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const decoded = decode(path);
  const masked = maskSecrets(decoded.replaceAll(SECRET_WORD, '***'));
  const shown = masked === decoded ? path : masked;
  return shown.slice(0, PATH_MAX).replaceAll(/[^\x21-\x7e]/g, '?');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
