import type { Clock } from '../core/time/clock.js';
import type { Host } from '../core/host.js';
import type { JobQueue } from '../core/time/jobs.js';
import { sharedPlaces } from '../core/limits/places.js';
import { ABORTED, type Posted } from '../core/post.js';
import { maskPasswords } from '../core/text/secrets.js';
import type { Script } from '../scenarios/script/script.js';
import { VERSION } from '../core/version.js';
import { type EndedAttempt, isDelivered, recordAttempt } from './attempt.js';
import { ReceiverQueues } from './receiver-queues.js';
import {
  type Delivery,
  type DeliveryStore,
  type WebhookReach,
  RETRY_AFTER_MS,
  describeOff,
} from './delivery.js';
import { buildServiceHeaders } from './message.js';
import { describeThrown } from './posted.js';
import { postWebhook, RunningAttempt } from './running-attempt.js';
import { ADVANCE_TIMEOUT_MS, toReceiver, SilentReceivers, SILENT_TIMEOUT_MS } from './silent-receivers.js';

/** How long a receiver may take to answer, in real milliseconds; shorter while an advance waits for it. */
export const TIMEOUT_MS = 10_000;
/** Turns of the event loop before the first webhook, so that the answer of its request is written first. */
const TURNS_BEFORE = 2;
const NOTE_MAX = 300;

export interface DeliveryWorld {
  readonly now: number;
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
  readonly jobs: JobQueue;
  readonly script: Script;
  readonly deliveries: DeliveryStore;
  armTimer(): void;
}

/** Called when an attempt has ended, with the changed delivery; undefined if it was removed from the log in the meantime. */
type OnAttemptEnded = (id: string, changed: Delivery | undefined) => void;

/** Makes the attempts of one world. */
export class AttemptRunner {
  readonly #lanes: ReceiverQueues;
  readonly #attempts = new Set<RunningAttempt>();
  readonly #silence = new SilentReceivers();
  #closed = false;

  constructor(
    private readonly world: DeliveryWorld,
    private readonly ended: OnAttemptEnded,
  ) {
    const { host } = world;
    this.#lanes = new ReceiverQueues(
      (callback, ms) => host.timer(callback, ms),
      sharedPlaces(host),
      (id) => this.#attempt(id),
    );
  }

  /** Makes an attempt when its turn comes. */
  async queueAttempt(id: string): Promise<void> {
    const { host } = this.world;
    // Before its clock starts: a receiver must not pay for a slow start.
    try {
      for (let turn = 0; turn < TURNS_BEFORE; turn++) await host.pause();
      await host.prepareDelivery?.();
    } catch {
      // The attempt reports it.
    }
    if (this.#closed) return;
    const delivery = this.world.deliveries.find(id);
    if (delivery === undefined) this.ended(id, undefined);
    else this.#lanes.add(toReceiver(delivery.url), id);
  }

  /** Returns whether the receiver did not answer in time. */
  async #attempt(id: string): Promise<boolean> {
    const { world } = this;
    const delivery = world.deliveries.find(id);
    if (this.#closed || delivery === undefined) {
      this.ended(id, undefined);
      return false;
    }
    const known = { began: world.clock.now(), durationMs: 0, sent: {} };
    // A host may throw before the attempt begins, for example if it starts no more timers.
    const { sent, posted, began, durationMs } = await this.#post(delivery, known).catch((error: unknown) => ({
      ...known,
      posted: { failed: describeThrown(error) },
    }));
    if (this.#closed) return false;
    // In the meantime the record may have got its journal entry, or been removed.
    const now = world.deliveries.find(id);
    if (now === undefined) this.ended(id, undefined);
    else if ('withheld' in posted) this.ended(id, applyRefusal(now, posted.withheld));
    else this.ended(id, applyAttempt(now, { began, durationMs, sent, posted }, world.clock.now()));
    return isLate(posted);
  }

  async #post(
    delivery: Delivery,
    known: Omit<EndedAttempt, 'posted'>,
  ): Promise<Omit<EndedAttempt, 'posted'> & { posted: Posted }> {
    const { host, settings } = this.world;
    const { webhooks: reach } = settings;
    const { url, body } = delivery;
    if (reach === 'off' || host.deliver === undefined)
      return { ...known, posted: { withheld: describeOff(settings.own.webhooks, host) } };
    const failure = this.world.isAdvancing ? this.#silence.failureOf(url) : undefined;
    if (failure !== undefined) return { ...known, posted: failure };
    const sent = await this.#headersOf(delivery);
    if (this.#closed) return { ...known, posted: { failed: ABORTED } };
    const attempt = this.#begin(toReceiver(url));
    const from = host.now();
    const posted = attempt.end(
      await postWebhook(host, { url, headers: sent, body, reach, signal: attempt.signal }),
    );
    this.#attempts.delete(attempt);
    if (this.world.isAdvancing) this.#remember(url, attempt, posted);
    return { ...known, durationMs: host.now() - from, sent, posted };
  }

  /** Starts the clock of an attempt. */
  #begin(receiver: string): RunningAttempt {
    const { host, isAdvancing } = this.world;
    const attempt = new RunningAttempt(host, receiver, this.#silence.waitedFor(receiver));
    const inAdvance = this.#silence.isGivenUp(receiver) ? SILENT_TIMEOUT_MS : ADVANCE_TIMEOUT_MS;
    attempt.limit(isAdvancing ? inAdvance : TIMEOUT_MS);
    this.#attempts.add(attempt);
    return attempt;
  }

  /** Remembers what would delay the advance again. Attempts that wait for a receiver are cut short when nobody waits for it any more. */
  #remember(url: string, { receiver, waitedBefore }: RunningAttempt, posted: Posted): void {
    if (!('failed' in posted)) return;
    if (posted.cause === 'name') this.#silence.noteUnresolved(url, posted);
    if (posted.cause !== 'time') return;
    this.#silence.noteLate(receiver, waitedBefore);
    if (!this.#silence.isGivenUp(receiver)) return;
    for (const attempt of this.#attempts) if (attempt.receiver === receiver) attempt.limit(SILENT_TIMEOUT_MS);
  }

  /** Whether a signal is that of a running attempt. */
  isRunning(signal: AbortSignal): boolean {
    return [...this.#attempts].some((attempt) => attempt.signal === signal);
  }

  /** Begins an advance: running attempts are limited to the shorter time. */
  limitAttempts(): void {
    this.#silence.clear();
    for (const attempt of this.#attempts) {
      attempt.waitedBefore = 0;
      attempt.limit(ADVANCE_TIMEOUT_MS);
    }
  }

  async #headersOf(delivery: Delivery): Promise<Record<string, string>> {
    const { script, settings } = this.world;
    const secret = settings.own.webhookSecret ?? script.scenario?.webhooks?.secret ?? settings.webhookSecret;
    const { authorization } = delivery;
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `playmoney/${VERSION}`,
      ...(authorization === null ? {} : { authorization }),
      ...(await buildServiceHeaders(delivery, settings.webhookHeaderPrefix, secret)),
    };
  }

  /** Aborts running attempts. */
  close(): void {
    this.#closed = true;
    this.#lanes.clear();
    for (const attempt of this.#attempts) attempt.abort();
  }
}

const isLate = (posted: Posted): boolean => 'failed' in posted && posted.cause === 'time';

/** The delivery after it was found that its receiver must not be called. */
function applyRefusal(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'withheld', due: null, responseStatus: null, note: shortenNote(reason) };
}

/** The delivery after an attempt that ended `now`. */
function applyAttempt(delivery: Delivery, ended: EndedAttempt, now: number): Delivery {
  const { began } = ended;
  const attempts = delivery.attempts + 1;
  const attempt = recordAttempt(ended, describeResult(ended.posted), delivery.tried.at(-1));
  const { responseStatus, note } = attempt;
  const tried = [...delivery.tried, attempt];
  const changed = { ...delivery, attempts, tried, attempted: began, responseStatus, note };
  if (isDelivered(responseStatus)) return { ...changed, status: 'delivered', due: null };
  const after = RETRY_AFTER_MS[attempts - 1];
  return {
    ...changed,
    status: after === undefined ? 'failed' : 'pending',
    // The attempt may have taken longer than the time to the next one.
    due: after === undefined ? null : Math.max(began + after, now),
  };
}

function describeResult(posted: EndedAttempt['posted']): string | null {
  if ('failed' in posted) return shortenNote(posted.failed);
  const { status, note } = posted;
  if (!isDelivered(status)) return `responded with ${status}; only 2xx counts as delivered`;
  return note === undefined ? null : shortenNote(note);
}

function shortenNote(said: string): string {
  // The delivery function may be the user's own, and its error may contain the URL.
  const text = maskPasswords(said);
  return text.length <= NOTE_MAX ? text : `${text.slice(0, NOTE_MAX - 1)}…`;
}
