import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../src/core/errors.js';
import { Memory } from '../../../src/core/limits/memory.js';
import { testHost } from '../../support/host.js';

const MIB = 1024 * 1024;

/** A memory of 100 MiB on a host that uses so many MiB, of which some are garbage, and takes so long to collect it. */
function memoryOf(live: number, garbage = 0, ms = 100) {
  const state = { live, garbage, measured: 0, collected: 0 };
  const host = Object.assign(testHost(), {
    memoryUsed: (isCollected: boolean) => {
      state.measured++;
      if (isCollected) {
        state.collected++;
        state.garbage = 0;
        host.wall += ms;
      }
      return (state.live + state.garbage) * MIB;
    },
  });
  return { state, host, memory: new Memory(host, 100 * MIB, 16 * MIB) };
}

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, retryAfterSeconds } = error.refusal;
    return `${error.httpStatus} ${code} ${retryAfterSeconds} ${error.message}`;
  }
}

const refused = (memory: Memory, bytes?: number): boolean =>
  refusalOf(() => memory.requireRoom(bytes)) !== null;

describe('the memory of a sandbox', () => {
  test('is measured once calls may have added a mebibyte', () => {
    const { state, memory } = memoryOf(10);
    for (let n = 0; n < 1023; n++) memory.requireRoom();
    expect(state.measured).toBe(0);
    memory.requireRoom();
    expect([state.measured, state.collected]).toEqual([1, 0]);
  });

  test('that is full refuses with 503 and names the option', () => {
    const { memory } = memoryOf(100);
    expect(refusalOf(() => memory.requireRoom(MIB))).toBe(
      '503 37 1 Retry later: The worlds of this sandbox take up all of its memory, 100 MiB. Reset worlds that are no longer needed, delete their scenarios and snapshots, or start it with a larger --memory-max.',
    );
    expect(refused(memory)).toBe(true);
  });

  test('that is not full refuses what is too large for the rest', () => {
    const { memory } = memoryOf(60);
    expect(refusalOf(() => memory.requireRoom(41 * MIB))).toContain(
      'This call may need 41 MiB of memory, and less than that is free of the 100 MiB of this sandbox.',
    );
    expect(refused(memory, 39 * MIB)).toBe(false);
    expect(refused(memory)).toBe(false);
  });

  test('does not count garbage', () => {
    const { state, memory } = memoryOf(60, 50);
    expect(refused(memory, MIB)).toBe(false);
    expect(state.collected).toBe(1);
  });

  test('collects garbage only when much of it may have come together, or some time later', () => {
    const { state, host, memory } = memoryOf(95, 10);
    memory.requireRoom(MIB);
    state.garbage = 12;
    memory.requireRoom(MIB);
    expect(state.collected).toBe(1);
    state.garbage = 13;
    memory.requireRoom(MIB);
    expect(state.collected).toBe(2);
    state.garbage = 10;
    host.wall += 3_000;
    memory.requireRoom(MIB);
    expect(state.collected).toBe(3);
  });

  test('that is full is measured again soon when something was freed, else some time later', () => {
    const { state, host, memory } = memoryOf(100);
    expect(refused(memory, MIB)).toBe(true);
    Object.assign(state, { live: 50, garbage: 50 });
    expect(refused(memory)).toBe(true);
    memory.freed();
    host.wall += 299;
    expect(refused(memory)).toBe(true);
    host.wall += 1;
    expect(refused(memory)).toBe(false);
    state.live = 100;
    expect(refused(memory, MIB)).toBe(true);
    Object.assign(state, { live: 50, garbage: 50 });
    host.wall += 2_999;
    expect(refused(memory)).toBe(true);
    host.wall += 1;
    expect(refused(memory)).toBe(false);
  });

  test('has no limit on a host that cannot measure it', () => {
    expect(refused(new Memory(testHost(), 1, 1), MIB)).toBe(false);
  });

  test('gives a quarter to journals and to arriving bodies, 256 MiB at most, and always room for one body', () => {
    const budgetsOf = (max: number) => {
      const { journals, bodies } = new Memory(testHost(), max * MIB, 16 * MIB);
      return [journals.max / MIB, bodies.max / MIB];
    };
    expect(budgetsOf(200)).toEqual([50, 50]);
    expect(budgetsOf(40)).toEqual([10, 16]);
    expect(budgetsOf(Infinity)).toEqual([256, 256]);
  });

  test('lets large work run one after the other, also after work that failed', async () => {
    const { memory } = memoryOf(0);
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      if (name === 'a') throw new Error('a fails');
      return name;
    };
    const [a, b] = await Promise.allSettled([memory.runAlone(work('a')), memory.runAlone(work('b'))]);
    expect([a.status, b.status]).toEqual(['rejected', 'fulfilled']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});
