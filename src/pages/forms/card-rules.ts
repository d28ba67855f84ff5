/** The checks of a card form before it sends. Only the server knows whether a card has expired: that depends on the world's clock. */

export function removeSpacing(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

/** Only American Express numbers begin with 34 or 37. They are grouped 4-6-5, and their security code has four digits. */
function isAmex(digits: string): boolean {
  return /^3[47]/.test(digits);
}

export function groupCardNumber(text: string): string {
  const digits = removeSpacing(text).slice(0, 19);
  if (!/^\d*$/.test(digits)) return text;
  const groups = isAmex(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
    : (digits.match(/.{1,4}/g) ?? []);
  return groups.filter((group) => group !== '').join(' ');
}

/** An expiry date such as `1230` or `12 / 2030` as MM/YY. Any other text is unchanged. */
export function normaliseExpiry(text: string): string {
  const [, month, year] = /^\s*(\d{1,2})\s*[/-]?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  return month === undefined || year === undefined ? text.trim() : `${month.padStart(2, '0')}/${year}`;
}

/** The mistake in a card number; null if there is none. */
export function numberMistake(text: string): string | null {
  const digits = removeSpacing(text);
  if (digits === '') return 'Enter the card number.';
  if (!/^\d+$/.test(digits)) return 'A card number has only digits.';
  if (digits.length < 12) return 'The card number is too short.';
  if (digits.length > 19) return 'The card number is too long.';
  return passesLuhn(digits) ? null : 'Check the card number: a digit is wrong or missing.';
}

/** The mistake in an expiry date; null if there is none. */
export function expiryMistake(text: string): string | null {
  if (text.trim() === '') return 'Enter the expiry date.';
  return /^(?:0[1-9]|1[0-2])\/\d{2}$/.test(normaliseExpiry(text))
    ? null
    : 'Enter month and year as MM/YY, for example 10/30.';
}

/** The mistake in a security code, which is optional; null if there is none. */
export function ccvMistake(text: string, number: string): string | null {
  const code = text.trim();
  const length = isAmex(removeSpacing(number)) ? 4 : 3;
  if (code === '' || (/^\d+$/.test(code) && code.length === length)) return null;
  return `The security code must have ${length} digits.`;
}

/** The mistake in an amount; null if there is none. The server checks the number of decimals. */
export function amountMistake(text: string): string | null {
  if (text.trim() === '') return 'Enter the amount.';
  return /^\d+(?:\.\d+)?$/.test(text.trim()) && /[1-9]/.test(text) ? null : 'Enter an amount such as 15.50.';
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
