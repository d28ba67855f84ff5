import { type AsyncLocalStorage, createHook } from 'node:async_hooks';

/** Timers, file operations, look-ups and the like, which end by themselves. No sockets: those stay. */
const COUNTED = /^(?:Timeout|Immediate|(?!HTTP)\w*REQ\w*)$/;
/** The milliseconds of timers, or other steps, for which a party is waited for until its next call. After them, it counts as polling. */
const PATIENCE = 100;

/** The timers and file operations that a party has begun and waits for. */
export class PendingWork {
  readonly #begun = new Set<number>();
  #patience = PATIENCE;

  get isEmpty(): boolean {
    return this.#begun.size === 0;
  }

  /** Counted, not measured: a busy machine must not change the order of calls. */
  begin(id: number, cost: number): void {
    if (this.#patience < cost) return;
    this.#patience -= cost;
    this.#begun.add(id);
  }

  end(id: number): void {
    this.#begun.delete(id);
  }

  /** The party has come to a call. */
  renew(): void {
    this.#patience = PATIENCE;
  }
}

/** Notes what the owners in a store begin and end, until the returned function is called. */
export function watchWork(owners: AsyncLocalStorage<{ readonly work: PendingWork }>): () => void {
  const works = new Map<number, PendingWork>();
  const end = (id: number): void => {
    works.get(id)?.end(id);
    works.delete(id);
  };
  const hook = createHook({
    init: (id, type, _, resource) => {
      const work = COUNTED.test(type) ? owners.getStore()?.work : undefined;
      if (work === undefined) return;
      const { _idleTimeout: ms = 0 } = resource as { readonly _idleTimeout?: number };
      work.begin(id, Math.max(1, ms));
      works.set(id, work);
    },
    after: end,
    destroy: end,
  });
  hook.enable();
  return () => hook.disable();
}
