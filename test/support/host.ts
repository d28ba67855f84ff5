import type { Host } from '../../src/core/host.js';

/** The wall clock of a test begins here: 2026-01-01T00:00:00Z, as a manual clock does. */
export const START = Date.UTC(2026, 0, 1);

export interface TestTimer {
  readonly ms: number;
  readonly fire: () => void;
  cancelled: boolean;
}

/** A host that stands still: nothing waits, and what was asked for can be read. */
export interface TestHost extends Host {
  /** What the wall clock shows; set it to let real time pass. */
  wall: number;
  /** The real milliseconds of each sleep asked for, in order. */
  readonly slept: number[];
  readonly timers: TestTimer[];
}

export function testHost(wall = START): TestHost {
  const slept: number[] = [];
  const timers: TestTimer[] = [];
  const host: TestHost = {
    runtime: 'test',
    wall,
    slept,
    timers,
    now: () => host.wall,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    // A 500 has no stack in its answer.
    reportBug: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
    timer: (callback, ms) => {
      const timer: TestTimer = { ms, fire: callback, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  };
  return host;
}
