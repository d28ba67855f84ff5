import type { Clock } from '../core/time/clock.js';
import type { Host } from '../core/host.js';
import type { JobQueue } from '../core/time/jobs.js';
import type { Post, Posted } from '../core/post.js';
import { maskPasswords } from '../core/text/secrets.js';
import type { Script } from '../scenarios/script/script.js';
import { VERSION } from '../core/version.js';
import { type EndedAttempt, isDelivered, recordAttempt } from './attempt.js';
import { Lanes } from './lanes.js';
import { type Delivery, type DeliveryStore, type Reach, RETRY_AFTER_MS, WEBHOOKS_ARE_OFF } from './record.js';
import { serviceHeaders } from './message.js';
import { receiverOf, Silence } from './silence.js';

/** How long a receiver may take to answer, in real milliseconds; shorter while an advance waits for it. */
export const TIMEOUT_MS = 10_000;
export const ADVANCE_TIMEOUT_MS = 1_000;
/** The same for a receiver that did not answer earlier in the advance. */
export const SILENT_TIMEOUT_MS = 50;
/** Turns of the event loop before the first webhook, so that the answer of its request is written first. */
const TURNS_BEFORE = 2;
const NOTE_MAX = 300;

export interface DispatchWorld {
  readonly now: number;
  readonly settings: {
    readonly webhooks: Reach;
    readonly webhookSecret: string | null;
    readonly webhookHeaderPrefix: string;
    /** Set by a reset of the world. */
    readonly own: { readonly webhookSecret: string | null };
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
type Ended = (id: string, changed: Delivery | undefined) => void;

/** Makes the attempts of one world. */
export class Courier {
  readonly #lanes: Lanes;
  readonly #attempts = new Set<RunningAttempt>();
  readonly #silence = new Silence();
  #closed = false;

  constructor(
    private readonly world: DispatchWorld,
    private readonly ended: Ended,
  ) {
    const { host } = world;
    this.#lanes = new Lanes(
      (callback, ms) => host.timer(callback, ms),
      (id) => this.#attempt(id),
    );
  }

  /** Makes an attempt when its turn comes. */
  async take(id: string): Promise<void> {
    for (let turn = 0; turn < TURNS_BEFORE; turn++) await this.world.host.pause();
    if (this.#closed) return;
    const delivery = this.world.deliveries.find(id);
    if (delivery === undefined) this.ended(id, undefined);
    else this.#lanes.add(receiverOf(delivery.url), id);
  }

  /** Returns whether the receiver did not answer in time. */
  async #attempt(id: string): Promise<boolean> {
    const { world } = this;
    const delivery = world.deliveries.find(id);
    if (this.#closed || delivery === undefined) {
      this.ended(id, undefined);
      return false;
    }
    const began = world.clock.now();
    const { host } = world;
    const from = host.now();
    const { sent, posted } = await this.#post(delivery);
    if (this.#closed) return false;
    if (world.isAdvancing) this.#remember(delivery, posted);
    const durationMs = host.now() - from;
    // In the meantime the record may have got its journal entry, or been removed.
    const now = world.deliveries.find(id);
    if (now === undefined) this.ended(id, undefined);
    else if ('withheld' in posted) this.ended(id, afterRefusal(now, posted.withheld));
    else this.ended(id, afterAttempt(now, { began, durationMs, sent, posted }, world.clock.now()));
    return isLate(posted);
  }

  async #post(delivery: Delivery): Promise<{ sent: EndedAttempt['sent']; posted: Posted }> {
    const { host, settings, isAdvancing } = this.world;
    const { webhooks: reach } = settings;
    let sent: EndedAttempt['sent'] = {};
    if (reach === 'off' || host.deliver === undefined)
      return { sent, posted: { withheld: WEBHOOKS_ARE_OFF } };
    const { url, body } = delivery;
    const failure = isAdvancing ? this.#silence.failureOf(url) : undefined;
    if (failure !== undefined) return { sent, posted: failure };
    const receiver = receiverOf(url);
    const inAdvance = this.#silence.has(receiver) ? SILENT_TIMEOUT_MS : ADVANCE_TIMEOUT_MS;
    const attempt = new RunningAttempt(host, receiver, isAdvancing ? inAdvance : TIMEOUT_MS);
    this.#attempts.add(attempt);
    try {
      sent = await this.#headersOf(delivery);
      const post: Post = { url, headers: sent, body, reach, signal: attempt.signal };
      return { sent, posted: await Promise.race([host.deliver(post), attempt.over]) };
    } catch (error) {
      return { sent, posted: { failed: error instanceof Error ? error.message : String(error) } };
    } finally {
      attempt.end();
      this.#attempts.delete(attempt);
    }
  }

  /** Remembers a receiver that would delay the advance again. Attempts that wait for the same receiver are cut short. */
  #remember({ url }: Delivery, posted: Posted): void {
    this.#silence.note(url, posted);
    if (!isLate(posted)) return;
    const receiver = receiverOf(url);
    for (const attempt of this.#attempts) if (attempt.receiver === receiver) attempt.limit(SILENT_TIMEOUT_MS);
  }

  /** Begins an advance: running attempts are limited to the shorter time. */
  hurry(): void {
    this.#silence.clear();
    for (const attempt of this.#attempts) attempt.limit(ADVANCE_TIMEOUT_MS);
  }

  async #headersOf(delivery: Delivery): Promise<Record<string, string>> {
    const { script, settings } = this.world;
    const secret = settings.own.webhookSecret ?? script.scenario?.webhooks?.secret ?? settings.webhookSecret;
    const { authorization } = delivery;
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `playmoney/${VERSION}`,
      ...(authorization === null ? {} : { authorization }),
      ...(await serviceHeaders(delivery, settings.webhookHeaderPrefix, secret)),
    };
  }

  /** Aborts running attempts. */
  close(): void {
    this.#closed = true;
    this.#lanes.clear();
    for (const attempt of this.#attempts) attempt.abort();
  }
}

const SILENT_EARLIER = `; there was none within ${ADVANCE_TIMEOUT_MS / 1000} s earlier in this advance`;

const isLate = (posted: Posted): boolean => 'failed' in posted && posted.cause === 'time';

/** An attempt with its time limit. */
class RunningAttempt {
  readonly #abort = new AbortController();
  /** Resolves when the time is over. */
  readonly over: Promise<Posted>;
  #giveUp: (posted: Posted) => void = () => {};
  #cancel = (): void => {};
  #until = Infinity;

  constructor(
    private readonly host: Host,
    readonly receiver: string,
    timeoutMs: number,
  ) {
    this.over = new Promise((resolve) => (this.#giveUp = resolve));
    this.limit(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts the attempt after this time, in real milliseconds. */
  limit(timeoutMs: number): void {
    const until = this.host.now() + timeoutMs;
    if (until >= this.#until) return;
    this.#until = until;
    this.#cancel();
    const giveUp = (): void => {
      this.abort();
      const earlier = timeoutMs === SILENT_TIMEOUT_MS ? SILENT_EARLIER : '';
      this.#giveUp({ failed: `no response within ${timeoutMs / 1000} s${earlier}`, cause: 'time' });
    };
    // An advance waits for this timer, so it must keep the process alive.
    this.#cancel = this.host.timer(giveUp, timeoutMs, timeoutMs <= ADVANCE_TIMEOUT_MS);
  }

  abort(): void {
    this.end();
    this.#abort.abort();
  }

  end(): void {
    this.#cancel();
  }
}

/** The delivery after it was found that its receiver must not be called. */
function afterRefusal(delivery: Delivery, reason: string): Delivery {
  return { ...delivery, status: 'withheld', due: null, responseStatus: null, note: noteOf(reason) };
}

/** The delivery after an attempt that ended `now`. */
function afterAttempt(delivery: Delivery, ended: EndedAttempt, now: number): Delivery {
  const { began } = ended;
  const attempts = delivery.attempts + 1;
  const attempt = recordAttempt(ended, noteOn(ended.posted), delivery.tried.at(-1));
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

function noteOn(posted: EndedAttempt['posted']): string | null {
  if ('failed' in posted) return noteOf(posted.failed);
  const { status, note } = posted;
  if (!isDelivered(status)) return `responded with ${status}; only 2xx counts as delivered`;
  return note === undefined ? null : noteOf(note);
}

function noteOf(said: string): string {
  // The delivery function may be the user's own, and its error may contain the URL.
  const text = maskPasswords(said);
  return text.length <= NOTE_MAX ? text : `${text.slice(0, NOTE_MAX - 1)}…`;
}
