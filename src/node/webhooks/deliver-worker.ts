// What runs on the thread of deliveries: a program of its own in the bundle. See deliverer.ts for the other end.
import { parentPort, workerData } from 'node:worker_threads';

import type { Post, Posted } from '../../core/post.js';
import { delivering } from './deliver.js';
import { OwnPorts } from './own-ports.js';

/** A post by its number; null: it is broken off. */
export interface Order {
  readonly id: number;
  readonly post: Omit<Post, 'signal'> | null;
}

/** What became of a post. */
export interface Report {
  readonly id: number;
  readonly posted: Posted;
}

/** Said once: it reads from now on. */
export const READY = 'ready';
/** Asks the thread to end when its connections have. */
export const END = 'end';

const port = parentPort;
if (port !== null) serveOrders(port, workerData as SharedArrayBuffer);

function serveOrders(main: NonNullable<typeof parentPort>, ownPorts: SharedArrayBuffer): void {
  const deliver = delivering(undefined, new OwnPorts(ownPorts));
  const underWay = new Map<number, AbortController>();
  const carryOut = async (id: number, post: Omit<Post, 'signal'>): Promise<void> => {
    const attempt = new AbortController();
    underWay.set(id, attempt);
    const posted = await deliver({ ...post, signal: attempt.signal }).catch(failed);
    underWay.delete(id);
    // Whoever broke it off knows what became of it.
    if (!attempt.signal.aborted) main.postMessage({ id, posted } satisfies Report);
  };
  main.postMessage(READY);
  main.on('message', (order: Order | typeof END) => {
    if (order === END) main.close();
    else if (order.post === null) underWay.get(order.id)?.abort();
    else void carryOut(order.id, order.post);
  });
}

function failed(error: unknown): Posted {
  return { failed: error instanceof Error ? error.message : String(error) };
}
