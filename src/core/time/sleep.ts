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
