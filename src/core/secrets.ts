import { maskPans } from './card.js';

/** A key of the service where it does not belong; the short ones are those that the documents name. */
const KEY_IN_TEXT = /\b([sp]k_)(?:live_[\w-]+|test_[\w-]{8,})/g;

/** A text with every key in it masked. */
export function maskKeys(text: string): string {
  return text.includes('k_') ? text.replace(KEY_IN_TEXT, '$1***') : text;
}

/** A text with every card number and every key in it masked. */
export function maskSecrets(text: string): string {
  return maskKeys(maskPans(text));
}
