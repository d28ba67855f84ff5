import type { Host } from '../host.js';

/** Waits by the timers of a host, which a caller waits for. */
export function sleepBy(host: Pick<Host, 'timer'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const wake = (): void => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    const cancel = host.timer(wake, ms, true);
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A time that is over after real milliseconds, or when it is ended. */
export interface Deadline {
  readonly over: Promise<void>;
  readonly end: () => void;
}

/** Keeps the process alive until it is over. */
export function startDeadline(host: Pick<Host, 'timer'>, ms: number): Deadline {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    const cancel = host.timer(resolve, ms, true);
    end = () => {
      cancel();
      resolve();
    };
  });
  return { over, end };
}

/** Calls that wait in real time, until their client leaves or their world ends. */
export class Waits {
  readonly #open = new Set<AbortController>();
  #areEnded = false;

  constructor(private readonly host: Host) {}

  get size(): number {
    return this.#open.size;
  }

  get areEnded(): boolean {
    return this.#areEnded;
  }

  /** Resolves early when the signal is aborted or all waits are ended. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#areEnded) return;
    const early = new AbortController();
    const end = (): void => early.abort();
    this.#open.add(early);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      await this.host.sleep(ms, early.signal);
    } catch (error) {
      if (!early.signal.aborted) throw error;
    } finally {
      this.#open.delete(early);
      signal.removeEventListener('abort', end);
    }
  }

  endAll(): void {
    this.#areEnded = true;
    for (const early of this.#open) early.abort();
  }
}
