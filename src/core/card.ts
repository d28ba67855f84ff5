import creditCardType from 'credit-card-type';

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

/** No pattern of a scheme looks at more digits than this. */
const PREFIX_DIGITS = 8;

/** A range of prefixes that belongs to a scheme; `strength` is how many digits the pattern names. */
interface PrefixRange {
  readonly from: number;
  readonly to: number;
  readonly strength: number;
  readonly scheme: string;
}

const SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
  ['american-express', 'AMEX'],
  ['diners-club', 'DINERS'],
]);

/**
 * The patterns of credit-card-type by their first two digits, each stretched to eight digits. Asking the
 * package itself costs several microseconds a card, since it copies every scheme that matches.
 */
const RANGES_BY_FIRST_DIGITS: readonly (readonly PrefixRange[])[] = rangesByFirstDigits();

function rangesByFirstDigits(): PrefixRange[][] {
  const buckets: PrefixRange[][] = Array.from({ length: 100 }, () => []);
  // The package answers an empty number with all its schemes, in the order it tries them.
  for (const { type, patterns } of creditCardType('')) {
    const scheme = SCHEME_NAMES.get(type) ?? type.toUpperCase().replaceAll('-', '_');
    for (const pattern of patterns) {
      const range = prefixRange(pattern, scheme);
      const last = firstTwoDigits(range.to);
      for (let digits = firstTwoDigits(range.from); digits <= last; digits++) buckets[digits]?.push(range);
    }
  }
  return buckets;
}

function prefixRange(pattern: number | readonly number[], scheme: string): PrefixRange {
  const [low = 0, high = low] = typeof pattern === 'number' ? [pattern] : pattern;
  const strength = String(low).length;
  const unit = 10 ** (PREFIX_DIGITS - strength);
  return { from: low * unit, to: (high + 1) * unit - 1, strength, scheme };
}

/** Of a prefix of {@link PREFIX_DIGITS} digits. */
function firstTwoDigits(prefix: number): number {
  return Math.floor(prefix / 1_000_000);
}

/**
 * The scheme of a pan of 12 to 19 digits, by its leading digits: `VISA`, `MASTERCARD`, `AMEX`, `DISCOVER`,
 * `DINERS`, `JCB`, `UNIONPAY`, `MAESTRO`…, or `UNKNOWN`. The answers are those of the package
 * credit-card-type.
 */
export function cardScheme(pan: string): string {
  const prefix = leadingDigits(pan);
  const ranges = RANGES_BY_FIRST_DIGITS[firstTwoDigits(prefix)];
  if (ranges === undefined) return 'UNKNOWN';

  let scheme = 'UNKNOWN';
  let strength = 0;
  for (const range of ranges) {
    if (prefix < range.from || prefix > range.to) continue;
    // The longest pattern wins, and among equals the scheme that is tried first.
    if (range.strength <= strength) continue;
    scheme = range.scheme;
    strength = range.strength;
  }
  return scheme;
}

/** The first eight digits as a number, or -1 where there are no eight. */
function leadingDigits(pan: string): number {
  if (pan.length < PREFIX_DIGITS) return -1;
  let prefix = 0;
  for (let at = 0; at < PREFIX_DIGITS; at++) {
    const code = pan.charCodeAt(at);
    if (!isDigit(code)) return -1;
    prefix = prefix * 10 + (code - DIGIT_ZERO);
  }
  return prefix;
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

/** A run of 12 to 19 digits that stands alone, as a person writes a card number; not a part of a UUID. */
const PAN_IN_TEXT = /(?<!\w|[\da-f]-)\d(?:[ -]?\d){11,18}(?!-?\w)/gi;

/** A word that is long enough to hold a card number among its letters. */
const LONG_WORD = /[a-z\d]{13,}/gi;
/** Letters and digits of an identifier: what looks like a card number in it is chance. */
const HEXADECIMAL = /^[\da-f]+$/i;

/** A text with every card number in it masked: runs of digits that pass the Luhn check. */
export function maskPans(text: string): string {
  return text
    .replace(PAN_IN_TEXT, maskRun)
    .replace(LONG_WORD, (word) =>
      HEXADECIMAL.test(word) ? word : word.replaceAll(/(?<!\d)\d{12,19}(?!\d)/g, maskRun),
    );
}

function maskRun(run: string): string {
  const pan = normalisePan(run);
  return pan !== undefined && passesLuhn(pan) ? maskPan(pan) : run;
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

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}
