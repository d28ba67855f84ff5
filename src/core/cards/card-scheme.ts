import creditCardType from 'credit-card-type';

/** The longest pattern of a scheme has this many digits. */
const PREFIX_DIGITS = 8;

/** All prefixes of {@link PREFIX_DIGITS} digits that match a pattern. */
interface PrefixRange {
  readonly from: number;
  readonly to: number;
  /** How many digits the pattern has. */
  readonly strength: number;
  readonly scheme: string;
}

const SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
  ['american-express', 'AMEX'],
  ['diners-club', 'DINERS'],
]);

/** Indexed by the first two digits. Calling credit-card-type takes several microseconds, because it copies each scheme that matches. */
const RANGES_BY_FIRST_DIGITS: readonly (readonly PrefixRange[])[] = rangesByFirstDigits();

function rangesByFirstDigits(): PrefixRange[][] {
  const buckets: PrefixRange[][] = Array.from({ length: 100 }, () => []);
  // For an empty number, the package returns all schemes in the order in which it tries them.
  for (const { type, patterns } of creditCardType('')) {
    const scheme = SCHEME_NAMES.get(type) ?? type.toUpperCase().replaceAll('-', '_');
    for (const pattern of patterns) {
      const range = prefixRange(pattern, scheme);
      const last = firstTwoDigits(range.to);
      for (let digits = firstTwoDigits(range.from); digits <= last; digits++) buckets[digits]?.push(range);
    }
  }
  return buckets;
}

function prefixRange(pattern: number | readonly number[], scheme: string): PrefixRange {
  const [low = 0, high = low] = typeof pattern === 'number' ? [pattern] : pattern;
  const strength = String(low).length;
  const unit = 10 ** (PREFIX_DIGITS - strength);
  return { from: low * unit, to: (high + 1) * unit - 1, strength, scheme };
}

function firstTwoDigits(prefix: number): number {
  return Math.floor(prefix / 1_000_000);
}

/** The scheme of a pan, as credit-card-type finds it: `VISA`, `MASTERCARD`, `AMEX`, `DINERS`, `UNIONPAY`…, or `UNKNOWN`. */
export function cardScheme(pan: string): string {
  const [digits] = /^\d{8}/.exec(pan) ?? [];
  if (digits === undefined) return 'UNKNOWN';

  const prefix = Number(digits);
  let scheme = 'UNKNOWN';
  let strength = 0;
  for (const range of RANGES_BY_FIRST_DIGITS[firstTwoDigits(prefix)] ?? []) {
    if (prefix < range.from || prefix > range.to) continue;
    // The longest pattern wins, and among equals the scheme that is tried first.
    if (range.strength <= strength) continue;
    scheme = range.scheme;
    strength = range.strength;
  }
  return scheme;
}
