import { describe, expect, test } from 'vitest';

import { sweep } from '../../src/index.js';
import { BUGGY, CORRECT } from './shops/index.js';

describe('a sweep finds what loses money', () => {
  test.each(BUGGY.map((shop) => [shop.name, shop] as const))('%s', async (_, { flow, options, finds }) => {
    const { findings } = await sweep(flow, options);
    const found = findings.map(({ verdict, point, faults }) => ({
      verdict,
      at: `${point}: ${faults.join(', ')}`,
    }));
    expect(found).toContainEqual({ verdict: finds.verdict, at: expect.stringMatching(finds.at) as string });
  });
});

describe('a sweep finds nothing in correct shops', () => {
  test.each(CORRECT.map((shop) => [shop.name, shop] as const))('%s', async (_, { flow, options }) => {
    const report = await sweep(flow, options);
    expect(report.safe, report.toString()).toBe(true);
    expect(report.findings).toEqual([]);
  });
});
