import { NumberText } from '../core/text/number-text.js';
import { CREDENTIAL_NAMES, maskKeys, maskPasswords } from '../core/text/secrets.js';
import { isObject } from '../core/text/text.js';
import { keepBody, type KeptBody, NO_BODY, REQUEST_MAX } from './body.js';
import { standInOf } from './mask.js';
import { beginsWithDigit, HIDDEN, isSecretName, type Kind, kindOf, maskSecret } from './names.js';
import { hasOdd, mayHoldPan } from './values.js';

/** The kind and position of a secret in a text. */
interface Secret {
  readonly kind: Kind;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** Includes the rest of the line: where the value ends is unknown without parsing. */
const CREDENTIAL = new RegExp(`(${CREDENTIAL_NAMES}).*`, 'gi');

/**
 * The text of a request's JSON and the positions of the secrets that their names show, which are found while it is read. The
 * journal keeps the text exactly as it was sent, including white space and zeros, except for its secrets.
 */
export class SentText {
  readonly #secrets: Secret[] = [];
  /** Whether it contains something that cannot be masked in place. */
  #isOdd = false;

  constructor(readonly text: string) {}

  /** Notes a field that was read. Its value is in the text from `from` up to `to`. */
  readonly see = (name: string, value: unknown, from: number, to: number): void => {
    // The name may be a card number, and objects do not keep the order of numeric names.
    if (beginsWithDigit(name) || isSecretName(name)) this.#isOdd = true;
    const isNumberText = value instanceof NumberText;
    // The number is too large to be read again.
    if (isNumberText && !Number.isFinite(Number(value.text))) this.#isOdd = true;
    if (value === null) return;
    const kind = kindOf(name);
    if (kind === 'plain') return;
    // The fields of the object were noted before it.
    if (kind === 'object' && isObject(value) && !isNumberText) return;
    if (kind === 'object' || typeof value === 'object') this.#isOdd = true;
    else this.#secrets.push({ kind, value, from, to });
  };

  /** Keeps the text, which was read as `value`. A long or an odd one is masked field by field. */
  keep(value: unknown): KeptBody {
    const isPlainObject = isObject(value) && !(value instanceof NumberText);
    if (this.#isOdd || this.text.length > REQUEST_MAX || !isPlainObject)
      return keepBody(value, this.text, []);
    if (this.#mayHoldMore()) {
      const kept = keepBody(value, this.text, []);
      // There are secrets that only their values show.
      if (kept.stand.length !== this.#secrets.length) return kept;
    }
    const stand = this.#secrets.map((secret) => standInOf(secret.kind, secret.value));
    return { text: maskPasswords(this.#masked()), truncated: false, stand };
  }

  /** Whether there may be a card number or a key in a field whose name does not say so. */
  #mayHoldMore(): boolean {
    if (hasOdd(this.text)) return true;
    let at = 0;
    for (const { from, to } of this.#secrets) {
      if (mayHoldPan(this.text, at, from)) return true;
      at = to;
    }
    return mayHoldPan(this.text, at, this.text.length);
  }

  /** Keeps text that is not JSON as a JSON string, with all digits masked, because they may be those of a card. */
  keepUnread(): KeptBody {
    const shown = maskKeys(this.text.slice(0, REQUEST_MAX))
      .replace(CREDENTIAL, `$1 ${HIDDEN}`)
      .replaceAll(/\d/g, '*');
    const truncated = this.text.length > REQUEST_MAX;
    return { ...NO_BODY, text: maskPasswords(JSON.stringify(shown)), truncated };
  }

  #masked(): string {
    if (this.#secrets.length === 0) return this.text;
    const pieces: string[] = [];
    let at = 0;
    for (const { kind, value, from, to } of this.#secrets) {
      const shown = typeof value === 'boolean' ? HIDDEN : maskSecret(kind, String(value));
      pieces.push(this.text.slice(at, from), JSON.stringify(shown));
      at = to;
    }
    pieces.push(this.text.slice(at));
    // Joined, because concatenated slices would keep the secrets in memory.
    return pieces.join('');
  }
}
