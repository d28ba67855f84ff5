import { sharedPlaces } from '../core/limits/places.js';
import type { JobQueue } from '../core/time/jobs.js';
import { type Deadline, startDeadline } from '../core/time/sleep.js';
import { applyAttempt } from './attempt.js';
import { type Delivery, type DeliveryStore, WEBHOOK_DELIVER } from './delivery.js';
import { ReceiverQueues } from './receiver-queues.js';
import { AttemptSender, type AttemptWorld, toReceiver } from './send-attempt.js';

/** How long an answer waits for the receiver of a webhook that goes first, in real milliseconds. */
const FIRST_MS = 2_000;
/** Turns of the event loop before an attempt, so that the answer to the request that caused it is written first. */
const TURNS_BEFORE = 2;

/** The parts of a world that its deliveries use. */
export interface DeliveryWorld extends AttemptWorld {
  readonly now: number;
  readonly jobs: JobQueue;
  readonly deliveries: DeliveryStore;
  armTimer(): void;
}

/** The deliveries of a world that are under way. They are stored only here, so they end with the world. */
export class RunningDeliveries {
  readonly #running = new Set<string>();
  /** Deliveries that wait until the request that caused them is answered. */
  readonly #held = new Set<string>();
  /** By delivery, the wait of an answer that comes after its first attempt. */
  readonly #deadlines = new Map<string, Deadline>();
  readonly #watchers = new Set<(tried: Delivery | null) => void>();
  #waiting: (() => void)[] = [];
  readonly #queues: ReceiverQueues;
  readonly #sender: AttemptSender;
  #isClosed = false;
  /** How many attempts have ended. Withheld deliveries have none. */
  endedCount = 0;
  /** How many of them failed. */
  failedCount = 0;

  constructor(
    private readonly world: DeliveryWorld,
    private readonly attemptEnded: () => void = () => {},
  ) {
    const { host } = world;
    this.#sender = new AttemptSender(world);
    this.#queues = new ReceiverQueues(
      (callback, ms) => host.timer(callback, ms),
      sharedPlaces(host),
      (id) => this.#attempt(id),
    );
  }

  /** How many attempts are running. */
  get runningCount(): number {
    return this.#running.size;
  }

  /** Whether the caller is a function that one of these deliveries waits for. */
  get isCaller(): boolean {
    const post = this.world.host.receiving?.getStore();
    return post !== undefined && this.#sender.isRunning(post);
  }

  /** How many attempts have ended and failed since there were so many. */
  countSince(ended: number, failed: number): { readonly deliveries: number; readonly failures: number } {
    return { deliveries: this.endedCount - ended, failures: this.failedCount - failed };
  }

  /** How many deliveries wait until their request is answered. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Starts an attempt, which ends some turns of the event loop later. */
  start(id: string): void {
    if (this.#isClosed || this.world.deliveries.find(id)?.status !== 'pending') return;
    this.#running.add(id);
    void this.#queue(id);
  }

  async #queue(id: string): Promise<void> {
    const { host, deliveries } = this.world;
    // Before its time begins: a receiver must not pay for a slow start.
    try {
      for (let turn = 0; turn < TURNS_BEFORE; turn++) await host.pause();
      await host.prepareDelivery?.();
    } catch {
      // The attempt reports it.
    }
    const delivery = deliveries.find(id);
    if (delivery === undefined) this.#end(id, undefined);
    else if (this.#running.has(id)) this.#queues.add(toReceiver(delivery.url), id);
  }

  /** Makes an attempt when its turn has come. Returns whether the receiver did not answer in time. */
  async #attempt(id: string): Promise<boolean> {
    const { deliveries, clock } = this.world;
    const delivery = this.#running.has(id) ? deliveries.find(id) : undefined;
    if (delivery === undefined) {
      this.#end(id, undefined);
      return false;
    }
    const ended = await this.#sender.send(delivery);
    // In the meantime the record may have got its journal entry, or been removed.
    const current = deliveries.find(id);
    this.#end(id, current && applyAttempt(current, ended, clock.now()));
    return 'failed' in ended.posted && ended.posted.cause === 'time';
  }

  /** Ends an attempt and stores the changed delivery; undefined if it was removed from the log in the meantime. */
  #end(id: string, changed: Delivery | undefined): void {
    // The world has ended.
    if (!this.#running.delete(id)) return;
    const { deliveries, jobs } = this.world;
    if (changed !== undefined) {
      if (changed.status !== 'withheld') this.endedCount++;
      if (changed.status === 'pending' || changed.status === 'failed') this.failedCount++;
      deliveries.replace(changed);
      if (changed.due !== null) jobs.schedule(changed.due, WEBHOOK_DELIVER, id);
      for (const watch of this.#watchers) watch(changed);
      this.world.armTimer();
    }
    this.#deadlines.get(id)?.end();
    this.#deadlines.delete(id);
    this.attemptEnded();
    if (this.runningCount === 0) this.#wake();
  }

  /** Starts deliveries before the request that caused them is answered. */
  startFirst(ids: readonly string[]): void {
    const { jobs, host } = this.world;
    for (const id of ids) {
      // Withheld deliveries have no job.
      if (jobs.dueOf(WEBHOOK_DELIVER, id) === undefined) continue;
      jobs.cancel(WEBHOOK_DELIVER, id);
      this.#deadlines.set(id, startDeadline(host, FIRST_MS));
      this.start(id);
    }
  }

  /**
   * Resolves when the receivers of those deliveries that go first have answered, at the latest 2 real seconds after the commit, or
   * when the world ends. Null if the answer need not wait.
   */
  waitForReceivers(caused: readonly string[]): Promise<unknown> | null {
    const waits = caused.flatMap((id) => this.#deadlines.get(id)?.over ?? []);
    return waits.length === 0 ? null : Promise.all(waits);
  }

  /** Begins an advance: running attempts are limited to the shorter time. */
  limitAttempts(): void {
    this.#sender.limitAttempts();
  }

  /**
   * Holds deliveries that have not started until the returned function is called, because the request that caused them is not
   * answered yet.
   */
  hold(caused: readonly string[]): () => void {
    const { jobs } = this.world;
    const dues = new Map<string, number>();
    for (const id of caused) {
      const due = jobs.dueOf(WEBHOOK_DELIVER, id);
      if (due === undefined) continue;
      dues.set(id, due);
      this.#held.add(id);
      jobs.cancel(WEBHOOK_DELIVER, id);
    }
    return () => {
      for (const [id, due] of dues) this.#release(id, due);
      this.#wake();
    };
  }

  #release(id: string, due: number): void {
    const { deliveries, jobs, now } = this.world;
    const isPending = this.#held.delete(id) && deliveries.find(id)?.status === 'pending';
    if (isPending) jobs.schedule(Math.max(due, now), WEBHOOK_DELIVER, id);
  }

  /** Resolves when the last running attempt has ended, a held delivery is released, or the world ends. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when no attempt is running, or when the world ends. */
  async whenIdle(): Promise<void> {
    while (this.runningCount > 0) await this.nextChange();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  get watcherCount(): number {
    return this.#watchers.size;
  }

  /** Calls back with each delivery after an attempt, and with null when the world ends. Returns a function that cancels this. */
  watch(callback: (tried: Delivery | null) => void): () => void {
    this.#watchers.add(callback);
    return () => this.#watchers.delete(callback);
  }

  /** Aborts running attempts, which then change nothing. */
  close(): void {
    this.#isClosed = true;
    this.#running.clear();
    this.#held.clear();
    this.#queues.clear();
    this.#sender.close();
    for (const { end } of this.#deadlines.values()) end();
    this.#deadlines.clear();
    for (const watch of this.#watchers) watch(null);
    this.#wake();
  }
}
