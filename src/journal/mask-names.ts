import { maskPans } from '../core/cards/card.js';
import { keepLetters, maskSecret, findSecretKind } from '../core/text/secret-fields.js';
import { maskCredentials, maskKeys, maskSecrets } from '../core/text/secrets.js';
import { isDate, isOwnText, mayMask } from './mask-values.js';

/** Whether a field in a map of secrets is not a secret: the latency of a dummy provider. */
export function isOpenParameter(name: string): boolean {
  return /^(?:min|max)milliseconds$/.test(keepLetters(name));
}

export function isVersionName(name: string): boolean {
  return keepLetters(name) === 'version';
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
  const plain = path.includes('%') ? decodeOrKeep(path) : path;
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
  const name = decodeOrKeep(rawName.replaceAll('+', ' '));
  const value = mark < 0 ? '' : decodeOrKeep(parameter.slice(mark + 1).replaceAll('+', ' '));
  const maskedName = maskSecrets(name);
  const masked = value === '' ? value : maskParameterValue(name, value);
  if (masked === value && maskedName === name) return parameter;
  return `${maskedName === name ? rawName : encodeURIComponent(maskedName)}=${encodeURIComponent(masked)}`;
}

function maskParameterValue(name: string, value: string): string {
  const kind = findSecretKind(name);
  if (kind === 'card' && isCardBeginning(value)) return maskCardBeginning(value);
  if (kind !== undefined) return maskSecret(kind, value);
  return isOwnText(name) || isDate(name, value) ? maskCredentials(value) : maskSecrets(value);
}

/** Whether a searched text is the beginning of a card number, too short to be masked at both ends. */
function isCardBeginning(text: string): boolean {
  return /^\d{1,8}$/.test(text);
}

/** Keeps the scheme and the bank, which are not secret, so that a replayed search finds the same. */
function maskCardBeginning(digits: string): string {
  return digits.slice(0, 6).padEnd(digits.length, '*');
}

/** Decodes a text; returns it unchanged if that fails. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
