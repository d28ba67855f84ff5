import { isMaskedAccount, maskAccount, parseAccount } from '../core/account.js';
import { maskPan, maskPans, normalisePan } from '../core/card.js';
import { maskKeys, maskPasswords } from '../core/secrets.js';

/** What stands for a secret. */
export const HIDDEN = '***';

/** What a member's name says of its value. */
export type Kind = 'plain' | 'card' | 'account' | 'ccv' | 'secret' | 'secrets' | 'object';

const LOWER_A = 0x61;
const LOWER_B = 0x62;
const LOWER_C = 0x63;
const LOWER_P = 0x70;
const LOWER_Z = 0x7a;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_S = 0x73;
const LOWER_V = 0x76;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
/** Makes a capital small, and no letter of what is none. */
const SMALL = 0x20;

/** Whether a name may be of another kind than plain, or a card number itself: its first and last letter tell. */
export function isSuspect(name: string): boolean {
  const first = name.charCodeAt(0) | SMALL;
  if (isLetter(first) && first !== LOWER_C && first !== LOWER_P && first !== LOWER_A && first !== LOWER_B) {
    return false;
  }
  const last = name.charCodeAt(name.length - 1) | SMALL;
  if (!isLetter(last)) return true;
  return last === LOWER_R || last === LOWER_N || last === LOWER_V || last === LOWER_C || last === LOWER_S;
}

/** The kind of a member, however its name is spelt: `Card_Number`, `CARD-NUMBER`, `cvv2`. */
export function kindOf(name: string): Kind {
  const first = name.charCodeAt(0) | SMALL;
  const any = !isLetter(first);
  if (any || first === LOWER_C) {
    if (spells(name, 'cardnumber')) return 'card';
    if (spells(name, 'ccv') || spells(name, 'cvv') || spells(name, 'cvc')) return 'ccv';
  }
  if (any || first === LOWER_A) {
    if (spells(name, 'authorization')) return 'secret';
    // What a provider asks for, such as a password.
    if (spells(name, 'authenticationparameters')) return 'secrets';
    if (spells(name, 'accountnumber')) return 'account';
  }
  // Who sends a text here may have put a card or an account into it.
  if ((any || first === LOWER_P) && spells(name, 'paymentinformation')) return 'object';
  return (any || first === LOWER_B) && spells(name, 'bankpaymentinformation') ? 'object' : 'plain';
}

/** Whether a member of a map of secrets is none: how long a dummy provider takes. */
export function isOpenParameter(name: string): boolean {
  return spells(name, 'minmilliseconds') || spells(name, 'maxmilliseconds');
}

/** Whether a name may be a card number that somebody put into the wrong place. */
export function isPanName(name: string): boolean {
  const first = name.charCodeAt(0);
  return name.length >= 12 && first >= DIGIT_ZERO && first <= DIGIT_NINE;
}

function isLetter(small: number): boolean {
  return small >= LOWER_A && small <= LOWER_Z;
}

/** Whether the letters of a name are those of a word in small letters, whatever else stands between them. */
function spells(name: string, word: string): boolean {
  let at = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i) | SMALL;
    if (!isLetter(code)) continue;
    if (code !== word.charCodeAt(at)) return false;
    at++;
  }
  return at === word.length;
}

/** What was masked before: it stays as it is. */
const MASKED = /^\d{0,6}\*+\d{0,4}$/;

/** The text of a card member without the number: anything but a number is hidden whole. */
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

/** What is shown of a member that is not plain. */
export function maskMember(kind: Kind, text: string): string {
  if (kind === 'card') return maskCard(text);
  return kind === 'account' ? maskAccountText(text) : HIDDEN;
}

/** A text that is no member, with card numbers, keys and passwords masked. */
export function maskText(text: string): string {
  return maskPasswords(maskKeys(mayHoldPan(text) ? maskPans(text) : text));
}

/** Whether a text has as many digits as the shortest card number: cheaper than looking for one. */
function mayHoldPan(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= DIGIT_ZERO && code <= DIGIT_NINE && ++digits === 12) return true;
  }
  return false;
}

/** A path as it was sent, unless that holds a card number or a key: then decoded, with these masked. */
export function maskPath(path: string): string {
  const decoded = path.includes('%') ? decode(path) : path;
  const masked = maskText(decoded);
  return masked === decoded ? path : masked;
}

/** A query with the values of card and Ccv members masked, and card numbers elsewhere. */
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
  return kind === 'plain' ? maskText(value) : maskMember(kind, value);
}

/** Whether a text is the beginning of a number that somebody searches for, too short to be masked at both ends. */
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

/** At most so many characters of a text, copied: a slice would keep the whole text in memory. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, max)));
}
