import { describe, expect, test } from 'vitest';

import { DELAY_MS_MAX, drawDelay, type DelaySpec } from '../../../src/core/time/delay.js';

/** Gives these numbers one after the other, and then no more. */
function drawing(...numbers: number[]) {
  const draw = () => numbers.shift() ?? expect.fail('one draw too many');
  return Object.assign(draw, { left: () => numbers.length });
}

const LOGNORMAL: DelaySpec = { kind: 'lognormal', medianMs: 200, sigma: 0.5 };

describe('a delay', () => {
  test.each<[DelaySpec, number[], number]>([
    [{ kind: 'fixed', ms: 250 }, [], 250],
    [{ kind: 'uniform', minMs: 100, maxMs: 300 }, [0], 100],
    [{ kind: 'uniform', minMs: 100, maxMs: 300 }, [0.25], 150],
    [{ kind: 'uniform', minMs: 100, maxMs: 300 }, [0.9999], 300],
    // The cosine of a quarter turn is nothing: the median.
    [LOGNORMAL, [0.5, 0.25], 200],
    // By Box-Muller √(-2 ln ½) = 1.1774, times half a sigma each way: e^±0.5887.
    [LOGNORMAL, [0.5, 0], 360],
    [LOGNORMAL, [0.5, 0.5], 111],
    [{ ...LOGNORMAL, sigma: 0 }, [0.9, 0.1], 200],
  ])('of %j with the draws %j is %d ms', (spec, draws, ms) => {
    const draw = drawing(...draws);
    expect(drawDelay(spec, draw)).toBe(ms);
    expect(draw.left()).toBe(0);
  });

  test('is whole milliseconds, from none to a minute', () => {
    expect(DELAY_MS_MAX).toBe(60_000);
    const fixed = (ms: number) => drawDelay({ kind: 'fixed', ms }, drawing());
    expect([fixed(0.6), fixed(-5), fixed(60_000), fixed(60_001)]).toEqual([1, 0, 60_000, 60_000]);
  });

  test('is finite whatever is drawn', () => {
    expect(drawDelay(LOGNORMAL, drawing(1 - 2 ** -53, 0))).toBeLessThanOrEqual(DELAY_MS_MAX);
  });
});
