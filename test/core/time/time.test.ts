import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DURATION_MAX_MS,
  DURATION_TEXT_MAX,
  INSTANT_MAX_MS,
  isExpiryPassed,
  formatDuration,
  formatInstant,
  formatRoughly,
  isExpiry,
  parseAnyDuration,
  parseDuration,
  parseInstant,
} from '../../../src/core/time/time.js';
import { cells, words } from '../../support/tables.js';

const at = (iso: string) => Date.parse(iso);

describe('formatInstant', () => {
  test.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1, '1970-01-01T00:00:00.001Z'],
    [1_767_225_600_000, '2026-01-01T00:00:00.000Z'],
    [951_782_400_000, '2000-02-29T00:00:00.000Z'],
    [INSTANT_MAX_MS, '9999-12-31T23:59:59.999Z'],
  ])('%i is written %s', (ms, text) => {
    expect(formatInstant(ms)).toBe(text);
  });

  test('what it writes is read back as the same instant', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: INSTANT_MAX_MS }),
        (ms) => parseInstant(formatInstant(ms)) === ms,
      ),
    );
  });
});

describe('parseInstant', () => {
  test.each([
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100Z'],
    ['2026-01-01T00:00:00.12Z', '2026-01-01T00:00:00.120Z'],
    ['2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00.1239Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00.000999999Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.999999999Z', '2026-01-01T00:00:00.999Z'],
    ['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T10:00:00+10:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00-05:30', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01T00:00:00.25+05:45', '2025-12-31T18:15:00.250Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
    ['1969-12-31T23:00:00-02:00', '1970-01-01T01:00:00.000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2400-02-29T00:00:00Z', '2400-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseInstant(text)).toBe(at(instant));
  });

  test.each(words`
    2026-02-29T00:00:00Z 2025-02-29T00:00:00Z 2100-02-29T00:00:00Z 2026-02-30T00:00:00Z 2024-02-30T00:00:00Z
    2026-04-31T00:00:00Z 2026-06-31T00:00:00Z 2026-09-31T00:00:00Z 2026-11-31T00:00:00Z 2026-01-32T00:00:00Z
    2026-12-32T00:00:00Z 2026-01-00T00:00:00Z 2026-00-01T00:00:00Z 2026-13-01T00:00:00Z 2026/01-01T00:00:00Z
    2026-01/01T00:00:00Z
  `)('%s is no day of the calendar', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test.each(words`
    2026-01-01T24:00:00Z 2026-01-01T25:00:00Z 2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2016-12-31T23:59:60Z
    2026-01-01T00:00:61Z 2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+00:60 2026-01-01T00:00:00-99:00
    2026-01-01T00.00:00Z 2026-01-01T00:00.00Z
  `)('%s is no time of a day', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test.each(words`
    0000-01-01T00:00:00Z 0070-01-01T00:00:00Z 1969-12-31T23:59:59Z 1969-12-31T23:59:59.999Z
    1970-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01 10000-01-01T00:00:00Z +002026-01-01T00:00:00Z
  `)('%s is outside the years 1970 to 9999', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test.each(cells`
    |now|2026|2026-01-01|2026-01-01T00:00Z|2026-01-01T00:00:00|2026-01-01T00:00:00.123|2026-01-01 00:00:00Z|
    2026-01-01_00:00:00Z|2026-01-01T00:00:00.Z|2026-01-01T00:00:00,5Z|2026-01-01T00:00:00.1234567890Z|
    2026-01-01T00:00:00.12a4Z|2026-01-01T00:00:00ZZ|2026-01-01T00:00:00Z | 2026-01-01T00:00:00Z|
    2026-01-01T00:00:00Z\n|2026-01-01T00:00:00 Z|2026-01-01T00:00:00UTC|2026-01-01T00:00:00+10|
    2026-01-01T00:00:00+1000|2026-01-01T00:00:00+10:0|2026-01-01T00:00:00+10:000|2026-01-01T00:00:00+10-00|
    2026-01-01T00:00:00+1a:00|2026-01-01T00:00:00~10:00|2026-1-1T0:0:0Z|26-01-01T00:00:00Z|
    2026/01/01T00:00:00Z|2026-01/01T00:00:00Z|20260101T000000Z|2026-01-01T00.00.00Z|2026-01-01T00:00.00Z|
    2026-W01-1T00:00:00Z|2026-001T00:00:00Z|２０２６-01-01T00:00:00Z|2026-01-01T00:00:0aZ|2026-0a-01T00:00:00Z|
    1767225600000|Tue Nov 14 22:13:20 UTC 2023|Z|2
  `)('%j is not RFC 3339', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('every day that the calendar has is read, and no other', () => {
    for (const year of ['1970', '1999', '2000', '2023', '2024', '2100', '9996', '9999']) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          const real = new Date(Date.UTC(Number(year), month - 1, day));
          const exists = real.toISOString().startsWith(date);
          expect([date, parseInstant(`${date}T00:00:00Z`)]).toEqual([
            date,
            exists ? real.getTime() : undefined,
          ]);
        }
      }
    }
  });

  test('no text makes it throw, and whatever it reads is a whole millisecond in range', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-:TZ.+ ') }));
    fc.assert(
      fc.property(text, (given) => {
        const ms = parseInstant(given);
        return ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms <= INSTANT_MAX_MS);
      }),
    );
  });
});

describe('parseDuration', () => {
  test.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['0s', 0],
    ['0ms', 0],
    ['0d', 0],
    ['1.5h', 5_400_000],
    ['0.5s', 500],
    ['0.001s', 1],
    ['1.0ms', 1],
    ['2.50s', 2_500],
    ['0.25m', 15_000],
    ['0.5d', 43_200_000],
    ['0.0000125d', 1_080],
    ['0.1s', 100],
    ['1.1s', 1_100],
    ['4.35s', 4_350],
    ['090s', 90_000],
    ['36525d', DURATION_MAX_MS],
    ['876600h', DURATION_MAX_MS],
    ['PT2H', 7_200_000],
    ['P1DT30M', 88_200_000],
    ['P7D', 604_800_000],
    ['PT0.25S', 250],
    ['PT1H30M', 5_400_000],
    ['PT90S', 90_000],
    ['PT1H1S', 3_601_000],
    ['P1DT1H1M1.5S', 90_061_500],
    ['PT1.5H', 5_400_000],
    ['P0.5D', 43_200_000],
    ['PT0S', 0],
    ['P0D', 0],
    ['P36525D', DURATION_MAX_MS],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(cells`
    |5|s|ms|-5s|+5s|5 s| 5s|5s |5s\n|5S|2H|5sec|5 minutes|1w|1y|1h30m|.5s|5.s|.s|1.2.3s|0.00000125d|1,5s|1e3s|
    0x5s|٥s|Infinityd|NaNs|P|PT|P1DT|P1|PT1|PD|PTH|P1Y|P1M|P1Y2M|P1W|P2H|PT1D|PT1S1M|PT1M1H|PT1H1H|PT1.5H1M|
    P0.5DT1H|P-1D|-P1D|p1d|pt2h|PT2h|PT 2H|PT1,5S|PT.5S|PT5.S
  `)('%j is not a duration', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test.each(words`
    0.5ms 1.0005s 0.0001s 0.00000001d PT0.0001S 0.3333333333h 0.99999999999999999999s
  `)('%s is not in whole milliseconds', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test.each([
    '36526d',
    '36525.0000125d',
    '876601h',
    '3155760000001ms',
    'P36525DT0.001S',
    '9'.repeat(60) + 'd',
    '9'.repeat(400) + 's',
  ])('%s is longer than a hundred years', (text) => {
    expect(parseDuration(text)).toBeUndefined();
    expect(parseAnyDuration(text)).toBe(text.length <= DURATION_TEXT_MAX ? Infinity : undefined);
  });

  test('trailing zeros do not count as decimals, and texts end at 64 characters', () => {
    expect(parseDuration('1.' + '0'.repeat(61) + 's')).toBe(1_000);
    expect(parseDuration('1.' + '0'.repeat(62) + 's')).toBeUndefined();
  });

  test('no text makes it throw, and whatever it reads is a whole number in range', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.PTDHMSdhms') });
    fc.assert(
      fc.property(text, (given) => {
        const ms = parseDuration(given);
        return ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms <= DURATION_MAX_MS);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  [200_000_000, '2 d'],
  [3_600_000, '1 h'],
  [119_999, '1 min'],
  [31_900, '31 s'],
  [250, '250 ms'],
])('formatRoughly(%d) is %s', (ms, text) => {
  expect(formatRoughly(ms)).toBe(text);
});

describe('formatDuration', () => {
  test.each([
    [604_800_000, '7d'],
    [86_400_000, '1d'],
    [7_200_000, '2h'],
    [129_600_000, '36h'],
    [900_000, '15m'],
    [5_400_000, '90m'],
    [90_000, '90s'],
    [60_000, '1m'],
    [1_000, '1s'],
    [1_500, '1500ms'],
    [250, '250ms'],
    [1, '1ms'],
    [0, '0s'],
    [DURATION_MAX_MS, '36525d'],
  ])('%i ms is written %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('what it writes is read back as the same duration', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: DURATION_MAX_MS }),
        (ms) => parseDuration(formatDuration(ms)) === ms,
      ),
    );
  });
});

describe('isExpiry', () => {
  test.each(words`01/26 09/30 10/30 12/00 12/99`)('%s is an expiry', (text) => {
    expect(isExpiry(text)).toBe(true);
  });

  test.each(cells`
    |/|00/26|13/26|99/26|1/26|01/6|001/26|01/2026|2026-01|01-26|0126|01 26|01/26 | 01/26|01/2|1 /26|01/ 6|
    0a/26|01/2a|-1/26|+1/26|1./26|０１/26|01／26|01/26\n|MM/YY
  `)('%j is not an expiry', (text) => {
    expect(isExpiry(text)).toBe(false);
  });
});

describe('expiryPassed', () => {
  test.each([
    ['01/26', '2026-01-01T00:00:00.000Z', false],
    ['01/26', '2026-01-31T23:59:59.999Z', false],
    ['01/26', '2026-02-01T00:00:00.000Z', true],
    ['12/25', '2025-12-31T23:59:59.999Z', false],
    ['12/25', '2026-01-01T00:00:00.000Z', true],
    ['02/28', '2028-02-29T23:59:59.999Z', false],
    ['02/28', '2028-03-01T00:00:00.000Z', true],
    ['02/27', '2027-02-28T23:59:59.999Z', false],
    ['02/27', '2027-03-01T00:00:00.000Z', true],
    ['01/27', '2026-12-31T23:59:59.999Z', false],
    ['11/26', '2026-12-01T00:00:00.000Z', true],
    ['12/99', '2099-12-31T23:59:59.999Z', false],
    ['12/99', '2100-01-01T00:00:00.000Z', true],
    ['01/00', '1970-01-01T00:00:00.000Z', false],
    ['01/00', '2000-01-31T23:59:59.999Z', false],
    ['01/00', '2000-02-01T00:00:00.000Z', true],
    ['01/00', '2000-02-29T23:59:59.999Z', true],
    ['02/00', '2000-02-29T23:59:59.999Z', false],
    ['12/99', '9999-12-31T23:59:59.999Z', true],
  ])('%s at %s: %s', (expiry, now, passed) => {
    expect(isExpiryPassed(expiry, at(now))).toBe(passed);
  });

  test('a card is good to the end of its month, in every month of a century', () => {
    for (let month = 0; month < 100 * 12; month++) {
      const expiry = `${String((month % 12) + 1).padStart(2, '0')}/${String(Math.floor(month / 12)).padStart(2, '0')}`;
      const end = Date.UTC(2000, month + 1, 1);
      expect([expiry, isExpiryPassed(expiry, end - 1), isExpiryPassed(expiry, end)]).toEqual([
        expiry,
        false,
        true,
      ]);
    }
  });

  test('it agrees with the calendar at any instant', () => {
    const month = fc.integer({ min: 1, max: 12 });
    const year = fc.integer({ min: 0, max: 99 });
    const ms = fc.integer({ min: 0, max: at('2110-01-01T00:00:00Z') });
    fc.assert(
      fc.property(month, year, ms, (mm, yy, now) => {
        const expiry = `${String(mm).padStart(2, '0')}/${String(yy).padStart(2, '0')}`;
        expect(isExpiryPassed(expiry, now)).toBe(Date.UTC(2000 + yy, mm, 1) <= now);
      }),
    );
  });
});
