import { maskPans } from '../core/cards/card.js';
import { lettersOf, maskSecret, secretKind } from '../core/text/secret-fields.js';
import { maskCredentials, maskKeys, maskSecrets } from '../core/text/secrets.js';
import { isDate, isOwnText, mayMask } from './values.js';

/** Whether a field in a map of secrets is not a secret: the latency of a dummy provider. */
export function isOpenParameter(name: string): boolean {
  return /^(?:min|max)milliseconds$/.test(lettersOf(name));
}

export function isVersion(name: string): boolean {
  return lettersOf(name) === 'version';
}

export function beginsWithDigit(name: string): boolean {
  return /^\d/.test(name);
}

/** Whether a name is a misplaced card number or key, or has one in it. */
export function isSecretName(name: string): boolean {
  return name.length >= 12 && (beginsWithDigit(name) || mayMask(name)) && maskName(name) !== name;
}

/** Masks the card numbers and keys in a name, also if letters are next to the digits. */
export function maskName(name: string): string {
  const masked = maskKeys(maskPans(name));
  return masked === name ? name.replaceAll(/\d{12,}/g, (digits) => '*'.repeat(digits.length)) : masked;
}

/** A path as it was sent. If it contains a card number or a key, the decoded path with these masked. */
export function maskPath(path: string): string {
  const plain = path.includes('%') ? decoded(path) : path;
  const masked = maskSecrets(plain);
  return masked === plain ? path : masked;
}

/** Masks the values of card and Ccv fields in a query, and card numbers elsewhere in it. */
export function maskQuery(query: string): string {
  return query === '' ? query : query.split('&').map(maskParameter).join('&');
}

function maskParameter(parameter: string): string {
  const mark = parameter.indexOf('=');
  const rawName = mark < 0 ? parameter : parameter.slice(0, mark);
  const name = decoded(rawName.replaceAll('+', ' '));
  const value = mark < 0 ? '' : decoded(parameter.slice(mark + 1).replaceAll('+', ' '));
  const maskedName = maskSecrets(name);
  const masked = value === '' ? value : maskValue(name, value);
  if (masked === value && maskedName === name) return parameter;
  return `${maskedName === name ? rawName : encodeURIComponent(maskedName)}=${encodeURIComponent(masked)}`;
}

function maskValue(name: string, value: string): string {
  const kind = secretKind(name);
  if (kind === 'card' && isBeginning(value)) return maskBeginning(value);
  if (kind !== undefined) return maskSecret(kind, value);
  return isOwnText(name) || isDate(name, value) ? maskCredentials(value) : maskSecrets(value);
}

/** Whether a searched text is the beginning of a card number, too short to be masked at both ends. */
function isBeginning(text: string): boolean {
  return /^\d{1,8}$/.test(text);
}

/** Keeps the scheme and the bank, which are not secret, so that a replayed search finds the same. */
function maskBeginning(digits: string): string {
  return digits.slice(0, 6).padEnd(digits.length, '*');
}

/** Decodes a text; returns it unchanged if that fails. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
