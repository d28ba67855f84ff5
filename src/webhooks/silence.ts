import type { Posted } from '../core/post.js';

/** Silent receivers, each further attempt to which would delay an advance again. */
export class Silence {
  /** Receivers that did not answer in time. */
  readonly #silent = new Set<string>();
  /** The failures of names that were not resolved. */
  readonly #unresolved = new Map<string, Posted>();

  /** Begins an advance. */
  clear(): void {
    this.#silent.clear();
    this.#unresolved.clear();
  }

  /** Remembers a receiver that did not answer in time, or whose name was not resolved. */
  note(url: string, posted: Posted): void {
    if (!('failed' in posted)) return;
    if (posted.cause === 'time') this.#silent.add(receiverOf(url));
    if (posted.cause === 'name') this.#unresolved.set(nameOf(url), posted);
  }

  has(receiver: string): boolean {
    return this.#silent.has(receiver);
  }

  /** The failure of an earlier attempt with the same name. */
  failureOf(url: string): Posted | undefined {
    return this.#unresolved.get(nameOf(url));
  }
}

/** The receiver at a URL: its origin. */
export function receiverOf(url: string): string {
  return new URL(url).origin;
}

function nameOf(url: string): string {
  return new URL(url).hostname;
}
