import type { Post, Posted } from './post.js';

/**
 * All that the core takes from the outside. The core itself reads no clock and starts no timer: the same
 * code runs on Node, at the edge and under a test's own host.
 */
export interface Host {
  /** What runs the sandbox and in which version, for `GET /_sandbox/health`; on Node `process.version`. */
  readonly runtime: string;
  /** The wall clock, in milliseconds since 1970 UTC. */
  now(): number;
  /** Resolves after real milliseconds. Rejects at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Gives the event loop a turn; called between the chunks of long work. */
  pause(): Promise<void>;
  /**
   * Calls back once after real milliseconds; returns the cancelling. Keeps the process alive only where somebody waits for it,
   * which `isAwaited` says.
   */
  timer(callback: () => void, ms: number, isAwaited?: boolean): () => void;
  /** Called while long work goes on, such as `making customers`: `done` of `total` units. */
  progress?(work: string, done: number, total: number): void;
  /** Posts to a receiver of webhooks. A host without it delivers none: they are logged as withheld. */
  deliver?(post: Post): Promise<Posted>;
  /** Called for an unexpected error while a request was answered, such as `POST /charge/card`. */
  reportBug?(error: unknown, asked: string): void;
  /** Hears that a sandbox has ended: what is kept ready for deliveries may go, until the next one. */
  retire?(): void;
}
