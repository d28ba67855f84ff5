import type { Host } from '../host.js';

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
