import { isMaskedAccount, maskAccount, parseAccount } from '../core/account.js';
import { maskPan, maskPans, normalisePan } from '../core/card.js';
import { maskKeys, maskPasswords } from '../core/secrets.js';

/** What stands for a secret. */
export const HIDDEN = '***';

/** What a field's name says of its value. */
export type Kind = 'plain' | 'card' | 'account' | 'ccv' | 'secret' | 'secrets' | 'object';

/** By the letters of a name, in small ones. */
const KINDS: readonly (readonly [letters: string, kind: Kind])[] = [
  ['cardnumber', 'card'],
  ['accountnumber', 'account'],
  ['ccv', 'ccv'],
  ['cvv', 'ccv'],
  ['cvc', 'ccv'],
  ['authorization', 'secret'],
  // What a provider asks for, such as a password.
  ['authenticationparameters', 'secrets'],
  // Who sends a text here may have put a card or an account into it.
  ['paymentinformation', 'object'],
  ['bankpaymentinformation', 'object'],
];

const LOWER_A = 0x61;
const ALPHABET_LENGTH = 26;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
/** Makes a capital small, and no letter of what is none. */
const SMALL = 0x20;

/** Some letters of the alphabet as the bits of a number. */
function bitsOf(letters: readonly string[]): number {
  return letters.reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - LOWER_A)), 0);
}

const FIRST_LETTERS = bitsOf(KINDS.map(([letters]) => letters.slice(0, 1)));
const LAST_LETTERS = bitsOf(KINDS.map(([letters]) => letters.slice(-1)));

/** The kind of a field, however its name is written: `Card_Number`, `CARD-NUMBER`, `cvv2`. */
export function kindOf(name: string): Kind {
  // Every field of every call comes by here, and hardly one needs a closer look.
  if (!mayStand(name.charCodeAt(0), FIRST_LETTERS)) return 'plain';
  if (!mayStand(name.charCodeAt(name.length - 1), LAST_LETTERS)) return 'plain';
  for (const [letters, kind] of KINDS) if (hasLetters(name, letters)) return kind;
  return 'plain';
}

/** Whether a sign is one of some letters, or none at all. */
function mayStand(code: number, letters: number): boolean {
  const place = placeOf(code);
  return place < 0 || ((letters >> place) & 1) === 1;
}

/** The place of a letter in the alphabet, from 0; -1 of any other sign. */
function placeOf(code: number): number {
  const place = (code | SMALL) - LOWER_A;
  return place < ALPHABET_LENGTH ? place : -1;
}

/** Whether the letters of a name are these small ones, whatever else stands between them. */
function hasLetters(name: string, letters: string): boolean {
  let at = 0;
  for (let i = 0; i < name.length; i++) {
    const place = placeOf(name.charCodeAt(i));
    if (place < 0) continue;
    if (place !== letters.charCodeAt(at) - LOWER_A) return false;
    at++;
  }
  return at === letters.length;
}

/** Whether a field of a map of secrets is none: how long a dummy provider takes. */
export function isOpenParameter(name: string): boolean {
  return hasLetters(name, 'minmilliseconds') || hasLetters(name, 'maxmilliseconds');
}

export function beginsWithDigit(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= DIGIT_ZERO && first <= DIGIT_NINE;
}

/** Whether a name may be a misplaced card number. */
export function isPanName(name: string): boolean {
  return name.length >= 12 && beginsWithDigit(name);
}

/** What was masked before: it stays as it is. */
const MASKED = /^\d{0,6}\*+\d{0,4}$/;

/** The text of a card field without the number: anything but a number is hidden whole. */
function maskCard(text: string): string {
  const pan = normalisePan(text);
  if (pan !== undefined) return maskPan(pan);
  return MASKED.test(text) ? text : HIDDEN;
}

/** The text of a bank account's number, likewise. */
function maskAccountText(text: string): string {
  const account = parseAccount(text);
  if (account !== undefined) return maskAccount(account);
  return isMaskedAccount(text) ? text : HIDDEN;
}

/** What is shown of a field that is not plain. */
export function maskSecret(kind: Kind, text: string): string {
  if (kind === 'card') return maskCard(text);
  return kind === 'account' ? maskAccountText(text) : HIDDEN;
}

/** A text of no known kind, with card numbers, keys and passwords masked. */
export function maskText(text: string): string {
  return maskPasswords(maskKeys(maskPans(text)));
}

/** A path as it was sent, unless that holds a card number or a key: then decoded, with these masked. */
export function maskPath(path: string): string {
  const decoded = path.includes('%') ? decode(path) : path;
  const masked = maskText(decoded);
  return masked === decoded ? path : masked;
}

/** A query with the values of card and Ccv fields masked, and card numbers elsewhere. */
export function maskQuery(query: string): string {
  return query === '' ? query : query.split('&').map(maskParameter).join('&');
}

function maskParameter(parameter: string): string {
  const mark = parameter.indexOf('=');
  const rawName = mark < 0 ? parameter : parameter.slice(0, mark);
  const name = decode(rawName.replaceAll('+', ' '));
  const value = mark < 0 ? '' : decode(parameter.slice(mark + 1).replaceAll('+', ' '));
  const maskedName = maskText(name);
  const masked = value === '' ? value : maskValue(kindOf(name), value);
  if (masked === value && maskedName === name) return parameter;
  return `${maskedName === name ? rawName : encodeURIComponent(maskedName)}=${encodeURIComponent(masked)}`;
}

function maskValue(kind: Kind, value: string): string {
  if (kind === 'card' && isBeginning(value)) return maskBeginning(value);
  return kind === 'plain' ? maskText(value) : maskSecret(kind, value);
}

/** Whether a searched text is the beginning of a card number, too short to be masked at both ends. */
function isBeginning(text: string): boolean {
  return /^\d{1,8}$/.test(text);
}

/** The scheme and the bank are no secret, and the search must find the same when it is played again. */
function maskBeginning(digits: string): string {
  return digits.slice(0, 6).padEnd(digits.length, '*');
}

/** What cannot be decoded stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
