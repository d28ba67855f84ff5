import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { addPeriods, type Period, countPeriods, type PeriodUnit } from '../../../src/core/time/periods.js';

const at = (text: string): number => Date.parse(text);
const shown = (instant: number): string => new Date(instant).toISOString();

describe('addPeriods', () => {
  test.each<[anchor: string, unit: PeriodUnit, size: number, dates: string[]]>([
    ['2026-01-31T10:30:00.250Z', 'Month', 1, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    ['2028-01-31T10:30:00.250Z', 'Month', 1, ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']],
    ['2026-01-30T10:30:00.250Z', 'Month', 1, ['2026-01-30', '2026-02-28', '2026-03-30']],
    ['2026-11-30T10:30:00.250Z', 'Month', 3, ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30']],
    ['2026-12-15T10:30:00.250Z', 'Month', 1, ['2026-12-15', '2027-01-15']],
    [
      '2028-02-29T10:30:00.250Z',
      'Year',
      1,
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
    ['2026-12-31T10:30:00.250Z', 'Year', 2, ['2026-12-31', '2028-12-31']],
    ['2026-02-27T10:30:00.250Z', 'Day', 1, ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['2026-02-25T10:30:00.250Z', 'Week', 2, ['2026-02-25', '2026-03-11', '2026-03-25']],
  ])('from %s by %s, %i at a time', (anchor, unit, size, dates) => {
    const found = dates.map((_, n) => shown(addPeriods(at(anchor), { unit, size }, n)));
    expect(found).toEqual(dates.map((date) => `${date}T10:30:00.250Z`));
  });

  test('counts hours', () => {
    const period: Period = { unit: 'Hour', size: 12 };
    expect(shown(addPeriods(at('2026-01-01T00:00:00Z'), period, 3))).toBe('2026-01-02T12:00:00.000Z');
  });
});

const instants = fc.integer({ min: 0, max: at('9999-12-31T23:59:59.999Z') });
const periods: fc.Arbitrary<Period> = fc.record({
  unit: fc.constantFrom<PeriodUnit>('Hour', 'Day', 'Week', 'Month', 'Year'),
  size: fc.integer({ min: 1, max: 1000 }),
});

describe('periodsUntil', () => {
  test('gives the first period that is not before an instant', () => {
    fc.assert(
      fc.property(instants, periods, instants, (anchor, period, instant) => {
        const n = countPeriods(anchor, period, instant);
        expect(addPeriods(anchor, period, n)).toBeGreaterThanOrEqual(instant <= anchor ? anchor : instant);
        if (n > 0) expect(addPeriods(anchor, period, n - 1)).toBeLessThan(instant);
      }),
      { numRuns: 2000 },
    );
  });

  test('gives back the number of every period', () => {
    fc.assert(
      fc.property(instants, periods, fc.integer({ min: 0, max: 10 }), (anchor, period, n) => {
        expect(countPeriods(anchor, period, addPeriods(anchor, period, n))).toBe(n);
      }),
      { numRuns: 2000 },
    );
  });
});
