import { Courier, type DispatchWorld } from './courier.js';
import { type Delivery, WEBHOOK_DELIVER } from './record.js';

/** The attempts of a world that are under way. Only this knows of them, so they are gone with the world. */
export class Dispatch {
  readonly #underWay = new Set<string>();
  /** Deliveries that wait for the answer to the request that caused them. */
  readonly #held = new Set<string>();
  readonly #watchers = new Set<(tried: Delivery | null) => void>();
  #waiting: (() => void)[] = [];
  readonly #courier: Courier;
  /** How many attempts have ended; what was withheld was none. */
  ended = 0;

  constructor(private readonly world: DispatchWorld) {
    this.#courier = new Courier(world, (id, became) => this.#end(id, became));
  }

  /** How many attempts have begun and not ended. */
  get busy(): number {
    return this.#underWay.size;
  }

  /** How many deliveries wait for the answer to their request. */
  get held(): number {
    return this.#held.size;
  }

  /** Begins an attempt; it ends some turns of the event loop later. */
  start(id: string): void {
    if (this.world.deliveries.find(id)?.status !== 'pending') return;
    this.#underWay.add(id);
    void this.#courier.take(id);
  }

  /** Gives the attempts under way no more time than an advance has for them. */
  hurry(): void {
    this.#courier.hurry();
  }

  /** Ends an attempt; what became of the delivery takes its place. Undefined: it had to make room in the meantime. */
  #end(id: string, became: Delivery | undefined): void {
    // A world that has ended forgot it.
    if (!this.#underWay.delete(id)) return;
    const { deliveries, jobs } = this.world;
    if (became !== undefined) {
      if (became.status !== 'withheld') this.ended++;
      deliveries.replace(became);
      if (became.due !== null) jobs.schedule(became.due, WEBHOOK_DELIVER, id);
      for (const watch of this.#watchers) watch(became);
      this.world.armTimer();
    }
    if (this.busy === 0) this.#wake();
  }

  /**
   * Keeps back deliveries that have not begun until the returned function is called: the request that caused them is
   * not answered yet.
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

  /** Resolves when the last attempt under way has ended or a held delivery is let go, or when the world ends. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when no attempt is under way any more, or when the world ends. */
  async drained(): Promise<void> {
    while (this.busy > 0) await this.change();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** How many are called back. */
  get watching(): number {
    return this.#watchers.size;
  }

  /** Calls back with every delivery of which an attempt has ended, and with null when the world ends; returns the cancelling. */
  watch(callback: (tried: Delivery | null) => void): () => void {
    this.#watchers.add(callback);
    return () => this.#watchers.delete(callback);
  }

  /** Gives up what is under way: none of it changes anything any more. */
  close(): void {
    this.#underWay.clear();
    this.#held.clear();
    this.#courier.close();
    for (const watch of this.#watchers) watch(null);
    this.#wake();
  }
}
