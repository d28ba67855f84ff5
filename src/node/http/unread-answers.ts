import type { ServerResponse } from 'node:http';

import type { HttpListener } from './listener.js';

/** How long a client may take to read an answer, or one piece of a streamed answer. */
export const SEND_TIMEOUT_MS = 60_000;
/** The maximum size of all answers that wait in memory for their clients to read them. */
export const UNSENT_BYTES_MAX = 64 * 1024 * 1024;
/** Roughly what Node needs for a waiting answer, apart from its text. */
const OVERHEAD_BYTES = 4 * 1024;

export interface UnreadLimits {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** Counts unread answers, and closes connections: of clients that take too long, and the oldest if there are too many. */
export class UnreadAnswers {
  #bytes = 0;
  /** The function that stops counting each answer; the oldest answer is first. */
  readonly #answers = new Map<ServerResponse, () => void>();

  constructor(
    private readonly limits: UnreadLimits,
    private readonly connectionOf: HttpListener['connectionOf'],
  ) {}

  /** Counts what has been written of an answer, until it is sent. Almost all answers are sent at once. */
  add(response: ServerResponse): void {
    if (response.writableLength === 0 || response.destroyed) return;
    const bytes = response.writableLength + OVERHEAD_BYTES;
    const slow = setTimeout(() => this.#hangUp(response), this.limits.timeoutMs).unref();
    const remove = (): void => {
      if (!this.#answers.delete(response)) return;
      this.#bytes -= bytes;
      clearTimeout(slow);
      response.off('drain', remove).off('close', remove);
    };
    this.#answers.get(response)?.();
    this.#answers.set(response, remove);
    this.#bytes += bytes;
    response.once('drain', remove).once('close', remove);
    this.#makeRoom();
  }

  /** A single answer may be larger than the budget. */
  #makeRoom(): void {
    for (const response of this.#answers.keys()) {
      if (this.#bytes <= this.limits.bytesMax || this.#answers.size === 1) return;
      this.#hangUp(response);
    }
  }

  /** Closes the connection of a response, with all other answers on it. */
  #hangUp(response: ServerResponse): void {
    const connection = this.connectionOf(response);
    for (const [other, remove] of this.#answers) if (this.connectionOf(other) === connection) remove();
    connection?.destroy();
  }
}
