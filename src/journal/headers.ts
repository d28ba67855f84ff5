import { maskSecrets } from '../core/text/secrets.js';
import { cutText } from './body.js';
import { HIDDEN, kindOf } from './names.js';

/** Secret headers that `kindOf` does not recognise by their names. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['cookie', 'set-cookie']);
/** The maximum number of headers kept of a request, and of characters of a value: our own limits. */
const HEADERS_MAX = 64;
const VALUE_MAX = 1_024;

/**
 * Masks headers, as alternating names and values. Requests of a client have nearly the same headers each time, so the last
 * ones are shared.
 */
export class HeaderMasker {
  /** The characters of the last masked headers; 0 if they are shared. */
  size = 0;
  #last: readonly string[] = [];

  mask(headers: Iterable<readonly [string, string]>): readonly string[] {
    const last = this.#last;
    this.size = 0;
    let kept: string[] | null = null;
    let at = 0;
    for (const [name, value] of headers) {
      if (at >= 2 * HEADERS_MAX) break;
      const alike = last[at] === name;
      // Equal to the last value, which is already masked.
      const shown = alike && last[at + 1] === value ? value : shownValue(name, value);
      if (kept === null && !(alike && last[at + 1] === shown)) kept = last.slice(0, at);
      kept?.push(name, shown);
      at += 2;
    }
    if (kept === null && at === last.length) return last;
    this.#last = kept ?? last.slice(0, at);
    for (const text of this.#last) this.size += text.length;
    return this.#last;
  }
}

function shownValue(name: string, value: string): string {
  if (kindOf(name) !== 'plain' || SECRET_HEADERS.has(name.toLowerCase())) return HIDDEN;
  return cutText(maskSecrets(value), VALUE_MAX);
}
