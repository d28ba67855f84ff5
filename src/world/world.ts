import { BATCH_JOB, countRowsDone } from '../records/batch.js';
import { Alarm } from '../core/time/alarm.js';
import { Chance } from '../core/ids/chance.js';
import { type AdvanceTarget, Clock, type ClockSpeed } from '../core/time/clock.js';
import { refuse, CODE } from '../core/errors.js';
import type { Host } from '../core/host.js';
import { type AdvanceSummary, type Job, JobQueue, type JobWindow, RunLog } from '../core/time/jobs.js';
import type { SeedWords } from '../core/ids/random.js';
import type { Memory } from '../core/limits/memory.js';
import { Pool } from '../core/store/pool.js';
import { formatInstant } from '../core/time/time.js';
import { Waits } from '../core/time/sleep.js';
import { Journal } from '../journal/journal.js';
import type { Replacement, Watch } from '../journal/watch.js';
import { type BankAccount, CardPool } from '../records/payment-method.js';
import { deriveWorldName } from '../core/keys.js';
import { Records } from './tables.js';
import type { Scenario } from '../scenarios/script/model.js';
import { Script } from '../scenarios/script/script.js';
import { SCENARIO_TIMELINE, timelineOf } from '../scenarios/script/timeline.js';
import type { EventType } from '../records/webhook-subscription.js';
import { RunningDeliveries } from '../webhooks/deliveries.js';
import type { NotifiedEvent } from '../webhooks/message.js';
import { Outbox } from '../webhooks/outbox.js';
import type { WorldSettings } from './settings.js';

/** Runs one due job; returns how many steps of work it took. */
export type JobHandler = (world: World, job: Job, window: JobWindow) => number;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Functions of the slices, which a world does not import. */
export interface WorldParts {
  readonly memory: Memory;
  readonly jobs: JobHandlers;
  /** A scenario whose rules come before those of the world's own. */
  readonly injected?: Scenario | null;
  readonly presentEvent: (world: World, type: EventType, id: string) => NotifiedEvent['data'];
  /** Called when an attempt of a delivery has ended. */
  readonly attemptEnded?: () => void;
}

/** How many steps of work fit into one turn of the event loop: about a millisecond of batch rows. */
const STEPS_PER_TURN = 100;
/** An estimate of the memory that the jobs of a turn take up. */
const TURN_BYTES = 100 * 1024;

/** The world of a secret key: its records, clock, randomness and jobs. */
export class World extends Records {
  /** A short hash of the key, for headers and lists, which do not reveal the key. */
  readonly keyHash: string;
  readonly clock: Clock;
  readonly jobs = new JobQueue();
  readonly cards = new CardPool();
  readonly bankAccounts = new Pool<BankAccount>();
  readonly texts = new Pool<string>();
  /** A restored world continues the journal of the world that it replaces. */
  journal = new Journal();
  watch: Watch | null = null;
  readonly script = new Script();
  readonly webhooks: Outbox;
  readonly runningDeliveries: RunningDeliveries;
  readonly waits: Waits;
  /** The instant of the current request or job, which is the time of everything that it does. */
  now: number;
  /** The calls in the current second of the clock, for the key sk_test_limited. */
  rate = { second: -1, calls: 0 };
  /** Only the first call is warned of a receiver without https. */
  isWarnedOfHttp = false;
  isHintedAtDialect = false;
  /** How many calls have begun and ended. A call may change the world at any time in between. */
  readonly calls = { begun: 0, ended: 0 };
  /** When the last call began, by the wall clock. */
  usedAt: number;
  readonly chance: Chance;
  readonly memory: Memory;
  #report: RunLog | null = null;
  /** How the world ended; null while it is open. */
  #closed: Replacement | 'deleted' | null = null;
  #written = { instant: NaN, text: '' };
  readonly #alarm: Alarm;

  constructor(
    readonly key: string,
    readonly settings: WorldSettings,
    private readonly parts: WorldParts,
    readonly host: Host,
    /** The base of identifiers and draws; by default it is derived from the seed and the name. */
    base?: SeedWords,
  ) {
    const chance = new Chance(settings.seed, settings.name ?? key, base);
    super(chance, settings.recordsMax);
    this.keyHash = deriveWorldName(key);
    this.chance = chance;
    this.memory = parts.memory;
    if (parts.injected) this.script.inject(parts.injected);
    this.clock = new Clock(host, settings.clock);
    this.webhooks = new Outbox(this, (type, id) => parts.presentEvent(this, type, id));
    this.runningDeliveries = new RunningDeliveries(this, parts.attemptEnded);
    this.waits = new Waits(host);
    this.#alarm = new Alarm(host, () => void this.#onTimer());
    this.now = this.clock.now();
    this.usedAt = host.now();
  }

  /** Formats an instant. The last one is cached, because most instants in an answer are the current time. */
  instantText(instant: number): string {
    if (instant !== this.#written.instant) this.#written = { instant, text: formatInstant(instant) };
    return this.#written.text;
  }

  get isAdvancing(): boolean {
    return this.#report !== null;
  }

  /** Switches to another scenario, or none. The timeline of the previous one stops. */
  play(scenario: Scenario | null): void {
    const providers = scenario?.providers ?? [];
    this.requireRoom(this.providers, 'providers', providers.length);
    this.providers.replaceScripted(providers, this.now);
    for (const i of timelineOf(this.script.scenario).keys()) this.jobs.cancel(SCENARIO_TIMELINE, String(i));
    this.script.startScenario(scenario, this.now);
    for (const [i, { at }] of timelineOf(scenario).entries()) {
      this.jobs.schedule(this.now + at, SCENARIO_TIMELINE, String(i));
    }
  }

  /** Runs the due jobs before a request is handled: null if that is done, a promise if it takes more than one turn. */
  enter(): Promise<void> | null {
    const now = this.clock.now();
    if (!this.#runTurn(now)) return this.#catchUp(now);
    this.now = now;
    return null;
  }

  async #catchUp(now: number): Promise<void> {
    do {
      await this.host.pause();
      this.requireOpen();
    } while (!this.#runTurn(now));
    // Not the current time of the clock, since jobs due after `now` have not run. Another request may be further ahead.
    this.now = Math.max(this.now, now);
  }

  /** Runs due jobs for one turn. Returns true if none is left at or before the instant. */
  #runTurn(through: number, isAdvance = false): boolean {
    let steps = STEPS_PER_TURN;
    while (this.jobs.nextDue <= through) {
      if (steps <= 0) return false;
      // Webhooks of an instant arrive before the next instant.
      if (isAdvance && this.runningDeliveries.runningCount > 0 && this.jobs.nextDue > this.now) return false;
      const job = this.jobs.take();
      if (!job) break;
      const report = this.#report;
      if (report) this.clock.moveTo(job.due);
      this.now = Math.max(this.now, job.due);
      const handler = this.parts.jobs[job.kind];
      if (!handler) throw new Error(`No handler for jobs of kind ${job.kind}`);
      const rows = countRowsDone(this.batches, job);
      steps -= handler(this, job, { through, before: this.jobs.nextDue, steps });
      // Webhooks of a job belong to no request, and come before no answer.
      this.webhooks.takeCaused();
      this.webhooks.takeFirst();
      if (report) {
        this.clock.moveTo(this.now);
        // A batch takes many turns, of which only the last counts, so that turns are not visible.
        report.count(job.kind, countRowsDone(this.batches, job) - rows);
        if (job.kind !== BATCH_JOB.rows) report.add(job);
      }
    }
    return true;
  }

  /**
   * Moves the clock forward and runs every due job at its own instant, in order. Then the clock continues from there, with
   * `change` in another mode. Refuses to go back, and a second advance while one is running.
   */
  async advance(target: AdvanceTarget, change?: ClockSpeed): Promise<AdvanceSummary> {
    if (this.#report)
      refuse(CODE.RetryLater, 'Another call is advancing the clock of this world. Wait until it has ended.', {
        httpStatus: 409,
      });
    const { from, to } = this.clock.plan(target);
    const report = new RunLog();
    this.#report = report;
    this.clock.hold();
    this.runningDeliveries.limitAttempts();
    const { endedCount, failedCount } = this.runningDeliveries;
    try {
      while (!this.#runTurn(to, true) || this.runningDeliveries.runningCount > 0) {
        this.memory.requireRoom(TURN_BYTES);
        await (this.runningDeliveries.runningCount > 0
          ? this.runningDeliveries.whenIdle()
          : this.host.pause());
        this.requireOpen();
      }
      this.clock.moveTo(to);
      this.now = this.clock.now();
      if (change) this.clock.change(change);
    } finally {
      this.clock.release();
      this.#report = null;
      // The clock was moved, so the delay of the timer is no longer valid.
      this.#alarm.forget();
    }
    return {
      from,
      now: this.now,
      ...report.list(),
      ...this.runningDeliveries.countSince(endedCount, failedCount),
    };
  }

  /** Sets a timer for the next due job, so that jobs also run when there are no calls. */
  armTimer(): void {
    const due = this.#closed || this.#report ? Infinity : this.jobs.nextDue;
    this.#alarm.setFor(due, (instant) => this.clock.realDelay(instant));
  }

  async #onTimer(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.enter();
    } catch (error) {
      // No call waits for this, so a reset in the meantime is not an error.
      if (this.#closed) return;
      throw error;
    }
    this.armTimer();
  }

  /** Ends the world. Waiting requests are refused, and no more jobs run. */
  close(how: Replacement | 'deleted' = 'reset'): void {
    this.#closed = how;
    this.journal.close();
    this.runningDeliveries.close();
    this.waits.endAll();
    this.#alarm.clear();
  }

  /** Whether a restore has replaced it. */
  get isUndone(): boolean {
    return this.#closed === 'restored';
  }

  /** Throws if the world was reset or restored while the request waited. */
  requireOpen(): void {
    if (this.#closed)
      refuse(CODE.RetryLater, `The world was ${this.#closed} while this request waited. Send it again.`);
  }
}
