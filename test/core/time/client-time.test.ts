import { describe, expect, test } from 'vitest';

import { normaliseInstant } from '../../../src/core/time/client-time.js';
import { INSTANT_MAX_MS } from '../../../src/core/time/time.js';

describe('a date-time as client libraries send it', () => {
  test.each<[value: unknown, text: string]>([
    [1_700_000_000_000, '2023-11-14T22:13:20.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [INSTANT_MAX_MS, '9999-12-31T23:59:59.999Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['2024-01-02 03:04:05', '2024-01-02T03:04:05Z'],
    ['2024-01-02 03: 04:05', '2024-01-02T03:04:05Z'],
    ['2024-01-02', '2024-01-02T00:00:00Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59Z'],
    ['Tue Nov 14 22:13:20 UTC 2023', '2023-11-14T22:13:20+00:00'],
    ['Thu Jan 01 00:00:00 GMT 1970', '1970-01-01T00:00:00+00:00'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.6789012', '2024-01-02T03:04:05.6789012Z'],
    ['2024-01-02 03:04:05.678', '2024-01-02T03:04:05.678Z'],
    ['Sat Nov 21 20:48:12 AEDT 2026', '2026-11-21T20:48:12+11:00'],
    ['Sat Jun 20 20:48:12 AEST 2026', '2026-06-20T20:48:12+10:00'],
    ['Sat Nov 21 20:48:12 ChST 2026', '2026-11-21T20:48:12+10:00'],
    ['Sat Nov 21 20:48:12 GMT+04:30 2026', '2026-11-21T20:48:12+04:30'],
    ['Sat Nov 21 20:48:12 GMT 04:30 2026', '2026-11-21T20:48:12+04:30'],
    ['Sat Nov 21 20:48:12 GMT-03:00 2026', '2026-11-21T20:48:12-03:00'],
  ])('%j is read', (value, text) => {
    expect(normaliseInstant(value)).toBe(text);
  });

  test.each([
    -1,
    1.5,
    NaN,
    INSTANT_MAX_MS + 1,
    '999999999999999',
    '-1',
    '1.7e12',
    '2023-02-29 00:00:00',
    '2024-01-02 24:00:00',
    '2024-01-02 3:04:05',
    '2024-01-02 03:  04:05',
    '2024-01-02  03:04:05',
    '2024-01-02 03:04',
    '2024-02-30',
    '2024-1-2',
    ' 2024-01-02 03:04:05',
    'Wed Nov 14 22:13:20 UTC 2023',
    'Tue Nov 31 22:13:20 UTC 2023',
    'Tue Nov 14 22:13:20 XYZ 2023',
    'Tue Nov 14 22:13:20 aedt 2023',
    'Tue Nov 14 22:13:20 GMT+5:30 2023',
    'Tue Nov 14 22:13:20 GMT+24:00 2023',
    '2024-01-02T24:00:00',
    '2024-01-02T03:04:05.1234567890',
    'Tue nov 14 22:13:20 UTC 2023',
    'Tue Nov 4 22:13:20 UTC 2023',
    'Tue Nov 14 22:13:20 UTC 20231',
    'on Tue Nov 14 22:13:20 UTC 2023',
    '2024-01-02 03:04:05 and more',
    'on 2024-01-02',
    '',
    null,
    undefined,
    true,
    [1_700_000_000_000],
  ])('%j is not', (value) => {
    expect(normaliseInstant(value)).toBeUndefined();
  });

  test.each([
    ['Sun Jan', '01'],
    ['Wed Feb', '02'],
    ['Wed Mar', '03'],
    ['Sat Apr', '04'],
    ['Mon May', '05'],
    ['Thu Jun', '06'],
    ['Sat Jul', '07'],
    ['Tue Aug', '08'],
    ['Fri Sep', '09'],
    ['Sun Oct', '10'],
    ['Wed Nov', '11'],
    ['Fri Dec', '12'],
  ])('%s 01 is the first of month %s in 2023, as Java prints it', (first, month) => {
    expect(normaliseInstant(`${first} 01 00:00:00 UTC 2023`)).toBe(`2023-${month}-01T00:00:00+00:00`);
  });

  test.each([
    ['IST', '+05:30'],
    ['EST', '-05:00'],
    ['CST', '-06:00'],
    ['PST', '-08:00'],
    ['BST', '+01:00'],
    ['AST', '-04:00'],
    ['GST', '+04:00'],
    ['AMT', '-04:00'],
  ])('the name %s, which has several meanings, is read as %s', (name, offset) => {
    expect(normaliseInstant(`Sat Nov 21 20:48:12 ${name} 2026`)).toBe(`2026-11-21T20:48:12${offset}`);
  });

  test('RFC 3339 is left to its own reader', () => {
    expect(normaliseInstant('2024-01-02T03:04:05Z')).toBeUndefined();
  });
});
