import { describe, expect, test } from 'vitest';

import {
  BATCH_TRANSITIONS,
  CREATED_FOR,
  RECEIVED_FOR,
  rowDoneAt,
  waitInStatus,
} from '../../../src/records/batch.js';

const STARTED = 5000;
const done = (count: number, pace: number | null, row: number) => rowDoneAt({ count, pace }, STARTED, row);

describe('the instant at which a row of a batch is done', () => {
  test('is a tenth of a second after the one before, for up to three hundred rows', () => {
    expect([done(3, null, 0), done(3, null, 1), done(300, null, 299)]).toEqual([5100, 5200, 35_000]);
  });

  test('spreads more rows evenly over half a minute, in whole milliseconds', () => {
    expect([done(301, null, 0), done(301, null, 300)]).toEqual([5099, 35_000]);
    expect([done(7000, null, 0), done(7000, null, 1), done(7000, null, 6999)]).toEqual([5004, 5008, 35_000]);
    expect(done(1_000_000, null, 999_999)).toBe(35_000);
  });

  test('follows the pace that was asked for, however many rows there are', () => {
    expect([done(7000, 250, 0), done(7000, 250, 3)]).toEqual([5250, 6000]);
    expect(done(7000, 0, 6999)).toBe(STARTED);
  });
});

describe('a batch before its rows', () => {
  test('waits a second in each status, and not at all at the immediate pace', () => {
    expect([RECEIVED_FOR, CREATED_FOR]).toEqual([1000, 1000]);
    expect([null, 250, 0].map((pace) => waitInStatus({ pace }, RECEIVED_FOR))).toEqual([1000, 1000, 0]);
  });

  test('goes forward only, may break before its end, and stays as it ended', () => {
    expect(BATCH_TRANSITIONS).toEqual({
      RECEIVED: ['CREATED', 'FAILED'],
      CREATED: ['IN_PROGRESS', 'FAILED'],
      IN_PROGRESS: ['SUCCESS', 'FAILED'],
      SUCCESS: [],
      FAILED: [],
    });
  });
});
