import { data } from 'currency-codes';

/** The largest amount in major units, whatever the decimals of the currency. */
export const AMOUNT_MAX_MAJOR = 999_999_999.99;

/** Longer texts are malformed, whatever they contain, so that hostile input stays cheap. */
const AMOUNT_TEXT_MAX = 64;
/** Digits, optionally a point and more digits; no leading zero. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A decimal with an exponent of one or two digits. In a query that is not encoded, its plus arrives as a space. */
const SCIENTIFIC = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?E([+ -]?)(\d{1,2})$/i;

const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_ZERO = 0x30;

/** ISO 4217 codes without a minor unit, such as precious metals. The package says that they have no decimals, like the yen. */
const NOT_CHARGEABLE: ReadonlySet<string> = new Set(
  'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

export const CURRENCY_CODE = 'an ISO 4217 code such as AUD';

/** Amendments of ISO 4217 after the list of the package, which is of 2024-06-25. A code that was withdrawn stays. */
const AMENDMENTS: typeof data = [
  // Amendment 176, from 2025-03-31, in place of ANG.
  {
    code: 'XCG',
    number: '532',
    digits: 2,
    currency: 'Caribbean Guilder',
    countries: ['Curaçao', 'Sint Maarten'],
  },
  // Amendment 179, from 2025-05-12.
  { code: 'XAD', number: '396', digits: 2, currency: 'Arab Accounting Dinar', countries: [] },
];

/** The currencies that can be charged. */
export const CURRENCIES = [...data, ...AMENDMENTS]
  .filter(({ code }) => !NOT_CHARGEABLE.has(code))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1));

const EXPONENTS: ReadonlyMap<string, number> = new Map(CURRENCIES.map(({ code, digits }) => [code, digits]));

/** The upper-case codes of all currencies that can be charged. */
export const CURRENCY_CODES: readonly string[] = [...EXPONENTS.keys()];

/** How many decimals a currency has: JPY 0, AUD 2, BHD 3. `undefined` unless it is the upper-case code of one that can be charged. */
export function currencyExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/** The code of a currency that can be charged, from a text in any letter case. */
export function parseCurrency(text: string): string | undefined {
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

/** A decimal without its exponent, as Java prints 100 without its zeros: `1E+2` is `100`. Returns any other text as it is. */
export function expandExponent(text: string): string {
  if (text.length > AMOUNT_TEXT_MAX) return text;
  const [, minus, whole = '', decimals = '', sign, exponent] = SCIENTIFIC.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + decimals;
  const point = whole.length + (sign === '-' ? -Number(exponent) : Number(exponent));
  const before =
    digits
      .slice(0, Math.max(point, 0))
      .padEnd(point, '0')
      .replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(Math.max(point, 0)).padStart(digits.length - point, '0');
  return `${minus}${before}${after === '' ? '' : `.${after}`}`;
}

/** {@link AMOUNT_MAX_MAJOR} in minor units: hundredths first, since those are exact. */
function amountMaxMinor(exponent: number): number {
  return Math.floor((Math.round(AMOUNT_MAX_MAJOR * 100) * 10 ** exponent) / 100);
}

export function toMajor(amountMinor: number, exponent: number): number {
  return amountMinor / 10 ** exponent;
}

/** The amount in major units for messages, without trailing zeros: 1550 of AUD is `15.5`. */
export function formatAmount(amountMinor: number, currency: string): string {
  return String(toMajor(amountMinor, currencyExponent(currency) ?? 2));
}
