import { currencyExponent } from '../core/money.js';
import { isUuid } from '../core/text.js';
import { ALL_FEATURES, bareProviderId, type ProviderFeatures } from '../providers/record.js';
import { APPROVE, type Outcome, outcomeOfResponseCode } from './outcomes.js';

/** A provider that every sandbox has. */
export interface BuiltInProvider {
  /** 32 lower-case hex digits; for an id that nobody configured, the id as it was given. */
  readonly providerId: string;
  readonly name: 'steady' | 'amounts' | 'slow' | 'flaky' | 'down' | 'no-capture' | 'whole-capture';
  readonly type: 'dummy';
  /** One sentence for the documentation. */
  readonly behaviour: string;
  readonly features: ProviderFeatures;
}

/** The provider of the magic tokens. */
export const DEFAULT_PROVIDER_ID = '00000000000000000000000000000001';

/** Reserved for "unknown provider": 400 with code 39. */
export const RESERVED_PROVIDER_ID = '0000000000000000000000000000dead';

const STEADY: BuiltInProvider = {
  providerId: DEFAULT_PROVIDER_ID,
  name: 'steady',
  type: 'dummy',
  behaviour: 'approves, answers at once',
  features: ALL_FEATURES,
};

/** The built-in providers, in the order of their ids; any other well-formed id behaves like the first. */
export const BUILT_IN_PROVIDERS: readonly BuiltInProvider[] = [
  STEADY,
  {
    providerId: '00000000000000000000000000000002',
    name: 'amounts',
    type: 'dummy',
    behaviour:
      'the two decimals of the amount are the response code: 10.00 approves, 10.05 do_not_honor, 10.51 insufficient_funds, …',
    features: ALL_FEATURES,
  },
  {
    providerId: '00000000000000000000000000000003',
    name: 'slow',
    type: 'dummy',
    behaviour: 'lognormal delay, median 800 ms, seeded',
    features: ALL_FEATURES,
  },
  {
    providerId: '00000000000000000000000000000004',
    name: 'flaky',
    type: 'dummy',
    behaviour: 'every third call is provider_unavailable',
    features: ALL_FEATURES,
  },
  {
    providerId: '00000000000000000000000000000005',
    name: 'down',
    type: 'dummy',
    behaviour: 'always provider_unavailable',
    features: ALL_FEATURES,
  },
  {
    providerId: '00000000000000000000000000000006',
    name: 'no-capture',
    type: 'dummy',
    behaviour: 'refuses Capture false (code 71)',
    features: { ...ALL_FEATURES, authorise: false },
  },
  {
    providerId: '00000000000000000000000000000007',
    name: 'whole-capture',
    type: 'dummy',
    behaviour: 'refuses captures of less than the authorisation (code 78)',
    features: { ...ALL_FEATURES, partialCapture: false },
  },
];

// Both spellings of an id lead to its row. The ids hold no letters, so case cannot matter.
const PROVIDER_BY_SPELLING: ReadonlyMap<string, BuiltInProvider> = new Map(
  BUILT_IN_PROVIDERS.flatMap((provider) => [
    [provider.providerId, provider],
    [hyphenated(provider.providerId), provider],
  ]),
);

const RESERVED_SPELLINGS: ReadonlySet<string> = new Set([
  RESERVED_PROVIDER_ID,
  hyphenated(RESERVED_PROVIDER_ID),
]);

/** Whether the text is a ProviderId: 32 hex digits or a hyphenated UUID, in any case. */
export function isProviderId(text: string): boolean {
  return isUuid(text);
}

/** Whether the id is the one reserved for "unknown provider", in any spelling. */
export function isReservedProviderId(text: string): boolean {
  return RESERVED_SPELLINGS.has(text.toLowerCase());
}

/** The provider of a well-formed id; one that is not built in is a `steady` of that id. */
export function providerNamed(providerId: string): BuiltInProvider {
  return PROVIDER_BY_SPELLING.get(providerId) ?? { ...STEADY, providerId };
}

/** The built-in provider of an id, if it is one. */
export function builtInNamed(providerId: string): BuiltInProvider | undefined {
  return PROVIDER_BY_SPELLING.get(providerId);
}

/** The built-in provider whose behaviour an id has; unlike `providerNamed`, it makes no new object. */
export function builtInFor(providerId: string): BuiltInProvider {
  return PROVIDER_BY_SPELLING.get(providerId) ?? STEADY;
}

/** What the provider of a well-formed id is able to do. */
export function providerFeatures(providerId: string): ProviderFeatures {
  return builtInFor(providerId).features;
}

/**
 * The outcome of a charge at `amounts`: the two decimals are the issuer's response code.
 * A currency without exactly two decimals has no such code and approves.
 */
export function outcomeOfAmount(amountMinor: number | null, currency: string | null): Outcome {
  if (amountMinor === null || currency === null || currencyExponent(currency) !== 2) return APPROVE;
  return outcomeOfResponseCode(String(amountMinor % 100).padStart(2, '0'));
}

const SLOW_MEDIAN_MS = 800;
const SLOW_SIGMA = 0.5;
const SLOW_MS_MAX = 10_000;

/** The latency of `slow` in whole milliseconds: lognormal by Box-Muller, from two draws in [0, 1). */
export function slowLatencyMs(first: number, second: number): number {
  // 1 - first lies in (0, 1], so the logarithm is finite.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  return Math.min(SLOW_MS_MAX, Math.round(SLOW_MEDIAN_MS * Math.exp(SLOW_SIGMA * normal)));
}

function hyphenated(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');
}

/** Whether two well-formed ids name one provider: hyphens and case do not matter. */
export function sameProvider(a: string, b: string): boolean {
  return a === b || bareProviderId(a) === bareProviderId(b);
}
