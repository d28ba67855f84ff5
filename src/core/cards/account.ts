const ACCOUNT_LENGTH_MIN = 4;
/** The length of the longest IBAN (ISO 13616). */
const ACCOUNT_LENGTH_MAX = 34;
/** How many characters at the end of a masked number stay readable: our assumption. */
const ACCOUNT_SHOWN = 3;

const ACCOUNT = /^[\dA-Z](?:[ -]?[\dA-Z])*$/i;
export const MASKED_ACCOUNT = /^\*{1,31}[\dA-Z]{3}$/;

/** Removes single spaces and hyphens between groups, and makes letters upper case. `undefined` if it is no account number. */
export function parseAccount(text: string): string | undefined {
  if (text.length > 2 * ACCOUNT_LENGTH_MAX || !ACCOUNT.test(text)) return undefined;
  const bare = text.replaceAll(/[ -]/g, '').toUpperCase();
  return bare.length >= ACCOUNT_LENGTH_MIN && bare.length <= ACCOUNT_LENGTH_MAX ? bare : undefined;
}

/** Masks an account number without separators: `******456`. */
export function maskAccount(account: string): string {
  return account.slice(-ACCOUNT_SHOWN).padStart(account.length, '*');
}

export function isMaskedAccount(text: string): boolean {
  return MASKED_ACCOUNT.test(text);
}
