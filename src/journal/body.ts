import { NumberText, isObject } from '../core/text/text.js';
import { maskPasswords } from '../core/text/secrets.js';
import { maskBody } from './mask.js';

export interface MaskedBody {
  /** The JSON of the body; null if there was none. */
  readonly text: string | null;
  readonly truncated: boolean;
  /** The values that a replay sends in place of the masked fields of a request, in order. Never a caller's own card. */
  readonly standIns: readonly string[];
}

export const NO_BODY: MaskedBody = { text: null, truncated: false, standIns: [] };

/** Masks a body: with `standIns` that of a request. `text` is its JSON as it was sent, if available. */
export function maskAndCutBody(
  body: unknown,
  text: string | null,
  standIns: string[] | null = null,
): MaskedBody {
  // Cuts before it masks, because masking or serialising megabytes takes long.
  const max = standIns === null ? BODY_MAX : REQUEST_MAX;
  if (text !== null && text.length > max) return maskBodyStart(body, standIns, max);
  const masked = maskBody(body, standIns);
  if (masked === null) return NO_BODY;
  const whole = masked === body && text !== null ? text : JSON.stringify(masked);
  if (text === null && whole.length > max) return cutAndFormat(masked, standIns, max);
  return { text: maskPasswords(whole), truncated: false, standIns: standIns ?? [] };
}

/** The stored form of an answer: its JSON as it was sent, or the masked beginning of a long one. */
export function toStoredAnswer(body: unknown, text: string | null): Pick<MaskedBody, 'text' | 'truncated'> {
  return text !== null && text.length <= BODY_MAX ? { text, truncated: false } : maskAndCutBody(body, text);
}

/** Masks the beginning of a body, and a little more: a number that the end cuts in two must be masked as a whole. */
function maskBodyStart(body: unknown, standIns: string[] | null, max: number): MaskedBody {
  const { value, truncated } = cutBody(body, max + CUT_MARGIN);
  const masked = maskBody(value, standIns);
  if (masked === null) return NO_BODY;
  const written = cutAndFormat(masked, standIns, max);
  return { ...written, truncated: written.truncated || truncated };
}

function cutAndFormat(masked: unknown, standIns: string[] | null, max: number): MaskedBody {
  const { value, truncated } = cutBody(masked, max);
  return { text: maskPasswords(JSON.stringify(value)), truncated, standIns: standIns ?? [] };
}

/** How many characters of an answer's JSON the journal stores: our own limit. */
export const BODY_MAX = 16 * 1024;
/** How many characters of a request's JSON the journal stores. A replay needs all of it, such as a batch of a few thousand rows. */
export const REQUEST_MAX = 256 * 1024;
/** More characters than a card number, with separators. */
const CUT_MARGIN = 64;
/** Characters of a field in addition to its name and text: quotes, colon, comma. */
const FIELD_COST = 6;
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
  const cutter = new BodyCutter(max);
  return { value: cutter.cut(body), truncated: cutter.truncated };
}

class BodyCutter {
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
