import { type Deadline, startDeadline } from '../core/time/sleep.js';
import { AttemptRunner, type DeliveryWorld } from './run-attempts.js';
import { type Delivery, WEBHOOK_DELIVER } from './delivery.js';

/** How long an answer waits for the receiver of a webhook that goes first, in real milliseconds. */
const FIRST_MS = 2_000;

/** The running attempts of a world. They are stored only here, so they end with the world. */
export class RunningDeliveries {
  readonly #underWay = new Set<string>();
  /** Deliveries that wait until the request that caused them is answered. */
  readonly #held = new Set<string>();
  /** By delivery, the wait of an answer that comes after its first attempt. */
  readonly #first = new Map<string, Deadline>();
  readonly #watchers = new Set<(tried: Delivery | null) => void>();
  #waiting: (() => void)[] = [];
  readonly #courier: AttemptRunner;
  /** How many attempts have ended. Withheld deliveries have none. */
  endedCount = 0;

  constructor(
    private readonly world: DeliveryWorld,
    private readonly attemptEnded: () => void = () => {},
  ) {
    this.#courier = new AttemptRunner(world, (id, changed) => this.#end(id, changed));
  }

  /** How many attempts are running. */
  get runningCount(): number {
    return this.#underWay.size;
  }

  /** Whether the caller is a function that one of these deliveries waits for. */
  get isCaller(): boolean {
    const post = this.world.host.receiving?.getStore();
    return post !== undefined && this.#courier.isRunning(post);
  }

  /** How many deliveries wait until their request is answered. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Starts an attempt, which ends some turns of the event loop later. */
  start(id: string): void {
    if (this.world.deliveries.find(id)?.status !== 'pending') return;
    this.#underWay.add(id);
    void this.#courier.queueAttempt(id);
  }

  /** Starts deliveries before the request that caused them is answered. */
  startFirst(ids: readonly string[]): void {
    const { jobs, host } = this.world;
    for (const id of ids) {
      // Withheld deliveries have no job.
      if (jobs.dueOf(WEBHOOK_DELIVER, id) === undefined) continue;
      jobs.cancel(WEBHOOK_DELIVER, id);
      this.#first.set(id, startDeadline(host, FIRST_MS));
      this.start(id);
    }
  }

  /**
   * Resolves when the receivers of those deliveries that go first have answered, at the latest 2 real seconds after the commit, or
   * when the world ends. Null if the answer need not wait.
   */
  waitForReceivers(caused: readonly string[]): Promise<unknown> | null {
    const waits = caused.flatMap((id) => this.#first.get(id)?.over ?? []);
    return waits.length === 0 ? null : Promise.all(waits);
  }

  /** Begins an advance: running attempts are limited to the shorter time. */
  limitAttempts(): void {
    this.#courier.limitAttempts();
  }

  /** Ends an attempt and stores the changed delivery; undefined if it was removed from the log in the meantime. */
  #end(id: string, changed: Delivery | undefined): void {
    // The world has ended.
    if (!this.#underWay.delete(id)) return;
    const { deliveries, jobs } = this.world;
    if (changed !== undefined) {
      if (changed.status !== 'withheld') this.endedCount++;
      deliveries.replace(changed);
      if (changed.due !== null) jobs.schedule(changed.due, WEBHOOK_DELIVER, id);
      for (const watch of this.#watchers) watch(changed);
      this.world.armTimer();
    }
    this.#first.get(id)?.end();
    this.#first.delete(id);
    this.attemptEnded();
    if (this.runningCount === 0) this.#wake();
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
    const isWanted = this.#held.delete(id) && deliveries.find(id)?.status === 'pending';
    if (isWanted) jobs.schedule(Math.max(due, now), WEBHOOK_DELIVER, id);
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

  /** The number of callbacks. */
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
    this.#underWay.clear();
    this.#held.clear();
    this.#courier.close();
    for (const { end } of this.#first.values()) end();
    this.#first.clear();
    for (const watch of this.#watchers) watch(null);
    this.#wake();
  }
}
