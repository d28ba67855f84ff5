import type { Host } from '../../core/host.js';
import { Alarm } from '../../core/time/alarm.js';
import { JobQueue } from '../../core/time/jobs.js';

/** The kind of the jobs that wake a world. */
const WAKE = 'wake';

/** The identifiers of the saved worlds that are not in memory, and when each must wake, by the wall clock. */
export class SleepingWorlds {
  readonly #ids = new Set<string>();
  readonly #dues = new JobQueue();
  readonly #alarm: Alarm;

  constructor(
    private readonly host: Host,
    wake: (ids: readonly string[]) => void,
  ) {
    this.#alarm = new Alarm(host, () => {
      wake(this.#due());
      this.#arm();
    });
  }

  get size(): number {
    return this.#ids.size;
  }

  get ids(): string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string, due: number | null): void {
    this.#ids.add(id);
    if (due !== null) this.#dues.schedule(due, WAKE, id);
    this.#arm();
  }

  delete(id: string): void {
    this.#ids.delete(id);
    this.#dues.cancel(WAKE, id);
  }

  /** Wakes no more worlds. */
  end(): void {
    this.#alarm.clear();
  }

  #due(): string[] {
    const ids: string[] = [];
    while (this.#dues.nextDue <= this.host.now()) ids.push(this.#dues.take()?.ref ?? '');
    return ids;
  }

  #arm(): void {
    this.#alarm.setFor(this.#dues.nextDue, (instant) => Math.max(0, instant - this.host.now()));
  }
}
