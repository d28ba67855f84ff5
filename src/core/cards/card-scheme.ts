import creditCardType from 'credit-card-type';

/** The longest pattern of a scheme has this many digits. */
const PREFIX_DIGITS = 8;

/** All prefixes of {@link PREFIX_DIGITS} digits that match a pattern. */
interface PrefixRange {
  readonly from: number;
  readonly to: number;
  readonly strength: number;
  readonly scheme: string;
}

const SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
  ['american-express', 'AMEX'],
  ['diners-club', 'DINERS'],
]);

/**
 * The longest patterns first, and among equals the scheme that the package tries first. Calling the package for each card takes
 * several microseconds, because it copies each scheme that matches.
 */
const PREFIX_RANGES: readonly PrefixRange[] = creditCardType('')
  .flatMap(({ type, patterns }) => {
    const scheme = SCHEME_NAMES.get(type) ?? type.toUpperCase().replaceAll('-', '_');
    return patterns.map((pattern) => buildPrefixRange(pattern, scheme));
  })
  .toSorted((a, b) => b.strength - a.strength);

function buildPrefixRange(pattern: number | readonly number[], scheme: string): PrefixRange {
  const [low = 0, high = low] = typeof pattern === 'number' ? [pattern] : pattern;
  const strength = String(low).length;
  const unit = 10 ** (PREFIX_DIGITS - strength);
  return { from: low * unit, to: (high + 1) * unit - 1, strength, scheme };
}

const UNKNOWN_SCHEME = 'UNKNOWN';

/** Every scheme that {@link findCardScheme} finds. */
export const CARD_SCHEMES: readonly string[] = [
  ...new Set(PREFIX_RANGES.map(({ scheme }) => scheme)),
  UNKNOWN_SCHEME,
];

/** The scheme of a pan, as credit-card-type finds it: `VISA`, `MASTERCARD`, `AMEX`, `DINERS`, `UNIONPAY`…, or `UNKNOWN`. */
export function findCardScheme(pan: string): string {
  if (!/^\d{8}/.test(pan)) return UNKNOWN_SCHEME;
  const prefix = Number(pan.slice(0, PREFIX_DIGITS));
  return PREFIX_RANGES.find(({ from, to }) => from <= prefix && prefix <= to)?.scheme ?? UNKNOWN_SCHEME;
}
