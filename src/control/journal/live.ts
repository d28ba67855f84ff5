import type { Context } from 'hono';
import * as z from 'zod';

import { CODE, refuse } from '../../core/errors.js';
import type { Host } from '../../core/host.js';
import { formatInstant } from '../../core/time/time.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { buildAnswerHeaders, sendStream } from '../../http/answers/respond.js';
import { optionalQueryFlag } from '../../http/fields/list-fields.js';
import { route } from '../../http/route.js';
import { type Replacement, Watch } from '../../journal/watch.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { presentCounts, presentJob, maskWorldName } from '../presenter.js';
import { presentHeldCall } from '../scenario/hold.js';
import { presentBriefEntries } from './presenter.js';

export const READERS_MAX = 20;

export const BACKLOG_MAX = 100;
/** How many exchanges are sent at once. If there are more, the oldest are skipped and counted. */
export const BURST_MAX = 100;
/** The pause after a burst, in real milliseconds. */
const PACE_MS = 50;
/** How often a reader looks for changes that do not wake it, such as jobs, in real milliseconds. */
export const TICK_MS = 500;
/** After this silence, in real milliseconds, a comment shows that the connection is open. */
export const HEARTBEAT_MS = 15_000;

const HEARTBEAT = ': nothing new\n\n';

export const LIVE_ROW = route({
  method: 'get',
  path: '/_sandbox/live',
  id: 'lookOn',
  summary: 'Stream events as they happen',
  text: 'Server-sent events named exchange, world, replaced and skipped. An exchange has no bodies and headers.',
  query: z.lazy(() =>
    z.object({ Once: optionalQueryFlag().describe('Ends after the first events. Default: false.') }),
  ),
  response: 'text/event-stream',
  errors: [CODE.RetryLater],
  handle: (c, { query }) => {
    const headers = buildAnswerHeaders(c.get('exchange'), 'text/event-stream; charset=utf-8');
    // Compression in between would hold the events back, and so would buffers of nginx.
    headers['cache-control'] = 'no-store, no-transform';
    headers['x-accel-buffering'] = 'no';
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    return sendStream(c, streamEvents(openReader(c), c, query.Once === true), { status: 200, headers });
  },
});

function openReader(c: Context<Env>): LiveReader {
  const world = requireWorld(c);
  const watch = (world.watch ??= new Watch());
  if (watch.size >= READERS_MAX) {
    const detail = `At most ${READERS_MAX} readers may watch a world at a time. Close one and try again.`;
    refuse(CODE.RetryLater, detail);
  }
  const { worlds, host } = c.get('edge');
  return new LiveReader(worlds, world.key, world, watch, host);
}

/** The events of a reader, produced when they are read. */
function streamEvents(reader: LiveReader, c: Context<Env>, isOnce: boolean): ReadableStream<Uint8Array> {
  const { signal } = c.req.raw;
  const { host } = c.get('edge');
  const utf8 = new TextEncoder();
  const goAway = (): void => reader.leave();
  signal.addEventListener('abort', goAway);
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFirst) await host.sleep(PACE_MS);
        isFirst = false;
        const news = await reader.read();
        if (news !== null) controller.enqueue(utf8.encode(news));
        if (news !== null && !isOnce) return;
        signal.removeEventListener('abort', goAway);
        goAway();
        controller.close();
      },
      cancel: goAway,
    },
    { highWaterMark: 0 },
  );
}

/** A live reader of the world of a key. Each read returns what is new since the last one; nothing is queued. */
class LiveReader {
  readonly #watch: Watch;
  readonly #leaveWatch: () => void;
  #next: number;
  #replacements: number;
  #seen = '';
  #silentMs = 0;
  #hasLeft = false;
  #wake = (): void => {};

  constructor(
    private readonly worlds: Worlds,
    private readonly key: string,
    { journal }: World,
    watch: Watch,
    private readonly host: Host,
  ) {
    this.#watch = watch;
    this.#leaveWatch = watch.join(() => this.#wake());
    this.#next = Math.max(journal.oldestId, journal.nextId - BACKLOG_MAX);
    this.#replacements = watch.replacements;
  }

  async read(): Promise<string | null> {
    for (;;) {
      const world = this.worlds.find(this.key);
      if (world === undefined || this.#watch.isOver || this.#hasLeft) {
        this.leave();
        return null;
      }
      const news = this.#look(world);
      if (news !== '') return news;
      await this.#wait();
    }
  }

  leave(): void {
    this.#hasLeft = true;
    this.#leaveWatch();
    const world = this.worlds.find(this.key);
    if (this.#watch.size === 0 && world?.watch === this.#watch) world.watch = null;
    this.#wake();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
      const cancel = this.host.timer(() => {
        this.#silentMs += TICK_MS;
        end();
      }, TICK_MS);
      this.#wake = end;
    });
  }

  #look(world: World): string {
    const exchanges = this.#lookAtExchanges(world);
    const news = this.#lookAtPlace(world) + exchanges + this.#lookAtWorld(world);
    if (news === '' && this.#silentMs < HEARTBEAT_MS) return '';
    this.#silentMs = 0;
    return news === '' ? HEARTBEAT : news;
  }

  #lookAtPlace({ journal }: World): string {
    const { replacements, latest } = this.#watch;
    if (replacements === this.#replacements) return '';
    this.#replacements = replacements;
    const Undone = journal.branch.undone.map(({ from, to }) => ({ From: from, To: to }));
    return formatEvent('replaced', {
      How: latest,
      NextEntryId: journal.nextId,
      Undone,
    } satisfies ReplacedEvent);
  }

  #lookAtExchanges(world: World): string {
    const { journal } = world;
    const from = Math.max(this.#next, journal.nextId - BURST_MAX, journal.oldestId);
    const skipped = from - this.#next;
    const entries = [...journal.entries(from)];
    this.#next = journal.nextId;
    const news = presentBriefEntries(world, entries).map((entry) => formatEvent('exchange', entry));
    return (skipped > 0 ? formatEvent('skipped', { Count: skipped }) : '') + news.join('');
  }

  #lookAtWorld(world: World): string {
    const seen = presentWorldEvent(world, this.#watch, this.worlds);
    // A moving clock needs no event: readers compute the time from its rate.
    const { mode } = world.clock;
    const seenText = JSON.stringify(mode === 'manual' ? seen : { ...seen, Now: null });
    if (seenText === this.#seen) return '';
    this.#seen = seenText;
    return formatEvent('world', seen);
  }
}

/** An event as browsers read it. JSON escapes all line breaks, so the data is one line. */
function formatEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** How a world was replaced, and which of its calls before `NextEntryId` are undone since then: from one up to another. */
export interface ReplacedEvent {
  readonly How: Replacement;
  readonly NextEntryId: number;
  readonly Undone: readonly { readonly From: number; readonly To: number }[];
}

/** A world as its live readers see it. Reading it runs no jobs. */
function presentWorldEvent(world: World, { changes }: Watch, { created }: Worlds) {
  const { clock, script, journal, runningDeliveries, jobs } = world;
  const { next } = jobs;
  return {
    World: world.keyHash,
    Name: maskWorldName(world),
    Seed: world.settings.seed,
    Dialect: world.settings.dialect,
    Scenario: script.scenario?.name ?? null,
    Now: formatInstant(clock.now()),
    Mode: clock.mode,
    Rate: clock.rate,
    /** How many real milliseconds each answer is delayed. */
    Delay: world.settings.delay,
    Next: next === undefined ? null : presentJob(world, next),
    Counts: presentCounts(world),
    /** How many calls will be held, and those that wait already. */
    Held: script.holds.list().reduce((sum, { count }) => sum + count, 0),
    Waiting: script.holds.waiting().map(presentHeldCall),
    QueuedOutcomes: script.queues().reduce((sum, { steps }) => sum + steps.length, 0),
    OldestEntryId: journal.oldestId,
    Attempts: runningDeliveries.endedCount,
    /** How many calls of the control plane were answered while there was a live reader. */
    Changes: changes,
    /** When the server started, by the computer's clock. */
    Started: formatInstant(created),
  };
}
export type WorldEvent = ReturnType<typeof presentWorldEvent>;
