import type { Clock } from '../core/clock.js';
import type { Host } from '../core/host.js';
import type { JobQueue } from '../core/jobs.js';
import type { Post, Posted } from '../core/post.js';
import { maskPasswords } from '../core/secrets.js';
import type { Script } from '../scenarios/script.js';
import { VERSION } from '../version.js';
import { Lanes } from './lanes.js';
import { type Delivery, type DeliveryStore, type Reach, RETRY_AFTER_MS, WEBHOOKS_ARE_OFF } from './record.js';
import { serviceHeaders } from './message.js';

/** How long a receiver may take to answer, in real milliseconds; shorter while an advance waits for it. */
export const TIMEOUT_MS = 10_000;
export const ADVANCE_TIMEOUT_MS = 1_000;
/** Turns of the event loop before the first webhook, so that the answer of its request is written first. */
const TURNS_BEFORE = 2;
const NOTE_MAX = 300;

export interface DispatchWorld {
  readonly now: number;
  readonly settings: {
    readonly webhooks: Reach;
    readonly webhookSecret: string | null;
    readonly webhookHeaderPrefix: string;
  };
  /** Whether the clock is being moved: then a receiver gets less time to answer. */
  readonly isAdvancing: boolean;
  readonly clock: Clock;
  readonly host: Host;
  readonly jobs: JobQueue;
  readonly script: Script;
  readonly deliveries: DeliveryStore;
  armTimer(): void;
}

/** Called when an attempt has ended; with undefined if its delivery was evicted meanwhile. */
type Ended = (id: string, became: Delivery | undefined) => void;

/** Makes the attempts of one world. */
export class Courier {
  readonly #lanes: Lanes;
  readonly #attempts = new Set<Attempt>();
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

  /** Makes an attempt in its turn. */
  async take(id: string): Promise<void> {
    for (let turn = 0; turn < TURNS_BEFORE; turn++) await this.world.host.pause();
    if (this.#closed) return;
    const delivery = this.world.deliveries.find(id);
    if (delivery === undefined) this.ended(id, undefined);
    else this.#lanes.add(receiverOf(delivery), id);
  }

  async #attempt(id: string): Promise<void> {
    const { world } = this;
    const delivery = world.deliveries.find(id);
    if (this.#closed || delivery === undefined) return this.ended(id, undefined);
    const began = world.clock.now();
    const posted = await this.#post(delivery);
    if (this.#closed) return;
    // Its record may have got its entry in the journal meanwhile, or have made room.
    const now = world.deliveries.find(id);
    this.ended(id, now && became(now, posted, began, world.clock.now()));
  }

  async #post(delivery: Delivery): Promise<Posted> {
    const { host, settings, isAdvancing } = this.world;
    const { webhooks: reach } = settings;
    if (reach === 'off' || host.deliver === undefined) return { withheld: WEBHOOKS_ARE_OFF };
    const attempt = new Attempt(host, isAdvancing ? ADVANCE_TIMEOUT_MS : TIMEOUT_MS);
    this.#attempts.add(attempt);
    try {
      const { url, body } = delivery;
      const headers = await this.#headersOf(delivery);
      const post: Post = { url, headers, body, reach, signal: attempt.signal };
      return await Promise.race([host.deliver(post), attempt.over]);
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    } finally {
      attempt.end();
      this.#attempts.delete(attempt);
    }
  }

  /** Gives what is under way no more time than an advance has for it. */
  hurry(): void {
    for (const attempt of this.#attempts) attempt.limit(ADVANCE_TIMEOUT_MS);
  }

  async #headersOf(delivery: Delivery): Promise<Record<string, string>> {
    const { script, settings } = this.world;
    const secret = script.scenario?.webhooks?.secret ?? settings.webhookSecret;
    const { authorization } = delivery;
    return {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `playmoney/${VERSION}`,
      ...(authorization === null ? {} : { authorization }),
      ...(await serviceHeaders(delivery, settings.webhookHeaderPrefix, secret)),
    };
  }

  /** Breaks off what is under way. */
  close(): void {
    this.#closed = true;
    this.#lanes.clear();
    for (const attempt of this.#attempts) attempt.abort();
  }
}

/** The time that a receiver has for its answer. */
class Attempt {
  readonly #abort = new AbortController();
  /** Resolves when the time is over. */
  readonly over: Promise<Posted>;
  #giveUp: (posted: Posted) => void = () => {};
  #cancel = (): void => {};
  #until = Infinity;

  constructor(
    private readonly host: Host,
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
      this.#giveUp({ failed: `no answer within ${timeoutMs / 1000} s` });
    };
    // An advance waits for it.
    this.#cancel = this.host.timer(giveUp, timeoutMs, timeoutMs === ADVANCE_TIMEOUT_MS);
  }

  abort(): void {
    this.end();
    this.#abort.abort();
  }

  end(): void {
    this.#cancel();
  }
}

/** What shares a place in the line: everything at one origin. */
function receiverOf({ url }: Delivery): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** A delivery after an attempt that began at one instant and ended at another. */
function became(delivery: Delivery, posted: Posted, began: number, now: number): Delivery {
  if ('withheld' in posted) {
    return {
      ...delivery,
      status: 'withheld',
      due: null,
      responseStatus: null,
      note: noteOf(posted.withheld),
    };
  }
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, attempted: began };
  const failed = 'failed' in posted;
  if (!failed && posted.status >= 200 && posted.status <= 299) {
    const note = posted.note === undefined ? null : noteOf(posted.note);
    return { ...tried, status: 'delivered', due: null, responseStatus: posted.status, note };
  }
  const after = RETRY_AFTER_MS[attempts - 1];
  return {
    ...tried,
    status: after === undefined ? 'failed' : 'pending',
    // An attempt may take longer than the next one is away.
    due: after === undefined ? null : Math.max(began + after, now),
    responseStatus: failed ? null : posted.status,
    note: noteOf(failed ? posted.failed : `answered ${posted.status}, and only 2xx counts`),
  };
}

function noteOf(said: string): string {
  // What delivers may be the user's own, and say where to.
  const text = maskPasswords(said);
  return text.length <= NOTE_MAX ? text : `${text.slice(0, NOTE_MAX - 1)}…`;
}
