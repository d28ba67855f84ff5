import { currencyExponent, toMajor } from '../../core/money.js';

/** An amount for people, with all decimals of its currency: AUD 15.50. */
export function amountText(amountMinor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 0;
  return `${currency} ${toMajor(amountMinor, exponent).toFixed(exponent)}`;
}
