import { maskPans } from './card.js';

/** A key of the service where it does not belong; the short ones are those that the documents name. */
const KEY_IN_TEXT = /\b([sp]k_)(?:live_[\w-]+|test_[\w-]{8,})/g;

/** A text with every key in it masked. */
export function maskKeys(text: string): string {
  return text.includes('k_') ? text.replace(KEY_IN_TEXT, '$1***') : text;
}

/** A URL may do without its slashes, or have them turned round. */
const SCHEME = String.raw`\bhttps?(?::|\\u003a)(?:[\\/]|u002f|u005c)*`;
/** A sign before the host of a URL, as it stands or as JSON spells it: no slash, and no end of a text. */
const SIGN = String.raw`[^"\\/?#:]|\\[^\\/u]|\\u(?!00(?:2f|3a|5c))`;
const COLON = String.raw`:|\\u003a`;
const AT = String.raw`@|\\u0040`;
/** The last @ ends a password, whatever that holds. Neither it nor the name is longer than a text may be. */
const PASSWORD_IN_TEXT = new RegExp(
  `(${SCHEME}(?:${SIGN}){0,1024})(?:${COLON})(?:${SIGN}|${COLON}){1,1024}(${AT})`,
  'gi',
);

/** A text with the password of every URL in it masked. */
export function maskPasswords(text: string): string {
  const mayHoldOne = text.includes('@') || text.includes('\\u0040');
  return mayHoldOne ? text.replace(PASSWORD_IN_TEXT, '$1:***$2') : text;
}

/** A text with every card number, every key and the password of every URL in it masked. */
export function maskSecrets(text: string): string {
  return maskPasswords(maskKeys(maskPans(text)));
}
