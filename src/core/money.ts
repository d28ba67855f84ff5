import { data } from 'currency-codes';

/**
 * The largest amount, in major units of any currency: 999,999,999.99. A currency without decimals stops at
 * 999,999,999, one with three at 999,999,999.990.
 */
export const AMOUNT_MAX_MAJOR = 999_999_999.99;

/** Longer texts are malformed, whatever they contain, so that hostile input stays cheap. */
const AMOUNT_TEXT_MAX = 64;
/** Digits, optionally a point and more digits; no leading zero. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_ZERO = 0x30;

/**
 * ISO 4217 codes without a minor unit: precious metals, bond market units, units of account of international
 * bodies, testing, and "no currency". Charges in them are not possible, but the list of currencies gives them
 * zero digits, like the yen.
 */
const NOT_CHARGEABLE: ReadonlySet<string> = new Set(
  'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

/** What a currency must be, for messages. */
export const CURRENCY_CODE = 'an ISO 4217 code such as AUD';

const EXPONENTS: ReadonlyMap<string, number> = exponentsByCode();

function exponentsByCode(): Map<string, number> {
  const exponents = new Map<string, number>();
  for (const { code, digits } of data) {
    if (!NOT_CHARGEABLE.has(code)) exponents.set(code, digits);
  }
  return exponents;
}

/**
 * How many decimals a currency has by ISO 4217: JPY 0, AUD 2, BHD 3. `undefined` for anything but the
 * upper-case alphabetic code of a currency that can be charged.
 */
export function currencyExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/** The code of a currency that can be charged, from a text in any letter case. */
export function currencyCode(text: string): string | undefined {
  // toUpperCase turns some letters of other alphabets into ASCII letters.
  if (/[^A-Za-z]/.test(text)) return undefined;
  const code = text.toUpperCase();
  return EXPONENTS.has(code) ? code : undefined;
}

/** Amounts of several currencies are compared in units with 4 decimals, which no currency exceeds. */
export const UNIT_DECIMALS = 4;

/** An amount in units of 0.0001, whatever its currency. */
export function toUnits(amountMinor: number, currency: string): number {
  return amountMinor * 10 ** (UNIT_DECIMALS - (currencyExponent(currency) ?? 2));
}

/** Why an amount is refused. `not-positive` has its own error code, the others share one. */
export type AmountFault = 'malformed' | 'decimals' | 'too-large' | 'not-positive';

/**
 * Reads a decimal text such as `12`, `12.5` or `12.50` into integer minor units, or returns what is wrong with
 * it. Trailing zeros are not decimals: `20.0` is 20 yen. Never rounds.
 * @param exponent the decimals of the currency, see {@link currencyExponent}
 */
export function parseAmount(text: string, exponent: number): number | AmountFault {
  if (text.length > AMOUNT_TEXT_MAX || !DECIMAL.test(text)) return 'malformed';
  if (text.charCodeAt(0) === MINUS) return 'not-positive';

  let amountMinor = 0;
  let decimals = -1; // before the point
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      decimals = 0;
    } else if (decimals < exponent) {
      amountMinor = amountMinor * 10 + (code - DIGIT_ZERO);
      if (decimals >= 0) decimals++;
    } else if (code !== DIGIT_ZERO) {
      return 'decimals';
    }
  }
  for (let place = Math.max(decimals, 0); place < exponent; place++) amountMinor *= 10;

  // Sixty digits are no longer exact here, but still far above the maximum.
  if (amountMinor > amountMaxMinor(exponent)) return 'too-large';
  return amountMinor === 0 ? 'not-positive' : amountMinor;
}

/** {@link AMOUNT_MAX_MAJOR} in minor units: hundredths first, since those are exact. */
function amountMaxMinor(exponent: number): number {
  return Math.floor((Math.round(AMOUNT_MAX_MAJOR * 100) * 10 ** exponent) / 100);
}

/** Minor units as major units, which JSON writes without trailing zeros: 500 is `5`, 1550 is `15.5`. */
export function toMajor(amountMinor: number, exponent: number): number {
  return amountMinor / 10 ** exponent;
}

/** Minor units as exact decimal text without trailing zeros, for messages: 1550 of AUD is `15.5`. */
export function formatAmount(amountMinor: number, exponent: number): string {
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = digits.slice(digits.length - exponent).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

export function amountText(amountMinor: number, currency: string): string {
  return formatAmount(amountMinor, currencyExponent(currency) ?? 2);
}
