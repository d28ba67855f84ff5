import type { IncomingMessage, ServerResponse } from 'node:http';

import { maskSecrets } from '../../core/secrets.js';

const PATH_MAX = 200;

/** A word of a path that may be a misplaced card number or key. */
const SECRET_WORD = /(?<=\/)(?:\d[ -]?){11,18}\d(?=\/|$)|(?<=\/)[sp]k_[^/]*/g;

/**
 * Logs each request as one line when its answer is over: no query values, no headers, no bodies, so no
 * keys and no card data.
 */
export function requestLog(
  format: 'text' | 'json',
  write: (line: string) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const begun = performance.now();
    response.once('close', () => {
      const durationMs = Math.round((performance.now() - begun) * 100) / 100;
      // Nothing was sent where a trigger loses the answer, or the client went away.
      const status = response.headersSent ? response.statusCode : null;
      const method = request.method ?? '';
      const path = maskPath(request.url ?? '');
      if (format === 'text') return write(`${method} ${path} ${status ?? 'no answer'} ${durationMs} ms\n`);
      const at = new Date().toISOString();
      const line = { At: at, Method: method, Path: path, Status: status, DurationMs: durationMs };
      write(`${JSON.stringify(line)}\n`);
    });
  };
}

function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const decoded = decode(path);
  const masked = maskSecrets(decoded.replaceAll(SECRET_WORD, '***'));
  const shown = masked === decoded ? path : masked;
  return shown.slice(0, PATH_MAX).replaceAll(/[^\x21-\x7e]/g, '?');
}

/** What cannot be decoded stays as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
