import type { ProviderState } from '../../src/outcomes/configured.js';
import type { ProviderOperation } from '../../src/outcomes/magic.js';
import type { ProviderCall } from '../../src/outcomes/provider.js';

export const OPERATIONS: ProviderOperation[] = [
  'charge.create',
  'charge.capture',
  'charge.void',
  'charge.refund',
  'card.tokenise',
  'card.store',
];

/** A steady provider is asked for an ordinary charge of 10.00 AUD, unless the test says otherwise. */
export function call(given: Partial<ProviderCall> = {}): ProviderCall {
  return {
    operation: 'charge.create',
    providerId: '00000000000000000000000000000001',
    configured: null,
    amountMinor: 1000,
    currency: 'AUD',
    trigger: null,
    override: null,
    ...given,
  };
}

/** Counters and draws as a world has them; every call of it is written down. */
export function providerState(seed = 1): ProviderState & { readonly asked: string[] } {
  const counters = new Map<string, number>();
  const asked: string[] = [];
  let words = seed;
  return {
    asked,
    next(counter) {
      asked.push(counter);
      const n = counters.get(counter) ?? 0;
      counters.set(counter, n + 1);
      return n;
    },
    draw(purpose) {
      asked.push(purpose);
      // mulberry32: small, and good enough to test a distribution with.
      words = (words + 0x6d2b79f5) | 0;
      let t = Math.imul(words ^ (words >>> 15), words | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
