import creditCardType from 'credit-card-type';

/** The longest pattern of a scheme has this many digits. */
const PREFIX_DIGITS = 8;

/** A range of prefixes that belongs to a scheme; `strength` is how many digits the pattern names. */
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
 * The patterns of credit-card-type by their first two digits, each stretched to eight digits. Asking the
 * package itself costs several microseconds a card, since it copies every scheme that matches.
 */
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

/** Of a prefix of {@link PREFIX_DIGITS} digits. */
function firstTwoDigits(prefix: number): number {
  return Math.floor(prefix / 1_000_000);
}

/**
 * The scheme of a pan of 12 to 19 digits, by its leading digits: `VISA`, `MASTERCARD`, `AMEX`, `DISCOVER`,
 * `DINERS`, `JCB`, `UNIONPAY`, `MAESTRO`…, or `UNKNOWN`. The results are those of the package
 * credit-card-type.
 */
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
