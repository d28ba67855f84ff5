/** The minimum and maximum length of an account number. An IBAN has at most 34 characters (ISO 13616). */
const ACCOUNT_LENGTH_MIN = 4;
const ACCOUNT_LENGTH_MAX = 34;
/** How many characters at the end of a masked number stay readable: our own choice. */
const ACCOUNT_SHOWN = 3;

const ACCOUNT = /^[\dA-Z](?:[ -]?[\dA-Z])*$/i;
const MASKED = /^\*+[\dA-Z]{3}$/;

/**
 * The letters, in upper case, and digits of an account number that may have single spaces or hyphens between groups.
 * `undefined` for anything else.
 */
export function parseAccount(text: string): string | undefined {
  if (text.length > 2 * ACCOUNT_LENGTH_MAX || !ACCOUNT.test(text)) return undefined;
  const bare = text.replaceAll(/[ -]/g, '').toUpperCase();
  return bare.length >= ACCOUNT_LENGTH_MIN && bare.length <= ACCOUNT_LENGTH_MAX ? bare : undefined;
}

/** Stars and the last three characters of a bare account number: `******456`. */
export function maskAccount(account: string): string {
  return account.slice(-ACCOUNT_SHOWN).padStart(account.length, '*');
}

export function isMaskedAccount(text: string): boolean {
  return text.length <= ACCOUNT_LENGTH_MAX && MASKED.test(text);
}
