import type { Host } from '../core/host.js';
import { ABORTED, type Post, type Posted } from '../core/post.js';
import type { Clock } from '../core/time/clock.js';
import { VERSION } from '../core/version.js';
import type { Script } from '../scenarios/script/script.js';
import { describeThrown, type EndedAttempt, readPosted } from './attempt.js';
import { type Delivery, describeOff, type WebhookReach } from './delivery.js';
import { buildServiceHeaders } from './message.js';

/** How long a receiver may take to answer, in real milliseconds. */
export const TIMEOUT_MS = 10_000;
/** A shorter time, while an advance waits for the receiver. */
export const ADVANCE_TIMEOUT_MS = 1_000;
/** How long an advance waits in all for a receiver that does not answer. Attempts at the same time count once. */
const ADVANCE_PATIENCE_MS = 10_000;
/** How long each attempt may take after that. */
export const SILENT_TIMEOUT_MS = 50;
const SILENT_EARLIER = `; earlier attempts in this advance waited ${ADVANCE_PATIENCE_MS / 1000} s for it`;

type FailedPost = Extract<Posted, { readonly failed: string }>;

/** The parts of a world that an attempt uses. */
export interface AttemptWorld {
  readonly settings: {
    readonly webhooks: WebhookReach;
    readonly webhookSecret: string | null;
    readonly webhookHeaderPrefix: string;
    /** Set by a reset of the world. */
    readonly own: { readonly webhooks: WebhookReach | null; readonly webhookSecret: string | null };
  };
  /** Whether the clock is being advanced, during which receivers have less time to respond. */
  readonly isAdvancing: boolean;
  readonly clock: Clock;
  readonly host: Host;
  readonly script: Script;
}

/** Sends the attempts of a world, each within its time. */
export class AttemptSender {
  readonly #running = new Set<TimedAttempt>();
  /** By receiver, how long the advance has waited without an answer. Counted and not measured, so it is the same in each run. */
  readonly #waited = new Map<string, number>();
  /** By host name, why it was not resolved in this advance. */
  readonly #unresolved = new Map<string, Posted>();

  constructor(private readonly world: AttemptWorld) {}

  /** Makes an attempt. Whatever happens in it is its result. */
  async send(delivery: Delivery): Promise<EndedAttempt> {
    const { clock, host, isAdvancing, settings } = this.world;
    const { url, body } = delivery;
    const { webhooks: reach } = settings;
    const unsent = { began: clock.now(), durationMs: 0, sent: {} };
    if (reach === 'off' || host.deliver === undefined)
      return { ...unsent, posted: { withheld: describeOff(settings.own.webhooks, host) } };
    const failure = isAdvancing ? this.#unresolved.get(new URL(url).hostname) : undefined;
    if (failure !== undefined) return { ...unsent, posted: failure };
    const attempt = new TimedAttempt(host, toReceiver(url));
    this.#running.add(attempt);
    try {
      const headers = await this.#buildHeaders(delivery);
      if (attempt.signal.aborted) return { ...unsent, posted: { failed: ABORTED } };
      this.#startTime(attempt);
      const startedAt = host.now();
      const posted = attempt.judge(
        await postWebhook(host, { url, headers, body, reach, signal: attempt.signal }),
      );
      if (this.world.isAdvancing && 'failed' in posted) this.#noteFailure(attempt, url, posted);
      return { ...unsent, durationMs: host.now() - startedAt, sent: headers, posted };
    } catch (error) {
      // A host may throw before the post, for example if it starts no more timers.
      return { ...unsent, posted: { failed: describeThrown(error) } };
    } finally {
      this.#running.delete(attempt);
    }
  }

  async #buildHeaders(delivery: Delivery): Promise<Record<string, string>> {
    const { host, script, settings } = this.world;
    const secret = settings.own.webhookSecret ?? script.scenario?.webhooks?.secret ?? settings.webhookSecret;
    const { authorization } = delivery;
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `playmoney/${VERSION}`,
      ...(authorization === null ? {} : { authorization }),
      ...(await buildServiceHeaders(delivery, settings.webhookHeaderPrefix, secret, host)),
    };
  }

  #startTime(attempt: TimedAttempt): void {
    attempt.waitedBefore = this.#waitedFor(attempt.receiver);
    if (!this.world.isAdvancing) attempt.limit(TIMEOUT_MS);
    else attempt.limit(this.#isGivenUp(attempt.receiver) ? SILENT_TIMEOUT_MS : ADVANCE_TIMEOUT_MS);
  }

  #waitedFor(receiver: string): number {
    return this.#waited.get(receiver) ?? 0;
  }

  #isGivenUp(receiver: string): boolean {
    return this.#waitedFor(receiver) >= ADVANCE_PATIENCE_MS;
  }

  /** Notes what would delay the advance again. When it has given a receiver up, the attempts that wait for it are cut short. */
  #noteFailure(attempt: TimedAttempt, url: string, failure: FailedPost): void {
    const { receiver, waitedBefore } = attempt;
    if (failure.cause === 'name') this.#unresolved.set(new URL(url).hostname, failure);
    if (failure.cause !== 'time') return;
    const waited = Math.max(this.#waitedFor(receiver), waitedBefore + ADVANCE_TIMEOUT_MS);
    this.#waited.set(receiver, waited);
    if (!this.#isGivenUp(receiver)) return;
    this.#running.delete(attempt);
    for (const other of this.#running) if (other.receiver === receiver) other.limit(SILENT_TIMEOUT_MS);
  }

  /** Whether a signal is that of a running attempt. */
  isRunning(signal: AbortSignal): boolean {
    return [...this.#running].some((attempt) => attempt.signal === signal);
  }

  /** Begins an advance, which knows nothing of earlier ones: running attempts are limited to the shorter time. */
  limitAttempts(): void {
    this.#waited.clear();
    this.#unresolved.clear();
    for (const attempt of this.#running) {
      attempt.waitedBefore = 0;
      attempt.limit(ADVANCE_TIMEOUT_MS);
    }
  }

  /** Aborts running attempts. */
  close(): void {
    for (const attempt of this.#running) attempt.abort();
  }
}

/** The receiver at a URL: its origin. */
export function toReceiver(url: string): string {
  return new URL(url).origin;
}

async function postWebhook(host: Host, post: Post): Promise<Posted> {
  try {
    return readPosted(await host.deliver?.(post));
  } catch (error) {
    return { failed: describeThrown(error) };
  }
}

/** An attempt with its time limit. */
class TimedAttempt {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  /** How long the advance had waited for the receiver when the attempt began. */
  waitedBefore = 0;
  #cancelTimer = (): void => {};
  #until = Infinity;
  /** The limit that was exceeded, in real milliseconds; null while there is time. */
  #exceededMs: number | null = null;

  constructor(
    private readonly host: Host,
    readonly receiver: string,
  ) {}

  /** Aborts the attempt after this time, in real milliseconds, unless it has less. */
  limit(timeoutMs: number): void {
    const until = this.host.now() + timeoutMs;
    if (until >= this.#until) return;
    this.#until = until;
    this.#cancelTimer();
    const giveUp = (): void => {
      this.#exceededMs = timeoutMs;
      this.abort();
    };
    // An advance waits for this timer, so it must keep the process alive.
    this.#cancelTimer = this.host.timer(giveUp, timeoutMs, timeoutMs <= ADVANCE_TIMEOUT_MS);
  }

  abort(): void {
    this.#cancelTimer();
    this.#controller.abort();
  }

  /** The result of the attempt. A status that had arrived when the time was over counts. */
  judge(posted: Posted): Posted {
    this.#cancelTimer();
    const ms = this.#exceededMs;
    if (ms === null || !('failed' in posted) || posted.cause === 'name') return posted;
    const earlier = ms === SILENT_TIMEOUT_MS ? SILENT_EARLIER : '';
    return { failed: `no response within ${ms / 1000} s${earlier}`, cause: 'time' };
  }
}
