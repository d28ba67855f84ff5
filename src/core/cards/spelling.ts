/** How people and programs write a card number: digits of any script, blanks and dashes of any kind, a float. */

const BEYOND_ASCII = /[^\0-\x7F]/;
/** Characters beyond ASCII, as they are or as JSON escapes them. */
const FOREIGN = /\\u[\da-f]{4}|[^\0-\x7F]/giu;
/** Fills up a character that needed more room in the text as it was sent. */
const FILLER = '\0';
const MANY_DIGITS = /\d(?:[^\da-z]{0,8}\d){11}/i;
/** Up to three characters between groups. Letters, quotes and brackets end a number. */
const GAP = String.raw`([^\da-z"'\[\]{}]{1,3})`;
/** Groups as they are printed on cards, and as programs format large numbers. */
const PRINTED = new RegExp(
  String.raw`(?<!\d)(?:\d{4}${GAP}\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}${GAP}\d{6}\2\d{4,5}|\d{1,3}([.,'’_])\d{3}(?:\3\d{3}){3,5}|\d([._/])\d(?:\4\d){10,17})(?!\d)`,
  'gi',
);
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** More digits than any card has. */
const DIGITS_MAX = 32;

/** A text of the same length with ASCII digits, blanks and hyphens. Undefined if it has too few digits for a card number. */
export function normaliseDigits(text: string): string | undefined {
  const isForeign = BEYOND_ASCII.test(text) || text.includes('\\u');
  const plain = isForeign ? text.replaceAll(FOREIGN, normaliseCharacter) : text;
  return MANY_DIGITS.test(plain) ? plain : undefined;
}

/** Puts blanks between the groups of digits that something else separates, such as dots. */
export function blankSeparators(plain: string): string {
  return plain.replaceAll(PRINTED, (groups) => groups.replaceAll(/\D/g, ' '));
}

function normaliseCharacter(sent: string): string {
  const character = sent.startsWith('\\') ? String.fromCharCode(Number.parseInt(sent.slice(2), 16)) : sent;
  const folded = character.normalize('NFKC');
  let plain = sent;
  if (/^[ -~]$/.test(folded)) plain = folded;
  else if (/\p{Nd}/u.test(character)) plain = String(digitValue(character));
  else if (/[\p{Zs}\p{Cf}\p{M}\p{Pd}\u2212]/u.test(character)) plain = ' ';
  return plain.padEnd(sent.length, FILLER);
}

/** The ten digits of a script follow each other, and some scripts follow another. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value % 10;
}

/** The digits of a whole number, however it is written: 45 for `45.0` and `4.5e1`. Undefined if it has a fraction or is not a number. */
export function parseWholeDigits(text: string): string | undefined {
  const [found, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (found === undefined) return undefined;
  const digits = (whole + fraction).replace(/0+$/, '');
  const length = whole.length + Number(exponent);
  if (digits.length > length) return undefined;
  return digits.padEnd(Math.min(length, DIGITS_MAX), '0').replace(/^0+/, '');
}
