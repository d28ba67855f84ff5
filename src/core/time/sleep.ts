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
