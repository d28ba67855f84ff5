import { existsSync } from 'node:fs';

import type { Post, Posted } from '../../core/post.js';
import { DeliverThread } from './deliver-thread.js';
import { delivering } from './deliver.js';
import { Places } from '../http/places.js';

/** How many deliveries of this process are under way at a time, of all worlds. */
const UNDER_WAY_MAX = 512;

/** Beside this file in the bundle; sources, and programs that were bundled anew, are without it. */
const WORKER = new URL('./deliver-worker.js', import.meta.url);

/**
 * Posts for all sandboxes of the process: on a thread of its own, made with the first post. As long as that is not ready, or
 * where there can be none, or it has died, on the thread that answers too.
 */
export class Deliverer {
  readonly #places = new Places(UNDER_WAY_MAX);
  readonly #here = delivering();
  #thread: DeliverThread | null = null;
  #isThreadable: boolean;

  constructor(private readonly worker: URL = WORKER) {
    this.#isThreadable = existsSync(worker);
  }

  async deliver(post: Post): Promise<Posted> {
    await this.#places.take(post.signal);
    try {
      return await (this.#ready()?.deliver(post) ?? this.#here(post));
    } finally {
      this.#places.leave();
    }
  }

  #ready(): DeliverThread | null {
    if (!this.#isThreadable) return null;
    try {
      this.#thread ??= new DeliverThread(this.worker, () => this.#doWithout());
      return this.#thread.isReady ? this.#thread : null;
    } catch {
      // Forbidden, for instance.
      this.#doWithout();
      return null;
    }
  }

  #doWithout(): void {
    this.#thread = null;
    this.#isThreadable = false;
  }

  /** Ends the thread unless it is posting for somebody; the next post makes another one. */
  rest(): void {
    if (this.#thread?.isIdle !== true) return;
    this.#thread.end();
    this.#thread = null;
  }
}
