import { maskPans } from '../cards/card.js';
import { maskFieldsInText } from './fields-in-text.js';

/** Short test keys are in the documentation and stay readable. */
const KEY_IN_TEXT = /\b([sp]k_)(?:live_[\w-]+|test_[\w-]{8,})/g;

export function maskKeys(text: string): string {
  return text.includes('k_') ? text.replace(KEY_IN_TEXT, '$1***') : text;
}

/** Masks a secret key, unless it is a short test key. */
export function maskKey(key: string): string {
  if (!key.startsWith('sk_test_')) return '***';
  return /^\w{9,15}$/.test(key) ? key : 'sk_***';
}

/** Bounds the repetitions of the expressions below, so that they do not overflow the stack. */
const SIGNS_MAX = 1024;
const COLON = String.raw`:|\\u003a`;
/** Slashes, which JSON may escape, and backslashes, which URLs may have instead. */
const SLASH = String.raw`\/|\\(?!["u])|\\u00(?:2f|5c)`;
/** A URL may lack its slashes. */
const SCHEME = String.raw`\bhttps?(?:${COLON})(?:${SLASH}){0,${SIGNS_MAX}}(?!${SLASH})`;
/** Escapes, which take several characters, and an h that does not begin another URL. */
const SIGN = String.raw`\\[^\\/u]|\\u(?!00(?:2f|5c))|(?!https?(?:${COLON})(?:\/|\\(?:[\\/]|u00(?:2f|5c))))h`;
const NAME = String.raw`(?:[^"\\/?#:h]|(?!${COLON})(?:${SIGN})){0,${SIGNS_MAX}}`;
const REST = String.raw`(?:[^"\\/?#h]+|${SIGN}){0,${SIGNS_MAX}}`;
/** A URL up to its path, with or without a password. It never backtracks, so the time is linear. */
const AUTHORITY = new RegExp(`(${SCHEME}${NAME})(?:${COLON})(${REST})`, 'gi');

export function maskPasswords(text: string): string {
  if (!text.includes('@') && !text.includes('\\u0040')) return text;
  let masked = '';
  let copied = 0;
  for (const { 0: whole, 1: before = '', 2: rest = '', index } of text.matchAll(AUTHORITY)) {
    // The last @ ends the password, which may contain others.
    const end = Math.max(rest.lastIndexOf('@'), rest.lastIndexOf('\\u0040'));
    if (end <= 0) continue;
    masked += `${text.slice(copied, index)}${before}:***`;
    copied = index + whole.length - rest.length + end;
  }
  return masked + text.slice(copied);
}

/** Masks keys, passwords in URLs and secret fields, but no card numbers that have no name. */
export function maskCredentials(text: string): string {
  return maskPasswords(maskFieldsInText(maskKeys(text)));
}

export function maskSecrets(text: string): string {
  return maskCredentials(maskPans(text));
}

/** Masks a report of the program about itself, such as a stack. */
export function maskReport(text: string): string {
  return maskFieldsInText(maskSecrets(text), true);
}
