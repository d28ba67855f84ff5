import { describe, expect, test } from 'vitest';

import { addWorkingDays } from '../../../src/core/time/periods.js';

const from = (instant: string, days: number): string =>
  new Date(addWorkingDays(Date.parse(instant), days)).toISOString();

describe('working days', () => {
  test.each([
    ['Monday', '2026-01-05T09:30:00.000Z', '2026-01-07T09:30:00.000Z'],
    ['Tuesday', '2026-01-06T09:30:00.000Z', '2026-01-08T09:30:00.000Z'],
    ['Wednesday', '2026-01-07T09:30:00.000Z', '2026-01-09T09:30:00.000Z'],
    ['Thursday', '2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
    ['Friday', '2026-01-02T23:59:59.999Z', '2026-01-06T23:59:59.999Z'],
    ['Saturday', '2026-01-03T12:00:00.000Z', '2026-01-06T12:00:00.000Z'],
    ['Sunday', '2026-01-04T12:00:00.000Z', '2026-01-06T12:00:00.000Z'],
  ])('two of them after a %s pass over Saturday and Sunday', (_, start, end) => {
    expect(from(start, 2)).toBe(end);
  });

  test('the instant itself does not count as one, and ten are two weeks', () => {
    expect(from('2026-01-03T12:00:00.000Z', 0)).toBe('2026-01-03T12:00:00.000Z');
    expect(from('2026-01-05T12:00:00.000Z', 10)).toBe('2026-01-19T12:00:00.000Z');
  });
});
