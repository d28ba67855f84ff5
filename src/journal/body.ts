import { NumberText } from '../core/text/number-text.js';
import { maskPasswords } from '../core/text/secrets.js';
import { isObject } from '../core/text/text.js';
import { maskBody } from './mask.js';

/** A body as the journal stores it: masked, and truncated if it is long. */
export interface KeptBody {
  /** Its JSON; null if there was no body. */
  readonly text: string | null;
  readonly truncated: boolean;
  /** What a replay sends in place of the masked fields of a request, in order. Never a caller's own card. */
  readonly stand: readonly string[];
}

export const NO_BODY: KeptBody = { text: null, truncated: false, stand: [] };

/** Keeps a body: with `standIns` that of a request. `text` is its JSON as it was sent, if available. */
export function keepBody(body: unknown, text: string | null, standIns: string[] | null = null): KeptBody {
  const stand = standIns ?? NO_BODY.stand;
  // Cuts before it masks, because masking or serialising megabytes takes long.
  const max = standIns === null ? BODY_MAX : REQUEST_MAX;
  if (text !== null && text.length > max) return keepBeginning(body, standIns, max);
  const masked = maskBody(body, standIns);
  if (masked === null) return NO_BODY;
  const whole = masked === body && text !== null ? text : JSON.stringify(masked);
  if (text === null && whole.length > max) return keepCut(masked, stand, max);
  return { text: maskPasswords(whole), truncated: false, stand };
}

/**
 * Keeps an answer as it was sent, or the beginning of a long one. It is masked only when read, by `answerOf`, because nearly
 * every entry is evicted unread.
 */
export function keepAnswer(body: unknown, text: string | null): Pick<KeptBody, 'text' | 'truncated'> {
  return text !== null && text.length <= BODY_MAX ? { text, truncated: false } : keepBody(body, text);
}

/** The masked answer of an entry. */
export function answerOf({ response }: { readonly response: string | null }): unknown {
  return response === null ? null : maskBody(JSON.parse(maskPasswords(response)));
}

/** Masks the beginning of a body, and a little more: a number that the end cuts in two must be masked as a whole. */
function keepBeginning(body: unknown, standIns: string[] | null, max: number): KeptBody {
  const { value, truncated } = cutBody(body, max + CUT_MARGIN);
  const masked = maskBody(value, standIns);
  if (masked === null) return NO_BODY;
  const kept = keepCut(masked, standIns ?? NO_BODY.stand, max);
  return { ...kept, truncated: kept.truncated || truncated };
}

function keepCut(masked: unknown, stand: readonly string[], max: number): KeptBody {
  const { value, truncated } = cutBody(masked, max);
  return { text: maskPasswords(JSON.stringify(value)), truncated, stand };
}

/** How many characters of the JSON of an answer are kept: our own limit. */
export const BODY_MAX = 16 * 1024;
/** How many of a request are kept: a replay needs all of it, such as a batch of a few thousand rows. */
export const REQUEST_MAX = 256 * 1024;
/** More characters than a card number, with separators. */
const CUT_MARGIN = 64;
/** Characters of a field in addition to its name and text: quotes, colon, comma. */
const FIELD_COST = 6;
/** The approximate characters of a number, true, false or null. */
const SCALAR_COST = 8;

/** The beginning of a text, copied: a slice would keep the whole text in memory. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, max)));
}

/** The part of a body that is kept, and whether it was truncated. */
export function cutBody(
  body: unknown,
  max = BODY_MAX,
): { readonly value: unknown; readonly truncated: boolean } {
  const cutter = new Cutter(max);
  return { value: cutter.cut(body), truncated: cutter.truncated };
}

class Cutter {
  truncated = false;
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  cut(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    this.#left -= SCALAR_COST;
    if (Array.isArray(value)) return this.#list(value);
    return isObject(value) && !(value instanceof NumberText) ? this.#object(value) : value;
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
