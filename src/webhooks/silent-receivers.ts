import type { Posted } from '../core/post.js';

/** How long an attempt may wait for an answer during an advance, in real milliseconds. */
export const ADVANCE_TIMEOUT_MS = 1_000;
/** How long an advance waits in all for a receiver that does not answer. Attempts at the same time count once. */
export const ADVANCE_PATIENCE_MS = 10_000;
/** How long each attempt may wait after that. */
export const SILENT_TIMEOUT_MS = 50;

/** Silent receivers, which would delay an advance with each further attempt. */
export class SilentReceivers {
  /** By receiver, how long the advance has waited without an answer. Counted and not measured, so it is the same in each run. */
  readonly #waited = new Map<string, number>();
  /** The failures of names that were not resolved. */
  readonly #unresolved = new Map<string, Posted>();

  /** Begins an advance. */
  clear(): void {
    this.#waited.clear();
    this.#unresolved.clear();
  }

  waitedFor(receiver: string): number {
    return this.#waited.get(receiver) ?? 0;
  }

  isGivenUp(receiver: string): boolean {
    return this.waitedFor(receiver) >= ADVANCE_PATIENCE_MS;
  }

  /** Remembers a receiver that did not answer an attempt, which began when the advance had waited so long for it. */
  noteLate(receiver: string, waitedBefore: number): void {
    const waited = Math.max(this.waitedFor(receiver), waitedBefore + ADVANCE_TIMEOUT_MS);
    this.#waited.set(receiver, waited);
  }

  noteUnresolved(url: string, failure: Posted): void {
    this.#unresolved.set(hostnameIn(url), failure);
  }

  /** The failure of an earlier attempt with the same name. */
  failureOf(url: string): Posted | undefined {
    return this.#unresolved.get(hostnameIn(url));
  }
}

/** The receiver at a URL: its origin. */
export function toReceiver(url: string): string {
  return new URL(url).origin;
}

function hostnameIn(url: string): string {
  return new URL(url).hostname;
}
