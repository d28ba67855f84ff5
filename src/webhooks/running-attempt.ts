import type { Host } from '../core/host.js';
import type { Post, Posted } from '../core/post.js';
import { readPosted, describeThrown } from './posted.js';
import { ADVANCE_PATIENCE_MS, ADVANCE_TIMEOUT_MS, SILENT_TIMEOUT_MS } from './silent-receivers.js';

const SILENT_EARLIER = `; earlier attempts in this advance waited ${ADVANCE_PATIENCE_MS / 1000} s for it`;

/** Whatever happens in a function for deliveries, which may be the user's own, is the result of the attempt. */
export async function postWebhook(host: Host, post: Post): Promise<Posted> {
  try {
    return readPosted(await host.deliver?.(post));
  } catch (error) {
    return { failed: describeThrown(error) };
  }
}

/** An attempt with its time limit. */
export class RunningAttempt {
  readonly #abort = new AbortController();
  #cancel = (): void => {};
  #until = Infinity;
  /** The limit that was exceeded, in real milliseconds; null while there is time. */
  #exceeded: number | null = null;

  constructor(
    private readonly host: Host,
    readonly receiver: string,
    /** How long the advance had waited for the receiver when the attempt began. */
    public waitedBefore: number,
  ) {}

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts the attempt after this time, in real milliseconds. */
  limit(timeoutMs: number): void {
    const until = this.host.now() + timeoutMs;
    if (until >= this.#until) return;
    this.#until = until;
    this.#cancel();
    const giveUp = (): void => {
      this.#exceeded = timeoutMs;
      this.abort();
    };
    // An advance waits for this timer, so it must keep the process alive.
    this.#cancel = this.host.timer(giveUp, timeoutMs, timeoutMs <= ADVANCE_TIMEOUT_MS);
  }

  abort(): void {
    this.#cancel();
    this.#abort.abort();
  }

  /** The result of the attempt. A status that had arrived when the time was over counts. */
  end(posted: Posted): Posted {
    this.#cancel();
    const ms = this.#exceeded;
    if (ms === null || !('failed' in posted) || posted.cause === 'name') return posted;
    const earlier = ms === SILENT_TIMEOUT_MS ? SILENT_EARLIER : '';
    return { failed: `no response within ${ms / 1000} s${earlier}`, cause: 'time' };
  }
}
