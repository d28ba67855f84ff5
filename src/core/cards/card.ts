import { parseWholeDigits, blankSeparators, normaliseDigits } from './spelling.js';

/** The minimum and maximum number of digits of a pan (ISO/IEC 7812). */
export const PAN_DIGITS_MIN = 12;
export const PAN_DIGITS_MAX = 19;

const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

export type CardType = 'CREDIT' | 'DEBIT';

/** Why a pan is refused: `number` is not digits or fails the Luhn check, `length` is not 12 to 19 digits. */
export type PanFault = 'number' | 'length';

export type ParsedPan =
  | { readonly pan: string; readonly fault?: undefined }
  | { readonly pan?: undefined; readonly fault: PanFault };

/** Reads a card number, also with single spaces or hyphens. A number that was cut short gets the fault `length`, not `luhn`. */
export function parsePan(text: string): ParsedPan {
  const pan = normalisePan(text);
  if (pan === undefined) return { fault: 'number' };
  if (pan.length < PAN_DIGITS_MIN || pan.length > PAN_DIGITS_MAX) return { fault: 'length' };
  return passesLuhn(pan) ? { pan } : { fault: 'number' };
}

/** Removes single spaces and hyphens between digits. `undefined` if the text contains anything else. */
export function normalisePan(text: string): string | undefined {
  if (/^\d*$/.test(text)) return text;
  return /^\d+(?:[ -]\d+)*$/.test(text) ? text.replace(/[ -]/g, '') : undefined;
}

/** ISO/IEC 7812-1, annex B. */
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

export function cardFunding(iin: string): CardType {
  return DEBIT_IINS.has(iin) ? 'DEBIT' : 'CREDIT';
}

export function iinOf(pan: string): string {
  return pan.slice(0, 6);
}

/** The first and last four digits with stars between: `4111********1111`. Up to eight digits become all stars. */
export function maskPan(pan: string): string {
  if (pan.length <= 8) return '*'.repeat(pan.length);
  return pan.slice(0, 4) + '*'.repeat(pan.length - 8) + pan.slice(-4);
}

/** At least 12 digits, with blanks or hyphens between them, in a text with plain digits. */
const DIGITS_IN_TEXT = String.raw`\d(?:[ \t\0-]{0,8}\d){11,}\0*`;
/** A number with a point or an exponent, such as `4.111111111111111e15`, or digits as above. */
const NUMBERS_IN_TEXT = new RegExp(
  String.raw`(?<![\d.])(\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+))(?!\d|\.\d)|${DIGITS_IN_TEXT}`,
  'gi',
);
/** An identifier, with hyphens or without. Digits in it that look like a card number are a coincidence. */
const IDENTIFIER =
  /(?<![a-z\d])((?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{32}|ch_[\da-f]{24})(?![a-z\d]))/gi;
const USUAL_LENGTHS: ReadonlySet<number> = new Set([15, 16]);

/** Masks all digits in a text that pass the Luhn check and are not part of an identifier. */
export function maskPans(text: string): string {
  return replacePans(text, PAN_DIGITS_MIN, maskPan);
}

/** Replaces every card number in a text that has at least `digitsMin` digits. `replace` receives it without separators. */
export function replacePans(text: string, digitsMin: number, replace: (pan: string) => string): string {
  const plain = normaliseDigits(text);
  if (plain === undefined) return text;
  let replaced = '';
  let copied = 0;
  let from = 0;
  // The odd items are identifiers.
  for (const [at, part] of plain.split(IDENTIFIER).entries()) {
    for (const { pan, start, end } of at % 2 === 0 ? findPans(part, digitsMin) : []) {
      const replacement = replace(pan);
      // A number that is not replaced keeps its separators.
      if (replacement === pan) continue;
      replaced += text.slice(copied, from + start) + replacement;
      copied = from + end;
    }
    from += part.length;
  }
  return replaced + text.slice(copied);
}

/** A card number in a text with plain digits, and its place. */
interface FoundPan {
  readonly pan: string;
  readonly start: number;
  readonly end: number;
}

function findPans(plain: string, digitsMin: number): FoundPan[] {
  return [...blankSeparators(plain).matchAll(NUMBERS_IN_TEXT)].flatMap(({ 0: number, 1: decimal, index }) => {
    const found =
      decimal === undefined ? findPansInRun(number, digitsMin) : findPansInDecimal(decimal, digitsMin);
    return found.map(({ pan, start, end }) => ({ pan, start: index + start, end: index + end }));
  });
}

/** A number with a fraction is not a card number. */
function findPansInDecimal(decimal: string, digitsMin: number): FoundPan[] {
  const pan = parseWholeDigits(decimal);
  if (pan === undefined) return [];
  if (isPan(pan, digitsMin)) return [{ pan, start: 0, end: decimal.length }];
  // In `4111111111111111e5` the digits before the exponent are a card number.
  const [digits = ''] = decimal.split(/[.e]/i, 1);
  return findPansInRun(digits, digitsMin);
}

export function isPan(digits: string, digitsMin = PAN_DIGITS_MIN): boolean {
  return digits.length >= digitsMin && digits.length <= PAN_DIGITS_MAX && passesLuhn(digits);
}

/** A run of digits may also contain an expiry, a Ccv or other numbers. */
function findPansInRun(run: string, digitsMin: number): FoundPan[] {
  const found: FoundPan[] = [];
  for (let start = 0; start < run.length; start++) {
    if (!isDigit(run.charCodeAt(start))) continue;
    const { panEnd, groupEnd } = findLongestPan(run, start, digitsMin);
    const pan = run.slice(start, panEnd).replaceAll(/\D/g, '');
    if (panEnd > 0)
      found.push({ pan, start, end: panEnd + (/^\0*/.exec(run.slice(panEnd))?.[0].length ?? 0) });
    start = panEnd || groupEnd;
  }
  return found;
}

/** The end of the longest card number that begins at `from`, or 0; and the end of the group of digits that begins there. */
function findLongestPan(run: string, from: number, digitsMin: number): { panEnd: number; groupEnd: number } {
  let panEnd = 0;
  let groupEnd = 0;
  let count = 0;
  // The Luhn sums of the digits read so far: as if the last one was the check digit, and as if another digit followed.
  let sum = 0;
  let other = 0;
  for (let at = from; at < run.length && (count < PAN_DIGITS_MAX || groupEnd === 0); at++) {
    const digit = run.charCodeAt(at) - DIGIT_ZERO;
    if (digit < 0) continue;
    const ending = other + digit;
    other = sum + (digit < 5 ? digit * 2 : digit * 2 - 9);
    sum = ending;
    count++;
    if (isDigit(run.charCodeAt(at + 1))) continue;
    groupEnd ||= at + 1;
    const apart = groupEnd === at + 1 || (from === 0 && at + 1 === run.length);
    const fits = apart
      ? count >= digitsMin && count <= PAN_DIGITS_MAX
      : // Groups in a longer run may pass the Luhn check by chance, so they must also have a usual length.
        USUAL_LENGTHS.has(count);
    if (fits && sum % 10 === 0) panEnd = at + 1;
  }
  return { panEnd, groupEnd };
}

/** Ours have 32 characters, or 36 with hyphens. */
const ID_SHOWN_MAX = 40;

export function shortenId(id: string): string {
  return shortenText(id, ID_SHOWN_MAX);
}

/** The beginning of a caller's text for a message. Card numbers are masked before it is cut. */
export function shortenText(text: string, max: number): string {
  return maskPans(text.slice(0, max + 2 * PAN_DIGITS_MAX)).slice(0, max);
}

export const CCV_DIGITS = 'must have three digits, or four for American Express';
export const CCV_MISFIT = `does not fit the card; it ${CCV_DIGITS}`;

export function acceptsCcv(scheme: string, ccv: string): boolean {
  return (scheme === 'AMEX' ? /^\d{4}$/ : /^\d{3}$/).test(ccv);
}

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}
