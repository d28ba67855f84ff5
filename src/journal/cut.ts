import { isObject } from '../core/text.js';

/** How much of a body is kept, in characters of its JSON: our own limit. */
export const BODY_MAX = 16 * 1024;
/** Characters of a field beside its name and text: quotes, colon, comma. */
const FIELD_COST = 6;
/** Characters of a number or a word, about. */
const SCALAR_COST = 8;

/** At most so many characters of a text, copied: a slice would keep the whole text in memory. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, max)));
}

/** As much of a body as is kept, and whether that is less than all of it. */
export function cutBody(body: unknown): { readonly value: unknown; readonly truncated: boolean } {
  const cutter = new Cutter();
  return { value: cutter.cut(body), truncated: cutter.truncated };
}

class Cutter {
  truncated = false;
  #left = BODY_MAX;

  cut(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    this.#left -= SCALAR_COST;
    if (Array.isArray(value)) return this.#list(value);
    return isObject(value) ? this.#object(value) : value;
  }

  #text(text: string): string {
    const left = Math.max(0, this.#left);
    this.#left -= text.length;
    this.truncated ||= text.length > left;
    return cutText(text, left);
  }

  #list(list: readonly unknown[]): unknown[] {
    const kept: unknown[] = [];
    for (const item of list) {
      if (this.#isSpent()) break;
      kept.push(this.cut(item));
    }
    return kept;
  }

  #object(object: Readonly<Record<string, unknown>>): object {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(object)) {
      this.#left -= name.length + FIELD_COST;
      if (this.#isSpent()) break;
      kept[name] = this.cut(value);
    }
    return kept;
  }

  #isSpent(): boolean {
    if (this.#left >= 0) return false;
    this.truncated = true;
    return true;
  }
}
