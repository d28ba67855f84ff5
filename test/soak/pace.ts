import { setTimeout as sleep } from 'node:timers/promises';

/** Whoever is behind by more than this does not catch up: the rate is what is asked for, and never more for long. */
const BEHIND_MAX_MS = 10_000;

/** Gives calls their turns at a fixed rate, and stops all of them for a moment. */
export class Pace {
  #gapMs = 0;
  #next = performance.now();
  #underWay = 0;
  #pause: { readonly over: Promise<void>; readonly end: () => void } | null = null;
  #idle: (() => void) | null = null;
  calls = 0;

  constructor(rate: number) {
    this.keep(rate);
  }

  /** From now on so many calls are made a second. */
  keep(rate: number): void {
    this.#gapMs = 1000 / rate;
    this.#next = performance.now();
  }

  /** Runs a call when its turn has come. */
  async turn<T>(call: () => Promise<T>): Promise<T> {
    await this.#wait();
    this.#underWay++;
    this.calls++;
    try {
      return await call();
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) this.#idle?.();
    }
  }

  /** Lets nothing be under way while something else is done. */
  async quiet<T>(act: () => Promise<T>): Promise<T> {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#pause = { over, end };
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    this.#idle = null;
    // Who had the last answer notes it first.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await act();
    } finally {
      this.#pause = null;
      this.#next = performance.now();
      end();
    }
  }

  async #wait(): Promise<void> {
    const now = performance.now();
    this.#next = Math.max(this.#next, now - BEHIND_MAX_MS) + this.#gapMs;
    const wait = this.#next - now;
    if (wait > 1) await sleep(wait);
    // Another may have begun when the first one is over.
    while (this.#pause !== null) await this.#pause.over;
  }
}
