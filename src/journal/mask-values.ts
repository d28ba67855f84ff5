import { isPan, maskPan, replacePans } from '../core/cards/card.js';
import { parseWholeDigits } from '../core/cards/spelling.js';
import { mayHaveSecretField } from '../core/text/fields-in-text.js';
import { keepLetters } from '../core/text/secret-fields.js';
import { maskCredentials } from '../core/text/secrets.js';
import { isTestCard } from '../outcomes/magic.js';

/** Finds card numbers and keys by their values, in fields whose names do not show them. */

const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
/** Digits of other scripts have larger codes. */
const ASCII_MAX = 0x7f;

/** The caller's own texts, by their letters in lower case: names, references, addresses and the like. */
const OWN =
  /(?:^ref|reference|description|^metadata|name|^cardholder|email|phone|^address|^line|^city|^region|^state|^country|^postalcode|^postcode)$/;
/** Dates and times, such as `DateAdded`, `AddedAfter` and `ExpiresAt`. */
const DATES = /date|time|(?:after|before|since)$/;
/** A date and time without separators, or milliseconds since 1970. */
const COMPACT = /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{5,9}|1\d{12})$/;
/** A name that is `t`, or ends in `At`, `_at` or `-at`. */
const INSTANT = /(?:^|[a-z]A|_a|-a)t$/;

/** Whether a field is a text of the caller's own, in which digits mean something else than a card. */
export function isOwnText(name: string): boolean {
  return OWN.test(keepLetters(name));
}

/** Whether a field is a date without separators, or a number of milliseconds. */
export function isDate(name: string, text: string): boolean {
  return COMPACT.test(text) && (DATES.test(keepLetters(name)) || INSTANT.test(name));
}

/** The fewest and the most digits that are masked whatever the name of their field is. */
const DIGITS_MASKED_MIN = 13;
const DIGITS_MASKED_MAX = 19;
/** Masks the secrets, except published test cards, in the text of a field of any name. */
export function maskAnywhere(text: string): string {
  return standInAnywhere(text, maskUnpublished);
}

/** Replaces the card numbers in a text by those that a replay sends in their place. */
export function standInAnywhere(text: string, standIn: (pan: string) => string): string {
  return maskCredentials(replacePans(text, DIGITS_MASKED_MIN, standIn));
}

/** The masked text of a number that is a card number, or undefined. */
export function maskNumber(number: string): string | undefined {
  const digits = parseWholeDigits(number) ?? '';
  return isPan(digits, DIGITS_MASKED_MIN) && !isTestCard(digits) ? maskPan(digits) : undefined;
}

function maskUnpublished(pan: string): string {
  return isTestCard(pan) ? pan : maskPan(pan);
}

/** Whether a text of a plain field has a mask, and so a stand-in. */
export function hasMask(text: string): boolean {
  return text.includes('***');
}

/** Whether {@link maskAnywhere} may change a text, or it has a mask already. Fast, because it runs for each text that is shown. */
export function mayMask(text: string): boolean {
  return (
    hasMask(text) || text.includes('k_') || text.includes('@') || mayHavePan(text) || mayHaveSecretField(text)
  );
}

/** Looks at every 13th character: a card number has at least 13. */
function mayHavePan(text: string): boolean {
  for (let at = DIGITS_MASKED_MIN - 1; at < text.length; at += DIGITS_MASKED_MIN) {
    if (isLetter(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && !isLetter(text.charCodeAt(start - 1))) start--;
    let digits = 0;
    let foreign = 0;
    for (at = start; at < text.length && !isLetter(text.charCodeAt(at)); at++) {
      const code = text.charCodeAt(at);
      if (code > ASCII_MAX) foreign++;
      else if (code >= DIGIT_ZERO && code <= DIGIT_NINE) digits++;
    }
    if (mayBePan(digits + foreign, digits < at - start)) return true;
  }
  return false;
}

/** Whether a character cannot be part of a card number: a letter of ASCII. */
function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= LETTER_A && small <= LETTER_Z;
}

/** Whether so many digits may have a card number in them; many digits without a gap are an identifier. */
function mayBePan(digits: number, isGrouped: boolean): boolean {
  return digits >= DIGITS_MASKED_MIN && (isGrouped || digits <= DIGITS_MASKED_MAX);
}
