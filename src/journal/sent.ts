import { NumberText } from '../core/number-text.js';
import { maskPasswords } from '../core/secrets.js';
import { isObject } from '../core/text.js';
import { BODY_MAX, keepBody, type KeptBody, NO_BODY } from './body.js';
import { standInOf } from './mask.js';
import { beginsWithDigit, HIDDEN, type Kind, kindOf, maskSecret } from './names.js';

/** A secret in a text: what it is, and where its value stands there. */
interface Secret {
  readonly kind: Kind;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** With all that follows in its line: where its value ends, only a reader could say. */
const AUTHORIZATION = /(authorization).*/gi;

/**
 * The text of a request's JSON, and where its secrets are, which the reader finds while it reads. The journal keeps a request
 * as it was written, down to its blanks and the zeros of its numbers, but for its secrets.
 */
export class SentText {
  readonly #secrets: Secret[] = [];
  /** Whether something in it cannot be masked in its place. */
  #isOdd = false;

  constructor(readonly text: string) {}

  /** Sees a field that was read; its value stands in the text from `from` to before `to`. */
  readonly see = (name: string, value: unknown, from: number, to: number): void => {
    // Such a name may be a card number, and an object gives its fields back in another order.
    if (beginsWithDigit(name)) this.#isOdd = true;
    const isNumberText = value instanceof NumberText;
    // A reader of the kept text would get no number from it.
    if (isNumberText && !Number.isFinite(Number(value.text))) this.#isOdd = true;
    if (value === null) return;
    const kind = kindOf(name);
    if (kind === 'plain') return;
    // The fields of such an object were seen before it.
    if (kind === 'object' && isObject(value) && !isNumberText) return;
    if (kind === 'object' || typeof value === 'object') this.#isOdd = true;
    else this.#secrets.push({ kind, value, from, to });
  };

  /** Keeps the text, which was read as `value`. A long or an odd one is walked through field by field. */
  keep(value: unknown): KeptBody {
    const isPlainObject = isObject(value) && !(value instanceof NumberText);
    if (this.#isOdd || this.text.length > BODY_MAX || !isPlainObject) return keepBody(value, this.text, []);
    const stand = this.#secrets.map((secret) => standInOf(secret.kind, secret.value));
    return { text: maskPasswords(this.#masked()), truncated: false, stand };
  }

  /** Keeps text that is not JSON as a JSON string, with all digits masked: they may be those of a card. */
  keepUnread(): KeptBody {
    const shown = this.text.slice(0, BODY_MAX).replace(AUTHORIZATION, `$1 ${HIDDEN}`).replaceAll(/\d/g, '*');
    const truncated = this.text.length > BODY_MAX;
    return { ...NO_BODY, text: maskPasswords(JSON.stringify(shown)), truncated };
  }

  #masked(): string {
    if (this.#secrets.length === 0) return this.text;
    const pieces: string[] = [];
    let at = 0;
    for (const { kind, value, from, to } of this.#secrets) {
      const shown = typeof value === 'boolean' ? HIDDEN : maskSecret(kind, String(value));
      pieces.push(this.text.slice(at, from), `"${shown}"`);
      at = to;
    }
    pieces.push(this.text.slice(at));
    // Joined, since a sum of slices would keep the secrets in memory.
    return pieces.join('');
  }
}
