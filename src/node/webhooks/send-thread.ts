import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { ABORTED, type Post, type Posted } from '../../core/post.js';
import { deliverWorker } from '../machine/shipped.js';
import { createSender } from './send.js';
import type { END, PostOrder, READY, PostReport } from './deliver-worker.js';
import { OWN_PORTS } from './own-ports.js';

/** How long a thread may take to start. After that, deliveries do without it. */
const START_MS = 10_000;

/** The Node options that change how connections are made; the thread gets no others. */
const NETWORK_OPTION =
  /^--(?:dns-result-order|network-family-autoselection|tls-|use-(?:bundled|openssl|system)-ca)/;

type OnPosted = (posted: Posted) => void;

/** On a thread, so that DNS, sockets and TLS do not delay answers. Keeps the process alive only during a delivery. */
class SendThread {
  readonly #worker: Worker;
  readonly #underWay = new Map<number, OnPosted>();
  #nextId = 0;
  #isOver = false;
  /** Resolves when the thread reads its messages, or has ended. */
  readonly started: Promise<void>;
  #start: () => void = () => {};

  /** Throws if threads cannot be created; calls `onFailure` when the thread ends with an error. */
  constructor(
    file: URL,
    private readonly onFailure: () => void,
    startMs: number,
  ) {
    this.started = new Promise((resolve) => (this.#start = resolve));
    this.#worker = new Worker(file, {
      workerData: OWN_PORTS.buffer,
      execArgv: process.execArgv.filter((option) => NETWORK_OPTION.test(option)),
    });
    this.#worker.on('message', (message: PostReport | typeof READY) => {
      if (message === 'ready') this.#start();
      else this.#end(message.id, message.posted);
    });
    this.#worker.on('error', (error: Error) => this.#fail(error.message));
    this.#worker.on('exit', (code) => {
      this.#start();
      this.#fail(`it ended with code ${code}`);
    });
    const startTimer = setTimeout(() => this.#fail('it did not start'), startMs);
    void this.started.then(() => {
      clearTimeout(startTimer);
      // From here on the thread keeps the process alive only during a delivery; until it has started, a caller waits for it.
      if (this.isIdle) this.#worker.unref();
    });
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  async deliver({ url, headers, body, reach, signal }: Post): Promise<Posted> {
    if (signal.aborted) return { failed: ABORTED };
    const id = this.#nextId++;
    // The thread then reports what it knows, such as a status that had arrived.
    const abort = (): void => this.#worker.postMessage({ id, post: null } satisfies PostOrder);
    const posted = new Promise<Posted>((resolve) => this.#underWay.set(id, resolve));
    if (this.#underWay.size === 1) this.#worker.ref();
    signal.addEventListener('abort', abort, { once: true });
    this.#worker.postMessage({ id, post: { url, headers, body, reach } } satisfies PostOrder);
    return posted;
  }

  #end(id: number, posted: Posted): void {
    const ended = this.#underWay.get(id);
    this.#underWay.delete(id);
    if (this.isIdle) this.#worker.unref();
    ended?.(posted);
  }

  /** Deliveries in progress may have been sent. They count as failed attempts, and are repeated later. */
  #fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onFailure();
    void this.#worker.terminate();
    const failed = `the delivery thread failed: ${reason}`;
    for (const id of this.#underWay.keys()) this.#end(id, { failed });
  }

  end(): void {
    this.#isOver = true;
    this.#worker.postMessage('end' satisfies typeof END);
  }
}

/**
 * Posts for all sandboxes of the process, on a thread that is created for the first post. If it cannot be created, and after it has
 * failed, posts are sent from the main thread.
 */
export class WebhookSender {
  readonly #sendFromMainThread = createSender();
  #thread: SendThread | null = null;
  #isThreadable: boolean;

  constructor(
    private readonly worker: URL = deliverWorker(),
    private readonly startMs = START_MS,
  ) {
    this.#isThreadable = worker.protocol === 'data:' || existsSync(worker);
  }

  /** Resolves when posts can be sent at once. */
  async prepare(): Promise<void> {
    await this.#obtainThread()?.started;
  }

  deliver(post: Post): Promise<Posted> {
    return this.#obtainThread()?.deliver(post) ?? this.#sendFromMainThread(post);
  }

  #obtainThread(): SendThread | null {
    if (!this.#isThreadable) return null;
    try {
      return (this.#thread ??= new SendThread(this.worker, () => this.#useMainThread(), this.startMs));
    } catch {
      // Threads may be forbidden.
      this.#useMainThread();
      return null;
    }
  }

  #useMainThread(): void {
    this.#thread = null;
    this.#isThreadable = false;
  }

  /** Ends the thread unless it is busy; the next delivery starts another one. */
  endIfIdle(): void {
    if (this.#thread?.isIdle !== true) return;
    this.#thread.end();
    this.#thread = null;
  }
}
