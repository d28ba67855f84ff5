import { ApiError, CODE, refuse } from '../core/errors.js';
import type { Host } from '../core/host.js';
import { type Condition, meetsConditions, type NearMiss, type Searchable } from './match.js';
import { WAITERS_MAX } from './completed-call.js';

/** The maximum number of entries that an await returns. Further ones are only counted. */
export const AWAITED_MAX = 100;

/** The result of a wait: enough entries, newest first, or after the time-out the nearest ones. */
export type WaitResult<E extends Searchable> =
  | { readonly enough: true; readonly count: number; readonly entries: readonly E[] }
  | { readonly enough: false; readonly count: number; readonly nearest: readonly NearMiss<E>[] };

/** The maximum length of a wait in real milliseconds, and its timer. */
export interface WaitLimit {
  readonly timeoutMs: number;
  readonly timer: Host['timer'];
  /** Aborted when the client has disconnected, which ends the wait without a result. */
  readonly signal?: AbortSignal;
}

interface Waiter<E extends Searchable> {
  readonly conditions: readonly Condition[];
  readonly wanted: number;
  readonly entries: E[];
  count: number;
  end(result: WaitResult<E>): void;
  refuse(): void;
}

/** The requests that wait for entries. Each ends as soon as it has enough. */
export class Waiters<E extends Searchable> {
  readonly #waiting = new Set<Waiter<E>>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Waits until there are enough entries, including `earlier` ones, oldest first. */
  add(
    search: { conditions: readonly Condition[]; wanted: number; earlier: E[] },
    patience: WaitLimit,
    nearest: () => NearMiss<E>[],
  ): Promise<WaitResult<E>> {
    if (this.#waiting.size >= WAITERS_MAX) {
      refuse(CODE.RetryLater, `At most ${WAITERS_MAX} calls may wait for a world's journal at a time.`);
    }
    const { signal } = patience;
    return new Promise((resolve, reject) => {
      const { conditions, wanted, earlier } = search;
      const leave = (): void => {
        cancel();
        signal?.removeEventListener('abort', leaveUnanswered);
        this.#waiting.delete(waiter);
      };
      const leaveUnanswered = (): void => waiter.end({ enough: false, count: waiter.count, nearest: [] });
      const waiter: Waiter<E> = {
        conditions,
        wanted,
        entries: earlier.slice(-AWAITED_MAX),
        count: earlier.length,
        end: (result) => {
          leave();
          resolve(result);
        },
        refuse: () => {
          leave();
          reject(buildResetError());
        },
      };
      this.#waiting.add(waiter);
      const cancel = patience.timer(
        () => waiter.end({ enough: false, count: waiter.count, nearest: nearest() }),
        patience.timeoutMs,
      );
      signal?.addEventListener('abort', leaveUnanswered);
      if (signal?.aborted) leaveUnanswered();
    });
  }

  notify(entry: E): void {
    for (const waiter of this.#waiting) {
      if (!meetsConditions(entry, waiter.conditions)) continue;
      waiter.entries.push(entry);
      waiter.count++;
      if (waiter.entries.length > AWAITED_MAX) waiter.entries.shift();
      if (waiter.count >= waiter.wanted) {
        waiter.end({ enough: true, count: waiter.count, entries: waiter.entries.toReversed() });
      }
    }
  }

  close(): void {
    for (const waiter of this.#waiting) waiter.refuse();
  }
}

function buildResetError(): ApiError {
  const detail = 'The world was reset or restored while this request waited. Send it again.';
  return new ApiError({ code: CODE.RetryLater, detail });
}
