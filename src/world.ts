import { BATCH_ROWS } from './batches/model.js';
import { Alarm } from './core/alarm.js';
import { Chance } from './core/chance.js';
import { type AdvanceTarget, Clock, type ClockChange, type ClockSettings } from './core/clock.js';
import type { Dialect } from './core/dialect.js';
import { refuse, CODE } from './core/errors.js';
import type { Host } from './core/host.js';
import { type Job, JobQueue, RunLog } from './core/jobs.js';
import { type Identifiers, shortHash, type Words } from './core/random.js';
import type { Table } from './core/store.js';
import { formatInstant } from './core/time.js';
import { Journal } from './journal/journal.js';
import { BankAccountPool, CardPool } from './payment-methods/model.js';
import { Records } from './records.js';
import type { Scenario } from './scenarios/model.js';
import { Script } from './scenarios/script.js';
import { SCENARIO_TIMELINE, timelineOf } from './scenarios/timeline.js';

/** What a world is made from, beside its key: the same settings and requests give the same answers. */
export interface WorldSettings {
  readonly seed: string;
  readonly clock: ClockSettings;
  /** What its calls speak unless they ask for another by themselves. */
  readonly dialect: Dialect;
  readonly tokenTtl: number;
  readonly authorisationTtl: number;
  /** Milliseconds for each row of a batch; null: the default pace. */
  readonly batchPace: number | null;
  /** How many records of one kind a world holds at most. */
  readonly recordsMax: number;
}

/** How far one run of a job may go, and how much it may do before the event loop gets a turn. */
export interface JobWindow {
  /** The last instant that belongs to this advance. */
  readonly through: number;
  /** The instant of the next other job, which must run in its turn; Infinity when there is none. */
  readonly before: number;
  /** How many steps the job may take. */
  readonly steps: number;
}

/** Runs one due job; returns how many steps of work it took. */
export type JobHandler = (world: World, job: Job, window: JobWindow) => number;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Work between two turns of the event loop: a millisecond of batch rows, and some more before they are compiled. */
const STEPS_PER_TURN = 100;
export interface AdvanceReport {
  readonly from: number;
  readonly now: number;
  readonly ran: readonly Job[];
  readonly jobs: number;
}

/** All that one secret key can see: its records, its clock, its randomness, its jobs. */
export class World extends Records {
  /** A short name for headers and listings that does not give the key away. */
  readonly name: string;
  readonly clock: Clock;
  readonly jobs = new JobQueue();
  readonly cards = new CardPool();
  readonly bankAccounts = new BankAccountPool();
  /** What the world was asked and answered; it outlives a restore. */
  journal = new Journal();
  /** What the world has been told to answer. */
  readonly script = new Script();
  /** The instant of the request or job at hand; everything within it bears this time. */
  now: number;
  /** Service calls in the current second of the clock, for the key that is limited. */
  rate = { second: -1, calls: 0 };
  /** Identifiers, draws and counts. */
  readonly chance: Chance;
  readonly #gatewayIds: Identifiers;
  /** What the advance under way ran so far, whoever ran it; null while no advance runs. */
  #report: RunLog | null = null;
  /** What ended the world; null while it is open. */
  #closed: 'reset' | 'restored' | null = null;
  #written = { instant: NaN, text: '' };
  readonly #alarm: Alarm;

  constructor(
    readonly key: string,
    readonly settings: WorldSettings,
    private readonly handlers: JobHandlers,
    readonly host: Host,
    /** What identifiers and draws are made from, where not from seed and key. */
    base?: Words,
  ) {
    const chance = new Chance(settings.seed, key, base);
    super(chance, settings.recordsMax);
    this.name = shortHash(`world:${key}`);
    this.chance = chance;
    this.#gatewayIds = chance.identifiers('gateway');
    this.clock = new Clock(host, settings.clock);
    this.#alarm = new Alarm(host, () => void this.#onTimer());
    this.now = this.clock.now();
  }

  /** The identifier that the gateway behind a charge gave it. */
  gatewayIdOf(charge: number): string {
    return `ch_${this.#gatewayIds.at(charge).slice(0, 24)}`;
  }

  /** An instant as the wire writes it. The last one is remembered: most of an answer's instants are now. */
  instantText(instant: number): string {
    if (instant !== this.#written.instant) this.#written = { instant, text: formatInstant(instant) };
    return this.#written.text;
  }

  /** Plays a scenario from now on, or none: the timeline of the one before never goes on. */
  play(scenario: Scenario | null): void {
    const providers = scenario?.providers ?? [];
    this.requireRoom(this.providers, 'providers', providers.length);
    this.providers.bring(providers, this.now);
    for (const i of timelineOf(this.script.scenario).keys()) this.jobs.cancel(SCENARIO_TIMELINE, i);
    this.script.use(scenario);
    for (const [i, { offsetMs }] of timelineOf(scenario).entries()) {
      this.jobs.schedule(this.now + offsetMs, SCENARIO_TIMELINE, i);
    }
  }

  /** Refuses when a table has no room for more records. */
  requireRoom(table: Table<unknown>, what: string, count = 1): void {
    if (table.hasRoom(count)) return;
    refuse(CODE.RetryLater, `This world is full: it holds at most ${table.max} ${what}. Reset it to go on.`);
  }

  /**
   * Brings the world to the present before a request: runs what is due at or before now. Returns
   * null when that was done at once, or a promise when there is more work than one turn should hold.
   */
  enter(): Promise<void> | null {
    const now = this.clock.now();
    if (this.jobs.nextDue > now) {
      this.now = now;
      return null;
    }
    if (this.#runTurn(now)) {
      this.now = now;
      return null;
    }
    return this.#catchUp(now);
  }

  async #catchUp(now: number): Promise<void> {
    do {
      await this.host.pause();
      this.requireOpen();
    } while (!this.#runTurn(now));
    // Not the clock's time by now: what became due since has not run. Another request may have gone further.
    this.now = Math.max(this.now, now);
  }

  /** Runs jobs due at or before an instant, for one turn; true when none is left. */
  #runTurn(through: number): boolean {
    let steps = STEPS_PER_TURN;
    while (this.jobs.nextDue <= through) {
      if (steps <= 0) return false;
      const job = this.jobs.take();
      if (!job) break;
      const report = this.#report;
      if (report) this.clock.moveTo(job.due);
      this.now = Math.max(this.now, job.due);
      const handler = this.handlers[job.kind];
      if (!handler) throw new Error(`No handler for jobs of kind ${job.kind}`);
      steps -= handler(this, job, { through, before: this.jobs.nextDue, steps });
      if (report) {
        this.clock.moveTo(this.now);
        // A batch takes many turns; only the job that ends it counts, so that turns stay invisible.
        if (job.kind !== BATCH_ROWS) report.note(job);
      }
    }
    return true;
  }

  /**
   * Moves the clock forward and runs every job due on the way at its own instant, in order; then the
   * clock goes on from there, in another mode where a change is given. Backwards is refused, and so is
   * a second advance while one runs.
   */
  async advance(target: AdvanceTarget, change?: ClockChange): Promise<AdvanceReport> {
    if (this.#report)
      refuse(CODE.RetryLater, 'Another advance of this world is running; wait for it.', { httpStatus: 409 });
    const { from, to } = this.clock.plan(target);
    const report = new RunLog();
    this.#report = report;
    this.clock.hold();
    try {
      while (!this.#runTurn(to)) {
        await this.host.pause();
        this.requireOpen();
      }
      this.clock.moveTo(to);
      this.now = this.clock.now();
      if (change) this.clock.change(change.mode, change.rate);
    } finally {
      this.clock.release();
      this.#report = null;
      // Whatever the timer was set for, the clock has moved under it.
      this.#alarm.forget();
    }
    return { from, now: to, ran: report.ran, jobs: report.jobs };
  }

  /** Keeps one timer for the next due job, so that time also passes while nobody asks. */
  armTimer(): void {
    const due = this.#closed || this.#report ? Infinity : this.jobs.nextDue;
    this.#alarm.setFor(due, (instant) => this.clock.realDelay(instant));
  }

  async #onTimer(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.enter();
    } catch (error) {
      // Nobody waits for this: a reset in the meantime is no error.
      if (this.#closed) return;
      throw error;
    }
    this.armTimer();
  }

  /** Ends the world: waiting requests are refused and nothing of it runs any more. */
  close(how: 'reset' | 'restored' = 'reset'): void {
    this.#closed = how;
    this.journal.close();
    this.#alarm.clear();
  }

  /** Refuses when the world was reset or restored while its caller waited. */
  requireOpen(): void {
    if (this.#closed)
      refuse(CODE.RetryLater, `The world was ${this.#closed} while this request waited. Send it again.`);
  }
}
