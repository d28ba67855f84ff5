/** What the specification's tables say, written down once more: nothing here comes from the sources. */

/** How many decimals the currencies have. */
export const EXPONENTS: Readonly<Record<string, number>> = { AUD: 2, USD: 2, JPY: 0, BHD: 3 };

export const SECOND = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The error code of each outcome; null: approved. */
export const OUTCOMES: Readonly<Record<string, number | null>> = {
  approve: null,
  unmapped: 1,
  do_not_honor: 905,
  insufficient_funds: 15,
  incorrect_ccv: 6,
  expired_card: 14,
  processing_error: 996,
  refer_to_card_issuer: 901,
  lost_card: 941,
  tokenise_error: 42,
  unable_to_capture: 47,
  unable_to_void: 48,
  unable_to_refund: 45,
  provider_unavailable: 34,
  retry_later: 37,
  gateway_timeout: 80,
  require_3ds: 113,
};

/** What is asked of a provider. */
export type Asked = 'charge' | 'capture' | 'void' | 'refund' | 'store';

/** Test cards and accounts with an effect. What one does not name is approved when it is charged or stored. */
export const EFFECTS: Readonly<Record<string, Readonly<Partial<Record<Asked, string>>>>> = {
  '4000000000000010': { charge: 'unmapped' },
  '4000000000000002': { charge: 'do_not_honor' },
  '4000000000009995': { charge: 'insufficient_funds' },
  '4000000000000127': { charge: 'incorrect_ccv', store: 'incorrect_ccv' },
  '4000000000000424': { store: 'tokenise_error' },
  '4000000000000101': {},
  '4000000000000473': { capture: 'unable_to_capture' },
  '4000000000000481': { void: 'unable_to_void' },
  '4000000000000457': { refund: 'unable_to_refund' },
  '4000000000005027': { charge: 'provider_unavailable' },
  '4000000000005043': { charge: 'gateway_timeout' },
  '4000000000000374': { charge: 'retry_later' },
  '4000000000001133': { charge: 'require_3ds' },
  '4000000000002701': { charge: 'require_3ds' },
  '4000000000002925': { charge: 'require_3ds' },
  // Its row decides, so it is accepted, and fails only when it settles.
  '000009995': {},
  '000000002': { charge: 'do_not_honor' },
};

export const AMEX = '378282246310005';
/** Cards that approve; the last one is no published test card. */
export const GOOD_CARDS = ['4242424242424242', '5555555555554444', AMEX, '4012888888881881'];
export const CARDS = [...GOOD_CARDS, ...Object.keys(EFFECTS).filter((name) => name.length === 16)];
/** Cards that are charged only after 3-D Secure. */
export const DEMANDING_CARDS = ['4000000000001133', '4000000000002701', '4000000000002925'];
/** The second one is declined; the third one fails when it settles. */
export const ACCOUNTS = ['000123456', '000000002', '000009995'];
export const TOKENS = [
  'tok_approve',
  'tok_require_3ds',
  'tok_insufficient_funds',
  'tok_used',
  'tok_nonsense',
];

export const PROVIDER = {
  steady: '00000000000000000000000000000001',
  amounts: '00000000000000000000000000000002',
  flaky: '00000000000000000000000000000004',
  down: '00000000000000000000000000000005',
  noCapture: '00000000000000000000000000000006',
  wholeCapture: '00000000000000000000000000000007',
  unheardOf: 'c0ffee00000000000000000000000000',
  reserved: '0000000000000000000000000000dead',
  malformed: '123',
} as const;

/** The provider `amounts`: the decimals are the response code, and one without a row approves. */
export const AMOUNT_OUTCOMES: Readonly<Record<string, string>> = {
  '01': 'refer_to_card_issuer',
  '05': 'do_not_honor',
  '41': 'lost_card',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '96': 'processing_error',
};

export const AUTHORISATION_TTL = 7 * DAY;

/** An amount in minor units, or the code with which it is refused: 74 for zero and below, else 2. */
export function readAmount(text: string, exponent: number): { minor: number } | { code: number } {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return { code: 2 };
  if (text.startsWith('-')) return { code: 74 };
  const [whole = '', fraction = ''] = text.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > exponent) return { code: 2 };
  const minor = BigInt(whole + decimals.padEnd(exponent, '0'));
  if (minor * 100n > 99_999_999_999n * 10n ** BigInt(exponent)) return { code: 2 };
  return minor === 0n ? { code: 74 } : { minor: Number(minor) };
}

/** Minor units as the decimal text that a caller would write. */
export function formatMinor(minor: number, currency: string): string {
  const exponent = EXPONENTS[currency] ?? 2;
  return exponent === 0 ? String(minor) : (minor / 10 ** exponent).toFixed(exponent);
}

/** Whether a card's month MM/YY is over. */
export function isOver(expiry: string, now: number): boolean {
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  return now >= Date.UTC(2000 + year, month, 1);
}
