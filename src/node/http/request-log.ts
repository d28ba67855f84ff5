import type { IncomingMessage, ServerResponse } from 'node:http';

import { maskSecrets } from '../../core/secrets.js';
import { jsonOf, linesOf, type Printable } from '../cli/terminal.js';

const PATH_MAX = 200;

/** A segment of a path that may be a card number or a key, sent there by mistake. */
const SECRET_WORD = /(?<=\/)(?:\d[ -]?){11,18}\d(?=\/|$)|(?<=\/)[sp]k_[^/]*/g;

/**
 * Logs each request as one line at the end of its answer, without query values, headers and bodies, and so without keys
 * and card data.
 */
export function requestLog(
  format: 'text' | 'json',
  write: (line: Printable) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const begun = performance.now();
    response.once('close', () => {
      const durationMs = Math.round((performance.now() - begun) * 100) / 100;
      // Nothing was sent if a fault lost the answer, or the client disconnected.
      const status = response.headersSent ? response.statusCode : null;
      const method = request.method ?? '';
      const path = maskPath(request.url ?? '');
      if (format === 'text')
        return write(linesOf([`${method} ${path} ${status ?? 'no answer'} ${durationMs} ms`]));
      const at = new Date().toISOString();
      write(jsonOf({ At: at, Method: method, Path: path, Status: status, DurationMs: durationMs }));
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

/** Decodes a path, or returns it unchanged if that fails. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
