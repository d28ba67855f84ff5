import type { Host } from '../host.js';

/** The waits of calls, in real time. They end early when a client leaves, and when their world or its server ends. */
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

  /** Waits real milliseconds. Resolves earlier when the signal is aborted or all waits are ended. */
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
