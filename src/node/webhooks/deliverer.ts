import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import type { Post, Posted } from '../../core/post.js';
import { deliverWorker } from '../machine/shipped.js';
import { ABORTED, delivering } from './deliver.js';
import type { END, Order, READY, Report } from './deliver-worker.js';
import { OWN_PORTS } from './own-ports.js';

/** The maximum of concurrent deliveries in this process, for all worlds. */
const UNDER_WAY_MAX = 512;

/** The Node options that change how connections are made; the thread gets no others. */
const NETWORK_OPTION =
  /^--(?:dns-result-order|network-family-autoselection|tls-|use-(?:bundled|openssl|system)-ca)/;

type Ended = (posted: Posted) => void;

/** On a thread, so that DNS, sockets and TLS do not delay answers. Keeps the process alive only during a delivery. */
class DeliverThread {
  readonly #worker: Worker;
  readonly #underWay = new Map<number, Ended>();
  #next = 0;
  #isOver = false;
  /** Whether the thread reads its messages yet. Until then, a delivery is faster without it. */
  isReady = false;

  /** Throws if threads cannot be created; calls `died` when the thread ends with an error. */
  constructor(
    file: URL,
    private readonly died: () => void,
  ) {
    this.#worker = new Worker(file, {
      workerData: OWN_PORTS.buffer,
      execArgv: process.execArgv.filter((option) => NETWORK_OPTION.test(option)),
    });
    this.#worker.on('message', (message: Report | typeof READY) => {
      if (message === 'ready') this.isReady = true;
      else this.#end(message.id, message.posted);
    });
    this.#worker.on('error', (error: Error) => this.#die(error.message));
    this.#worker.on('exit', (code) => this.#die(`it ended with code ${code}`));
    // Last, because a new listener keeps the process alive again.
    this.#worker.unref();
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  async deliver({ url, headers, body, reach, signal }: Post): Promise<Posted> {
    if (signal.aborted) return { failed: ABORTED };
    const id = this.#next++;
    const abort = (): void => {
      this.#worker.postMessage({ id, post: null } satisfies Order);
      this.#end(id, { failed: ABORTED });
    };
    const posted = new Promise<Posted>((resolve) => this.#underWay.set(id, resolve));
    if (this.#underWay.size === 1) this.#worker.ref();
    signal.addEventListener('abort', abort, { once: true });
    this.#worker.postMessage({ id, post: { url, headers, body, reach } } satisfies Order);
    return posted;
  }

  #end(id: number, posted: Posted): void {
    const ended = this.#underWay.get(id);
    // It may have been aborted in the meantime.
    if (ended === undefined) return;
    this.#underWay.delete(id);
    if (this.isIdle) this.#worker.unref();
    ended(posted);
  }

  /** Deliveries in progress may have been sent. They count as failed attempts, and are repeated later. */
  #die(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.died();
    const failed = `the delivery thread failed: ${reason}`;
    for (const id of this.#underWay.keys()) this.#end(id, { failed });
  }

  end(): void {
    this.#isOver = true;
    this.#worker.postMessage('end' satisfies typeof END);
  }
}

/** Limits concurrency: callers wait in line for a free slot. */
class Places {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Rejects when the caller gives up waiting. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(new Error('too many deliveries are in progress'));
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}

/**
 * Posts for all sandboxes of the process, on a thread that is created with the first post. Until the thread is ready, if it
 * cannot be created, and after it has failed, posts are sent from the main thread.
 */
export class Deliverer {
  readonly #places = new Places(UNDER_WAY_MAX);
  readonly #here = delivering();
  #thread: DeliverThread | null = null;
  #isThreadable: boolean;

  constructor(private readonly worker: URL = deliverWorker()) {
    this.#isThreadable = worker.protocol === 'data:' || existsSync(worker);
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
      // Threads may be forbidden.
      this.#doWithout();
      return null;
    }
  }

  #doWithout(): void {
    this.#thread = null;
    this.#isThreadable = false;
  }

  /** Ends the thread unless it is busy; the next delivery starts another one. */
  rest(): void {
    if (this.#thread?.isIdle !== true) return;
    this.#thread.end();
    this.#thread = null;
  }
}
