import { maskPans } from './card.js';

/** A key of the service where it does not belong; the short ones are those that the documents name. */
const KEY_IN_TEXT = /\b([sp]k_)(?:live_[\w-]+|test_[\w-]{8,})/g;

export function maskKeys(text: string): string {
  return text.includes('k_') ? text.replace(KEY_IN_TEXT, '$1***') : text;
}

/** A secret key as it is shown: a short one of the sandbox, such as the documents name, as it is; of any other its kind alone. */
export function shownKey(key: string): string {
  if (!key.startsWith('sk_test_')) return '***';
  return /^\w{9,15}$/.test(key) ? key : 'sk_***';
}

/** No text of a URL is longer: the repetitions of an expression are bounded, so that they fit on its stack. */
const SIGNS_MAX = 1024;
const COLON = String.raw`:|\\u003a`;
/** As they stand or as JSON spells them; a URL may have them turned round. */
const SLASH = String.raw`\/|\\(?!["u])|\\u00(?:2f|5c)`;
/** A URL may do without its slashes. */
const SCHEME = String.raw`\bhttps?(?:${COLON})(?:${SLASH}){0,${SIGNS_MAX}}(?!${SLASH})`;
/** Signs before a slash or the end of a text that take several characters, and the h that begins no further URL. */
const SIGN = String.raw`\\[^\\/u]|\\u(?!00(?:2f|5c))|(?!https?(?:${COLON})(?:\/|\\(?:[\\/]|u00(?:2f|5c))))h`;
const NAME = String.raw`(?:[^"\\/?#:h]|(?!${COLON})(?:${SIGN})){0,${SIGNS_MAX}}`;
const REST = String.raw`(?:[^"\\/?#h]+|${SIGN}){0,${SIGNS_MAX}}`;
/** A URL before its path, with a password or without: what was read is not read again, so the time is linear. */
const AUTHORITY = new RegExp(`(${SCHEME}${NAME})(?:${COLON})(${REST})`, 'gi');

/** A text with the password of every URL in it masked. */
export function maskPasswords(text: string): string {
  if (!text.includes('@') && !text.includes('\\u0040')) return text;
  let masked = '';
  let copied = 0;
  for (const { 0: whole, 1: before = '', 2: rest = '', index } of text.matchAll(AUTHORITY)) {
    // The last @ ends a password, whatever that holds.
    const end = Math.max(rest.lastIndexOf('@'), rest.lastIndexOf('\\u0040'));
    if (end <= 0) continue;
    masked += `${text.slice(copied, index)}${before}:***`;
    copied = index + whole.length - rest.length + end;
  }
  return masked + text.slice(copied);
}

/** A text with every card number, every key and the password of every URL in it masked. */
export function maskSecrets(text: string): string {
  return maskPasswords(maskKeys(maskPans(text)));
}
