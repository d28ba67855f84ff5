import type { Post, Posted } from './post.js';

/**
 * Everything that the core needs from its environment. The core itself reads no clock and starts no timer, so the same code
 * runs on Node, at the edge and with the host of a test.
 */
export interface Host {
  /** The runtime and its version, for `GET /_sandbox/health`; on Node `process.version`. */
  readonly runtime: string;
  /** The wall clock, in milliseconds since 1970 UTC. */
  now(): number;
  /** Resolves after real milliseconds. Rejects at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Yields to the event loop. Called between the chunks of long work. */
  pause(): Promise<void>;
  /** Calls back once after real milliseconds; returns what cancels it. Only an `isAwaited` timer keeps the process alive. */
  timer(callback: () => void, ms: number, isAwaited?: boolean): () => void;
  /** The bytes that the program uses; `isCollected`: after garbage collection, up to 1 s. Without it, memory has no limit. */
  memoryUsed?(isCollected: boolean): number;
  /**
   * Posts to a receiver of webhooks. Without it, deliveries are logged as withheld. Resolves soon after the signal is aborted, with the
   * status if that had arrived.
   */
  deliver?(post: Post): Promise<Posted | void>;
  /** The setting that turns webhooks on, if they are off for all worlds. Their notes name it. */
  readonly webhookSwitch?: string;
  /** Marks all that a function for deliveries calls with the signal of its post, for a runtime that can follow it. */
  readonly receiving?: {
    run<T>(post: AbortSignal, receive: () => T): T;
    getStore(): AbortSignal | undefined;
  };
  /**
   * HMAC with SHA-256 over a text, keyed with a secret, both in UTF-8; as Base64. Without it, signing takes real time, and what
   * happens before the webhook arrives depends on chance.
   */
  signAtOnce?(secret: string, text: string): string | undefined;
  /** Called before each delivery; resolves when one can be made at once. */
  prepareDelivery?(): Promise<void>;
  /** Called for an unexpected error while a request was answered, such as `POST /charge/card`. */
  reportBug?(error: unknown, call: string): void;
  /** Called with what the operator of a server should know, such as that worlds are dropped. */
  warn?(message: string): void;
  /** Throws where calls in process would never end, because a test replaced what the runtime reads bodies with. */
  requireBodies?(): void;
  /** The bytes of a body that a parser of an app has read, from the request of Node; null if none has. Throws if they are lost. */
  bytesOfParsed?(incoming: object): Uint8Array | null;
  /** The program for pages, as text. Without it, no world can be saved as a page. Rejects if its file is missing. */
  readonly readBrowserProgram?: () => Promise<string>;
  /** Called when a sandbox has closed, to release the thread for deliveries. */
  retire?(): void;
}
