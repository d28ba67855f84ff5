import fc from 'fast-check';

/** One of several kinds of values, each as often as its weight says. */
export const weighted = <T>(
  ...kinds: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> => fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
