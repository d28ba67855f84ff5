/** The fewest and the most characters of an account number; an IBAN has at most 34 (ISO 13616). */
const ACCOUNT_LENGTH_MIN = 4;
const ACCOUNT_LENGTH_MAX = 34;
/** How many characters at its end stay readable in a masked number: our own choice. */
const ACCOUNT_SHOWN = 3;

const ACCOUNT = /^[\dA-Z](?:[ -]?[\dA-Z])*$/i;
const MASKED = /^\*+[\dA-Z]{3}$/;

/**
 * The bare letters and digits of an account number as a person writes it, with single blanks or hyphens between its
 * groups; letters in capitals. `undefined` for anything else.
 */
export function parseAccount(text: string): string | undefined {
  if (text.length > 2 * ACCOUNT_LENGTH_MAX || !ACCOUNT.test(text)) return undefined;
  const bare = text.replaceAll(/[ -]/g, '').toUpperCase();
  return bare.length >= ACCOUNT_LENGTH_MIN && bare.length <= ACCOUNT_LENGTH_MAX ? bare : undefined;
}

/** The last three characters of a bare account number, stars before: `******456`. */
export function maskAccount(account: string): string {
  return account.slice(-ACCOUNT_SHOWN).padStart(account.length, '*');
}

export function isMaskedAccount(text: string): boolean {
  return text.length <= ACCOUNT_LENGTH_MAX && MASKED.test(text);
}
