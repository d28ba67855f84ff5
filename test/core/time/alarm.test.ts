import { describe, expect, test } from 'vitest';

import { Alarm } from '../../../src/core/time/alarm.js';
import { testHost, type TestTimer } from '../../support/host.js';

const HOUR = 3_600_000;

function setup() {
  const host = testHost();
  let rung = 0;
  const alarm = new Alarm(host, () => rung++);
  const last = (): TestTimer => {
    const timer = host.timers.at(-1);
    return timer ?? expect.fail('no timer was set');
  };
  return { host, alarm, last, rung: () => rung };
}

describe('an alarm', () => {
  test('rings once its instant has come', () => {
    const { alarm, last, rung } = setup();
    alarm.setFor(100, () => 40);
    expect([last().ms, rung()]).toEqual([40, 0]);
    last().fire();
    expect(rung()).toBe(1);
  });

  test('keeps its timer when it is set for the same instant again', () => {
    const { host, alarm, last } = setup();
    alarm.setFor(100, () => 40);
    alarm.setFor(100, () => 40);
    expect([host.timers.length, last().cancelled]).toEqual([1, false]);
  });

  test('can be set again for the same instant after it rang', () => {
    const { host, alarm, last } = setup();
    alarm.setFor(100, () => 40);
    last().fire();
    alarm.setFor(100, () => 40);
    expect(host.timers).toHaveLength(2);
  });

  test('replaces its timer when it is set for another instant', () => {
    const { host, alarm } = setup();
    alarm.setFor(100, () => 40);
    alarm.setFor(50, () => 20);
    expect(host.timers.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [40, true],
      [20, false],
    ]);
  });

  test('looks again after an hour when its instant is farther away, since longer timers fire at once', () => {
    const { alarm, last } = setup();
    alarm.setFor(100, () => 30 * 24 * HOUR);
    expect(last().ms).toBe(HOUR);
  });

  test('sets no timer when nothing is due, and asks nobody how far away that is', () => {
    const { host, alarm, last } = setup();
    alarm.setFor(100, () => 40);
    alarm.setFor(Infinity, () => expect.fail('how far is never?'));
    expect([host.timers.length, last().cancelled]).toEqual([1, true]);
  });

  test('sets no timer for an instant that a clock which stands still never reaches', () => {
    const { host, alarm } = setup();
    alarm.setFor(100, () => Infinity);
    expect(host.timers).toEqual([]);
  });

  test('recalculates how far its instant is after the clock has moved', () => {
    const { host, alarm } = setup();
    alarm.setFor(100, () => 40);
    alarm.forget();
    alarm.setFor(100, () => 5);
    expect(host.timers.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [40, true],
      [5, false],
    ]);
  });

  test('cancels its timer when it is cleared, and only once', () => {
    const { alarm, last } = setup();
    alarm.clear();
    alarm.setFor(100, () => 40);
    alarm.clear();
    expect(last().cancelled).toBe(true);
    last().cancelled = false;
    alarm.clear();
    expect(last().cancelled).toBe(false);
  });
});
