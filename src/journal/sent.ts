import { HIDDEN, isSuspect, type Kind, kindOf, maskMember } from './names.js';
import { BODY_MAX } from './mask.js';
import { standInOf } from './stand-in.js';

/** A secret in a text: what it is, and where its value stands there. */
interface Secret {
  readonly kind: Kind;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

const NONE: readonly string[] = [];
const DIGIT_NINE = 0x39;
const DIGIT_ZERO = 0x30;
/** With all that follows in its line: where its value ends, only a reader could tell. */
const AUTHORIZATION = /(authorization).*/gi;

/**
 * The text of a request's JSON, and where its secrets are: the reader tells while it reads. Masking then takes a few
 * slices, where walking the members and writing them anew would cost more than the rest of the journal.
 */
export class SentText {
  readonly #secrets: Secret[] = [];
  #isWhole = false;
  #isClear = true;

  constructor(readonly text: string) {}

  /** A member that was read; its value stands in the text from `from` to before `to`. */
  see(name: string, value: unknown, from: number, to: number): void {
    const first = name.charCodeAt(0);
    // Such a name may be a card number, and an object gives its members back in another order.
    if (first >= DIGIT_ZERO && first <= DIGIT_NINE) this.#isClear = false;
    if (value === null || !isSuspect(name)) return;
    const kind = kindOf(name);
    if (kind === 'plain') return;
    if (typeof value === 'object' || kind === 'object') {
      if (kind !== 'object' || typeof value !== 'object' || Array.isArray(value)) this.#isClear = false;
    } else this.#secrets.push({ kind, value, from, to });
  }

  /** Something that only a look at every member can tell how to keep. */
  doubt(): void {
    this.#isClear = false;
  }

  /** The text was read to its end; what it holds may be no object, but a bare card number. */
  finish(value: unknown): void {
    this.#isWhole = true;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.#isClear = false;
  }

  /** Whether `masked` can tell: a long or an odd text must be walked through member by member. */
  get isSimple(): boolean {
    return this.#isWhole && this.#isClear && this.text.length <= BODY_MAX;
  }

  /** Whether the text could not be read. */
  get isBroken(): boolean {
    return !this.#isWhole;
  }

  /** The text with its secrets masked. */
  masked(): string {
    let masked = '';
    let at = 0;
    for (const { kind, value, from, to } of this.#secrets) {
      const shown = typeof value === 'boolean' ? HIDDEN : maskMember(kind, String(value));
      masked += `${this.text.slice(at, from)}"${shown}"`;
      at = to;
    }
    return at === 0 ? this.text : masked + this.text.slice(at);
  }

  /** What a replay sends for the secrets of a masked text, in their order. */
  stand(): readonly string[] {
    if (this.isBroken || this.#secrets.length === 0) return NONE;
    return this.#secrets.map(({ kind, value }) => standInOf(kind, value));
  }

  /** What is kept of a text that is no JSON, as JSON: nobody knows which of its digits are a card's. */
  draft(): string {
    const shown = this.text.slice(0, BODY_MAX).replace(AUTHORIZATION, `$1 ${HIDDEN}`).replaceAll(/\d/g, '*');
    return JSON.stringify(shown);
  }
}
