import { type DelaySpec, drawDelay } from '../core/time/delay.js';
import { currencyExponent } from '../core/money.js';
import { ALL_FEATURES, bareProviderId, type ProviderFeatures } from '../records/provider.js';
import { APPROVE, type Outcome, outcomeOfResponseCode } from './outcomes.js';

export interface BuiltInProvider {
  readonly providerId: string;
  readonly name: 'steady' | 'amounts' | 'slow' | 'flaky' | 'down' | 'no-capture' | 'whole-capture';
  readonly type: 'dummy';
  /** One sentence for the documentation. */
  readonly behaviour: string;
  readonly features: ProviderFeatures;
}

/** The provider of the magic tokens, which approves everything. */
export const DEFAULT_PROVIDER_ID = '00000000000000000000000000000001';

/** Reserved for "unknown provider": 400 with code 39. */
export const RESERVED_PROVIDER_ID = '0000000000000000000000000000dead';

const STEADY = buildProvider(1, 'steady', 'approves everything at once');

/** Any other well-formed id behaves like the first. */
export const BUILT_IN_PROVIDERS: readonly BuiltInProvider[] = [
  STEADY,
  buildProvider(
    2,
    'amounts',
    'the two decimals of the amount are the response code: 10.00 is approved, 10.05 is do_not_honor, 10.51 is insufficient_funds, …',
  ),
  buildProvider(3, 'slow', 'answers after a log-normal delay with a median of 800 ms, drawn from the seed'),
  buildProvider(4, 'flaky', 'every third call is provider_unavailable'),
  buildProvider(5, 'down', 'every call is provider_unavailable'),
  buildProvider(6, 'no-capture', 'refuses Capture false (code 71)', { authorise: false }),
  buildProvider(7, 'whole-capture', 'refuses captures of less than the authorisation (code 78)', {
    partialCapture: false,
  }),
];

function buildProvider(
  number: number,
  name: BuiltInProvider['name'],
  behaviour: string,
  lacks: Partial<ProviderFeatures> = {},
): BuiltInProvider {
  const providerId = String(number).padStart(32, '0');
  return { providerId, name, type: 'dummy', behaviour, features: { ...ALL_FEATURES, ...lacks } };
}

const UUID_LENGTH = 36;

const BUILT_IN_BY_ID: ReadonlyMap<string, BuiltInProvider> = new Map(
  BUILT_IN_PROVIDERS.map((provider) => [provider.providerId, provider]),
);

/** Whether the id is the one reserved for "unknown provider", in any spelling. */
export function isReservedProviderId(text: string): boolean {
  return isSameProvider(text, RESERVED_PROVIDER_ID);
}

export function findBuiltIn(providerId: string): BuiltInProvider | undefined {
  // Built-in ids have no letters, so only the hyphens of a UUID differ.
  return BUILT_IN_BY_ID.get(providerId.length === UUID_LENGTH ? bareProviderId(providerId) : providerId);
}

/** The built-in provider that a well-formed id behaves like: `steady` for every unknown id. */
export function builtInOrSteady(providerId: string): BuiltInProvider {
  return findBuiltIn(providerId) ?? STEADY;
}

/** The outcome of a charge at `amounts`: the issuer's code in its two decimals. Currencies without exactly two approve. */
export function outcomeOfAmount(amountMinor: number | null, currency: string | null): Outcome {
  if (amountMinor === null || currency === null || currencyExponent(currency) !== 2) return APPROVE;
  return outcomeOfResponseCode(String(amountMinor % 100).padStart(2, '0'));
}

const SLOW: DelaySpec = { kind: 'lognormal', medianMs: 800, sigma: 0.5 };
const SLOW_MS_MAX = 10_000;

export function drawSlowLatency(draw: () => number): number {
  return Math.min(SLOW_MS_MAX, drawDelay(SLOW, draw));
}

/** Whether two well-formed ids are the same provider: hyphens and case do not matter. */
export function isSameProvider(a: string, b: string): boolean {
  return a === b || bareProviderId(a) === bareProviderId(b);
}
