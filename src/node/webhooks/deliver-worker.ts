// Runs on the delivery thread, as a separate program in the bundle. The other end is in send-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';

import type { Post, Posted } from '../../core/post.js';
import { createSender } from './send.js';

/** A post with its number; null aborts it. */
export interface PostOrder {
  readonly id: number;
  readonly post: Omit<Post, 'signal'> | null;
}

export interface PostReport {
  readonly id: number;
  readonly posted: Posted;
}

/** Sent once, when the thread has started to read. */
export const READY = 'ready';
/** Asks the thread to end after its connections. */
export const END = 'end';

const port = parentPort;
if (port !== null) runPostOrders(port, workerData as SharedArrayBuffer);

function runPostOrders(main: NonNullable<typeof parentPort>, ownPorts: SharedArrayBuffer): void {
  const deliver = createSender(undefined, new Uint8Array(ownPorts));
  const underWay = new Map<number, AbortController>();
  const carryOut = async (id: number, post: Omit<Post, 'signal'>): Promise<void> => {
    const attempt = new AbortController();
    underWay.set(id, attempt);
    const posted = await deliver({ ...post, signal: attempt.signal }).catch(toFailedPost);
    underWay.delete(id);
    main.postMessage({ id, posted } satisfies PostReport);
  };
  main.postMessage(READY);
  main.on('message', (order: PostOrder | typeof END) => {
    // The port of Deno cannot be closed; its threads close themselves.
    if (order === END) ('close' in main ? main : globalThis).close();
    else if (order.post === null) underWay.get(order.id)?.abort();
    else void carryOut(order.id, order.post);
  });
}

function toFailedPost(error: unknown): Posted {
  return { failed: error instanceof Error ? error.message : String(error) };
}
