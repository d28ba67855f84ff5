import { describe, expect, test } from 'vitest';

import {
  type AdvanceTarget,
  Clock,
  type ClockMode,
  DEFAULT_START,
  STANDARD_RATE,
} from '../../../src/core/time/clock.js';
import { CODE } from '../../../src/core/errors.js';
import { INSTANT_MAX_MS, parseInstant } from '../../../src/core/time/time.js';
import { START, type TestHost, testHost } from '../../support/host.js';

const DAY = 86_400_000;
const NOON = START + DAY / 2;

function clockOf(mode: ClockMode, start: number | null = null, rate = STANDARD_RATE[mode]) {
  const host = testHost(NOON);
  return { host, clock: new Clock(host, { mode, rate, start }) };
}

function pass(host: TestHost, ms: number): void {
  host.wall += ms;
}

describe('where a clock begins', () => {
  test.each<[ClockMode, number | null, number]>([
    ['real', null, NOON],
    ['real', 1000, 1000],
    ['manual', null, DEFAULT_START],
    ['manual', 1000, 1000],
    ['scaled', null, DEFAULT_START],
    ['scaled', 1000, 1000],
  ])('a %s clock with the start %j begins at %d', (mode, start, expected) => {
    expect(clockOf(mode, start).clock.now()).toBe(expected);
  });

  test('the standard start is the first of January 2026', () => {
    expect(DEFAULT_START).toBe(parseInstant('2026-01-01T00:00:00Z'));
  });
});

describe('how a clock goes', () => {
  test.each<[ClockMode, number, number]>([
    ['real', 1000, 1000],
    ['real', DAY, DAY],
    ['manual', DAY, 0],
    ['scaled', 1, 60],
    ['scaled', 60_000, 3_600_000],
  ])('on a %s clock, %d real ms are %d', (mode, real, virtual) => {
    const { host, clock } = clockOf(mode, 0);
    pass(host, real);
    expect(clock.now()).toBe(virtual);
  });

  test.each([
    [0.5, 3, 1],
    [0.001, 1999, 1],
    [1_000_000, 1, 1_000_000],
  ])('at the rate %d, %d real ms are %d whole ones', (rate, real, virtual) => {
    const { host, clock } = clockOf('scaled', 0, rate);
    pass(host, real);
    expect(clock.now()).toBe(virtual);
  });

  test('small steps add up to the same as a large one', () => {
    const { host, clock } = clockOf('scaled', 0, 0.3);
    for (let i = 0; i < 1000; i++) {
      pass(host, 1);
      clock.now();
    }
    expect(clock.now()).toBe(300);
  });

  test('it waits for the wall clock when that is set back', () => {
    const { host, clock } = clockOf('real');
    pass(host, 5000);
    expect(clock.now()).toBe(NOON + 5000);
    pass(host, -3000);
    expect(clock.now()).toBe(NOON + 5000);
    pass(host, 3001);
    expect(clock.now()).toBe(NOON + 5001);
  });

  test('a scaled one goes on when the wall clock is set back', () => {
    const { host, clock } = clockOf('scaled', 0);
    pass(host, 1000);
    expect(clock.now()).toBe(60_000);
    pass(host, -DAY);
    expect(clock.now()).toBe(60_000);
    pass(host, 1000);
    expect(clock.now()).toBe(120_000);
  });

  test.each<[string, (clock: Clock, host: TestHost) => void, number]>([
    ['is moved', (clock) => clock.moveTo(clock.now() + 5000), 5000],
    [
      'is held, moved and released',
      (clock) => {
        clock.hold();
        clock.moveTo(clock.now() + 5000);
        clock.release();
      },
      5000,
    ],
    [
      'is held when that is set back again',
      (clock, host) => {
        clock.hold();
        pass(host, -DAY);
        clock.moveTo(clock.now());
        clock.release();
        expect(clock.ahead).toBe(2 * DAY);
        pass(host, DAY);
      },
      0,
    ],
    ['is set to be real', (clock) => clock.change({ mode: 'real', rate: 1 }), 0],
  ])('a real one that %s after the wall clock was set back is not ahead of it later', (_, act, gained) => {
    const { host, clock } = clockOf('real');
    pass(host, -DAY);
    act(clock, host);
    expect([clock.now(), clock.ahead]).toEqual([NOON + gained, DAY]);
    pass(host, DAY - 1);
    expect(clock.now()).toBe(NOON + gained);
    pass(host, 11);
    expect([clock.now(), clock.ahead]).toEqual([NOON + gained + 10, 0]);
  });

  test('it ends with the year 9999', () => {
    const { host, clock } = clockOf('scaled', INSTANT_MAX_MS - 10, 1000);
    pass(host, 1);
    expect(clock.now()).toBe(INSTANT_MAX_MS);
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('how a clock is moved', () => {
  test('it goes on from the instant it was moved to, at its own rate', () => {
    const { host, clock } = clockOf('scaled', 0);
    clock.moveTo(1_000_000);
    expect(clock.now()).toBe(1_000_000);
    pass(host, 1000);
    expect(clock.now()).toBe(1_060_000);
  });

  test('it is never moved back', () => {
    const { clock } = clockOf('manual', 5000);
    clock.moveTo(4999);
    expect(clock.now()).toBe(5000);
  });

  test('held, it stands still at each instant it is moved to, whatever the wall clock does', () => {
    const { host, clock } = clockOf('real', 0);
    pass(host, 10);
    clock.hold();
    pass(host, 1000);
    expect(clock.now()).toBe(10);
    clock.moveTo(500);
    pass(host, 1000);
    expect(clock.now()).toBe(500);
  });

  test('released, it continues from where it stopped and skips the real time in between', () => {
    const { host, clock } = clockOf('scaled', 0);
    clock.hold();
    clock.moveTo(500);
    pass(host, 1000);
    clock.release();
    expect(clock.now()).toBe(500);
    pass(host, 1);
    expect(clock.now()).toBe(560);
  });

  test.each<[ClockMode, ClockMode, number]>([
    ['real', 'manual', 0],
    ['real', 'scaled', 60_000],
    ['manual', 'real', 1000],
    ['scaled', 'real', 1000],
    ['scaled', 'manual', 0],
  ])('changed from %s to %s it keeps the instant and then makes %d ms of a second', (from, to, gained) => {
    const { host, clock } = clockOf(from, 0);
    pass(host, 100);
    const before = clock.now();
    clock.change({ mode: to, rate: STANDARD_RATE[to] });
    expect(clock.now()).toBe(before);
    expect([clock.mode, clock.rate]).toEqual([to, STANDARD_RATE[to]]);
    pass(host, 1000);
    expect(clock.now() - before).toBe(gained);
  });
});

describe('the checks of a clock before it is moved', () => {
  test.each<[AdvanceTarget, number]>([
    [{ by: 250 }, 5250],
    [{ by: 0 }, 5000],
    [{ to: 6000 }, 6000],
    [{ to: 5000 }, 5000],
    [{ to: INSTANT_MAX_MS }, INSTANT_MAX_MS],
    [{ by: INSTANT_MAX_MS - 5000 }, INSTANT_MAX_MS],
  ])('%j leads from where it stands to where it shall stand, and moves nothing yet', (target, to) => {
    const { clock } = clockOf('manual', 5000);
    expect(clock.plan(target)).toEqual({ from: 5000, to });
    expect(clock.now()).toBe(5000);
  });

  test.each<[AdvanceTarget, string]>([
    [
      { to: 4999 },
      'The clock is at 1970-01-01T00:00:05.000Z and cannot go back to 1970-01-01T00:00:04.999Z.',
    ],
    [{ to: INSTANT_MAX_MS + 1 }, 'The clock cannot go beyond 9999-12-31T23:59:59.999Z.'],
    [{ by: INSTANT_MAX_MS - 4999 }, 'The clock cannot go beyond 9999-12-31T23:59:59.999Z.'],
  ])('%j is refused: %s', (target, detail) => {
    const { clock } = clockOf('manual', 5000);
    const refusal = { code: CODE.ValidationError, detail };
    expect(() => clock.plan(target)).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining(refusal) }),
    );
  });
});

test.each<ClockMode>(['real', 'manual', 'scaled'])(
  'a %s clock goes on from the instant that is restored, also from an earlier one',
  (mode) => {
    const { host, clock } = clockOf('real', 5000);
    pass(host, 1000);
    clock.restore(2000, { mode, rate: STANDARD_RATE[mode] });
    expect([clock.now(), clock.mode, clock.rate]).toEqual([2000, mode, STANDARD_RATE[mode]]);
    pass(host, 10);
    expect(clock.now()).toBe(2000 + 10 * STANDARD_RATE[mode]);
  },
);

describe('how long something takes in real time', () => {
  test.each<[ClockMode, number, number]>([
    ['real', 1000, 1000],
    ['scaled', 60_000, 1000],
    ['scaled', 60_001, 1001],
    ['manual', 1, Infinity],
    ['manual', 0, 0],
    ['manual', -1, 0],
    ['real', -1, 0],
  ])('on a %s clock, %d ms away is %d real ms away', (mode, ahead, delay) => {
    const { clock } = clockOf(mode, 5000);
    expect(clock.realDelay(5000 + ahead)).toBe(delay);
  });

  test('nothing comes while the clock is held', () => {
    const { clock } = clockOf('real', 0);
    clock.hold();
    expect(clock.realDelay(1)).toBe(Infinity);
    clock.release();
    expect(clock.realDelay(1)).toBe(1);
  });
});
