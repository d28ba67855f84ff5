/** The fewest and the most digits of a pan (ISO/IEC 7812). */
const PAN_DIGITS_MIN = 12;
const PAN_DIGITS_MAX = 19;

const BLANK = 0x20;
const HYPHEN = 0x2d;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

/** How a card is funded, as the wire's `CardType` has it. */
export type CardType = 'CREDIT' | 'DEBIT';

/** Why a pan is refused: `number` is not digits or fails the Luhn check, `length` is not 12 to 19 digits. */
export type PanFault = 'number' | 'length';

/** Either the bare digits of a pan, or what is wrong with the text. */
export type ParsedPan =
  | { readonly pan: string; readonly fault?: undefined }
  | { readonly pan?: undefined; readonly fault: PanFault };

const WRONG_NUMBER: ParsedPan = Object.freeze({ pan: undefined, fault: 'number' });
const WRONG_LENGTH: ParsedPan = Object.freeze({ pan: undefined, fault: 'length' });

/**
 * Reads a card number as a person writes it, with single blanks or hyphens between groups of digits. The
 * length is judged before the Luhn check, so a number that was cut short is called that.
 */
export function parsePan(text: string): ParsedPan {
  const pan = normalisePan(text);
  if (pan === undefined) return WRONG_NUMBER;
  if (pan.length < PAN_DIGITS_MIN || pan.length > PAN_DIGITS_MAX) return WRONG_LENGTH;
  return passesLuhn(pan) ? { pan, fault: undefined } : WRONG_NUMBER;
}

/** What {@link parsePan} finds wrong, or `undefined` for a good card number. */
export function panFault(text: string): PanFault | undefined {
  return parsePan(text).fault;
}

/**
 * The digits of a card number without the single blanks or hyphens between its groups, of any length.
 * `undefined` where anything else stands in the text, or a separator does not stand between two digits.
 */
export function normalisePan(text: string): string | undefined {
  let separators = 0;
  let afterDigit = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      afterDigit = true;
    } else if (afterDigit && (code === BLANK || code === HYPHEN)) {
      separators++;
      afterDigit = false;
    } else {
      return undefined;
    }
  }
  if (separators === 0) return text;
  return afterDigit ? text.replace(/[ -]/g, '') : undefined;
}

/** Whether a text of digits ends in its right check digit (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let doubled = false;
  for (let at = digits.length - 1; at >= 0; at--) {
    const code = digits.charCodeAt(at);
    if (!isDigit(code)) return false;
    const digit = code - DIGIT_ZERO;
    if (!doubled) sum += digit;
    else sum += digit < 5 ? digit * 2 : digit * 2 - 9;
    doubled = !doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** The iins of the public debit test cards 4000056655665556 and 5200828282828210; all others are credit. */
const DEBIT_IINS: ReadonlySet<string> = new Set(['400005', '520082']);

/** How the card with this iin is funded. */
export function cardFunding(iin: string): CardType {
  return DEBIT_IINS.has(iin) ? 'DEBIT' : 'CREDIT';
}

/** The issuer identification number: the first six digits of a pan. */
export function iinOf(pan: string): string {
  return pan.slice(0, 6);
}

/** The first and last four digits, stars between: `4111********1111`. Eight and fewer: all stars. */
export function maskPan(pan: string): string {
  if (pan.length === 16) return `${pan.slice(0, 4)}********${pan.slice(12)}`;
  if (pan.length <= 8) return '*'.repeat(pan.length);
  return pan.slice(0, 4) + '*'.repeat(pan.length - 8) + pan.slice(-4);
}

/** A run of at least 12 digits that stands alone, parted as a person writes a card number; not a part of a UUID. */
const DIGITS_IN_TEXT = /(?<![a-z\d]|[\da-f]-)\d(?:[ -]?\d){11,}(?!-?[a-z\d])/gi;
/** How many digits nearly all card numbers have. */
const USUAL_LENGTHS: ReadonlySet<number> = new Set([15, 16]);
const UUID_OF_DIGITS = /^\d{8}-(?:\d{4}-){3}\d{12}$/;

/** A word that is long enough to hold a card number among its letters. */
const LONG_WORD = /[a-z\d]{13,}/gi;
/** Letters and digits of an identifier: what looks like a card number in it is chance. */
const HEXADECIMAL = /^[\da-f]+$/i;

/** A text with every card number in it masked: runs of digits that pass the Luhn check. */
export function maskPans(text: string): string {
  return text
    .replace(DIGITS_IN_TEXT, maskRun)
    .replace(LONG_WORD, (word) =>
      HEXADECIMAL.test(word) ? word : word.replaceAll(/(?<!\d)\d{12,19}(?!\d)/g, maskRun),
    );
}

/** A run with its card numbers masked, beside which an expiry, a ccv or other numbers may stand. */
function maskRun(run: string): string {
  if (UUID_OF_DIGITS.test(run)) return run;
  // Groups and the separators behind them, in turn.
  const parts = run.split(/([ -])/);
  let masked = '';
  for (let at = 0; at < parts.length; at += 2) {
    const { pan, last } = longestPan(parts, at);
    masked += (pan === null ? parts[at] : maskPan(pan)) + (parts[last + 1] ?? '');
    at = last;
  }
  return masked;
}

/** The longest card number that begins with a group, and where its last group stands. */
function longestPan(parts: readonly string[], from: number): { pan: string | null; last: number } {
  let longest: { pan: string | null; last: number } = { pan: null, last: from };
  let digits = '';
  for (let at = from; at < parts.length && digits.length < PAN_DIGITS_MAX; at += 2) {
    digits += parts[at];
    const apart = at === from || (from === 0 && at === parts.length - 1);
    // Groups of a longer run may have a right check digit by chance: together they have the usual length, too.
    if ((apart || USUAL_LENGTHS.has(digits.length)) && panFault(digits) === undefined) {
      longest = { pan: digits, last: at };
    }
  }
  return longest;
}

/** The longest identifier that a message repeats: ours have 32 characters, those with hyphens 36. */
const ID_SHOWN_MAX = 40;

/** What a caller sent as an identifier, for a message. */
export function shownId(id: string): string {
  return shownTo(id, ID_SHOWN_MAX);
}

/** At most so many characters of what a caller sent, for a message: a card number is masked before it is cut. */
export function shownTo(text: string, max: number): string {
  return maskPans(text.slice(0, max + 2 * PAN_DIGITS_MAX)).slice(0, max);
}

/** Whether a ccv is malformed: it has three ASCII digits, and four on an `AMEX` card. */
export function ccvFault(ccv: string, scheme: string): boolean {
  if (ccv.length !== (scheme === 'AMEX' ? 4 : 3)) return true;
  for (let at = 0; at < ccv.length; at++) {
    if (!isDigit(ccv.charCodeAt(at))) return true;
  }
  return false;
}

/** Whether a character's code is that of an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}
