import { HIDDEN, findSecretKind } from '../core/text/secret-fields.js';
import { maskSecrets } from '../core/text/secrets.js';
import { cutText } from './body.js';

/** Secret headers that `findSecretKind` does not recognise by their names. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['cookie', 'set-cookie']);
/** The maximum number of headers kept of a request, and of characters of a value: our own limits. */
const HEADERS_MAX = 64;
const VALUE_MAX = 1_024;

/** Stores headers of requests as alternating names and values. Those that a client repeats are shared. */
export class SharedHeaders {
  /** The characters of the headers stored last; 0 if they are shared. */
  size = 0;
  #last: readonly string[] = [];

  store(headers: Iterable<readonly [string, string]>): readonly string[] {
    const last = this.#last;
    this.size = 0;
    let stored: string[] | null = null;
    let at = 0;
    for (const [name, sent] of headers) {
      if (at >= 2 * HEADERS_MAX) break;
      // A long value is masked before it is cut: half a card number would not be recognised.
      const value = sent.length > VALUE_MAX ? maskHeaderValue(name, sent) : sent;
      if (stored === null && !(last[at] === name && last[at + 1] === value)) stored = last.slice(0, at);
      stored?.push(name, value);
      at += 2;
    }
    if (stored === null && at === last.length) return last;
    this.#last = stored ?? last.slice(0, at);
    for (const text of this.#last) this.size += text.length;
    return this.#last;
  }
}

export function maskHeaders(stored: readonly string[]): readonly string[] {
  return stored.map((text, n) => (n % 2 === 0 ? text : maskHeaderValue(stored[n - 1] ?? '', text)));
}

function maskHeaderValue(name: string, value: string): string {
  if (findSecretKind(name) !== undefined || SECRET_HEADERS.has(name.toLowerCase())) return HIDDEN;
  return cutText(maskSecrets(value), VALUE_MAX);
}
