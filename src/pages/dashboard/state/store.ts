import { batch, computed, signal } from '@preact/signals';

import { type Access, type ControlError, fetchControl, explainFailure } from './api.js';
import { Cache } from './cache.js';
import { fetchListedKeys, shareKeys } from './key-sharing.js';
import { Keyring, tabStorage } from './keyring.js';
import { type ConnectionState, LiveEvents, type StreamEvent } from './live-events.js';
import { notice, type Notice } from './notices.js';
import {
  parseRoute,
  type Query,
  replaceAddress,
  type Route,
  routeHref,
  takeKeyFromAddress,
} from './route.js';
import type { AdvanceResponse, ReplacedEvent, WorldEvent } from './wire.js';
import { listFeed } from './wire.js';
import { describeRestart, estimateNow } from '../text/when.js';

/** How many calls the page holds. Older ones are in the journal. */
const FEED_MAX = 500;
/** How often live events change the page at most, in milliseconds. */
const FLUSH_MS = 250;
/** How often the time is shown anew while the clock runs, in milliseconds. */
const TICK_MS = 500;

export type DialogName = 'worlds' | 'clock' | 'palette' | 'keys';

/** The state of the page, and its actions. */
class Store {
  readonly keyring = new Keyring(tabStorage());
  readonly route = signal<Route>(parseRoute(location.hash));
  readonly seen = signal<WorldEvent | null>(null);
  /** The newest calls, the latest first. The journal has dropped those before the oldest; they cannot be opened. */
  readonly feed = computed(() =>
    listFeed(this.#exchanges.value, this.replaced.value, this.seen.value?.OldestEntryId ?? 0),
  );
  readonly connection = signal<ConnectionState>('connecting');
  /** The last reset or restore, and when it was in real time. */
  readonly replaced = signal<(ReplacedEvent & { readonly at: number }) | null>(null);
  readonly trouble = signal<string | null>(null);
  readonly notice = notice;
  readonly dialog = signal<DialogName | null>(null);
  /** The jobs that ran when the clock was last moved. */
  readonly lastAdvance = signal<AdvanceResponse | null>(null);
  /** The world's time in milliseconds since 1970, estimated while its clock runs. */
  readonly now = computed(() => {
    void this.#tick.value;
    return estimateNow(this.seen.value, performance.now() - this.#seenAt);
  });
  readonly isOpen = computed(() => this.seen.value !== null);
  readonly #cache = signal<Cache | null>(null);
  readonly #tick = signal(0);
  readonly #exchanges = signal<readonly StreamEvent[]>([]);
  #line: LiveEvents | null = null;
  #seenAt = 0;
  #access: Access = this.access;
  #waiting: StreamEvent[] = [];
  #flushedAt = -FLUSH_MS;
  #flush = 0;
  #isAnew = false;
  /** Whether the page itself has asked for the world to be replaced. */
  #replaces = false;
  /** The world that the server did not open by its name, and why. */
  #unnamed: { readonly world: string; readonly reason: string } | null = null;
  readonly #openShown = (): void => this.#switch(() => this.keyring.begin(null, this.keyring.world));

  constructor() {
    this.keyring.begin(takeKeyFromAddress(), this.route.peek().world);
    this.#open();
    shareKeys(this.keyring, this.#openShown);
    setInterval(() => {
      if (!document.hidden) this.#tick.value++;
    }, TICK_MS);
  }

  get access(): Access {
    return this.keyring.access;
  }

  get cache(): Cache {
    const cache = this.#cache.value;
    if (cache === null) throw new Error('The cache was read before the store opened a world.');
    return cache;
  }

  /** Shows the address. Returns whether it is another place, and not only another filter or row. */
  showAddress(hash: string): boolean {
    const before = this.route.peek();
    const { world, view, id } = (this.route.value = parseRoute(hash));
    if (world !== null && world !== this.#shown) this.#switch(() => this.keyring.open(world));
    this.#carryWorld();
    return view !== before.view || id !== before.id || world !== before.world;
  }

  /** Changes filters or the open row, without a new entry in the browser's history. */
  changeQuery(changes: Query): void {
    const hash = routeHref(this.route.peek(), changes);
    if (hash === location.hash) return;
    replaceAddress(hash);
    this.route.value = parseRoute(hash);
  }

  notify(text: string, isBad = false, more?: Notice['more'], links: Notice['links'] = []): void {
    notice.value = { text, isBad, more, links };
  }

  enterKey(key: string, adminToken: string): void {
    this.#switch(() => this.keyring.switchTo(key, adminToken));
  }

  /** Sends a call and shows a notice with the result; returns the answer, or null if it failed. */
  async callAndNotify<T = unknown>(
    method: string,
    path: string,
    body: unknown,
    done: string | ((answer: T) => string) | null,
    more?: Notice['more'],
  ): Promise<T | null> {
    this.#replaces = /\/(?:restore|reset|state)$/.test(path);
    try {
      const answer = (await fetchControl(this.access, method, path, body)) as T;
      this.cache.outdateAll();
      if (done !== null) this.notify(typeof done === 'string' ? done : done(answer), false, more);
      return answer;
    } catch (error) {
      this.#replaces = false;
      this.notify(explainFailure(error), true);
      return null;
    }
  }

  #switch(change: () => void): void {
    this.cache.close();
    this.#line?.close();
    change();
    batch(() => {
      this.seen.value = null;
      this.notice.value = null;
      this.dialog.value = null;
      this.lastAdvance.value = null;
      this.#clear();
      this.#open();
    });
  }

  get #shown(): string | undefined {
    return this.seen.peek()?.World ?? this.keyring.name;
  }

  /** Puts the world that is shown into the address, so that its links can be opened elsewhere. */
  #carryWorld(): void {
    const world = this.seen.peek()?.World;
    const route = this.route.peek();
    if (world === undefined || world === route.world) return;
    this.route.value = { ...route, world };
    replaceAddress(routeHref(route, {}, world));
  }

  #open(): void {
    const access = (this.#access = this.access);
    const refused = (error: ControlError): void => {
      if (access !== this.#access) return;
      if (error.status === 401 && access.world !== null) this.#doWithoutName(access.world, error);
      else if (error.wantsAdmin || error.status === 401) this.dialog.value = 'worlds';
    };
    this.#cache.value = new Cache(access, refused);
    this.#line = new LiveEvents(access, {
      state: (state, why) => this.#onConnection(state, why),
      event: (event) => this.#onEvent(event),
      refused,
    });
  }

  /** The server opens no world by its name. Perhaps the key that was entered last is that of the world. */
  #doWithoutName(world: string, error: ControlError): void {
    this.#switch(() => (this.keyring.world = null));
    this.#unnamed = { world, reason: error.message };
  }

  #onConnection(state: ConnectionState, why: string | null): void {
    batch(() => {
      this.connection.value = state;
      this.trouble.value = why;
      // A stream begins with earlier calls, which may be in the feed already.
      if (state === 'open') [this.#isAnew, this.#waiting] = [true, []];
    });
    this.#cache.peek()?.outdateAll();
  }

  #clear(): void {
    clearTimeout(this.#flush);
    this.#flush = 0;
    this.#waiting = [];
    this.#exchanges.value = [];
    this.replaced.value = null;
  }

  /** The first event is shown at once, and those that follow closely together. */
  #onEvent(event: StreamEvent): void {
    this.#waiting.push(event);
    if (this.#flush !== 0) return;
    const wait = Math.max(0, this.#flushedAt + FLUSH_MS - performance.now());
    this.#flush = window.setTimeout(() => this.#show(), wait);
  }

  #show(): void {
    const events = this.#waiting.splice(0);
    this.#flush = 0;
    this.#flushedAt = performance.now();
    // Calls that came too fast to be sent leave a gap: what is older stays in the journal only.
    const gap = events.findLastIndex(({ name }) => name === 'skipped');
    const calls = events.slice(gap + 1).filter(({ name }) => name === 'exchange');
    const before = gap < 0 && !this.#isAnew ? this.#exchanges.peek() : [];
    batch(() => {
      if (this.#isAnew) this.#clear();
      if (calls.length > 0) this.#exchanges.value = [...calls.toReversed(), ...before].slice(0, FEED_MAX);
      const replaced = events.findLast(({ name }) => name === 'replaced');
      if (replaced !== undefined) {
        const event = (this.replaced.value = { ...(replaced.data as ReplacedEvent), at: Date.now() });
        // The page says itself what it did.
        if (!this.#replaces) this.notify(`The world was ${event.How}.`);
        this.#replaces = false;
      }
      this.#isAnew = false;
      const last = events.findLast(({ name }) => name === 'world');
      if (last !== undefined) this.#onWorld(last.data as WorldEvent);
    });
    this.#cache.peek()?.outdateAll();
  }

  #onWorld(seen: WorldEvent): void {
    this.#seenAt = performance.now();
    const before = this.seen.peek();
    this.seen.value = seen;
    if (before?.World === seen.World && before.Started !== seen.Started)
      this.notify(describeRestart(seen), true);
    if (this.keyring.world === null) this.keyring.remember(this.keyring.key, seen.World);
    else void fetchListedKeys(this.access).then((keys) => this.keyring.learn(keys) && this.#openShown());
    if (this.#unnamed !== null && this.#unnamed.world !== seen.World) {
      this.dialog.value = 'worlds';
      this.notify(`World ${this.#unnamed.world} was not opened. ${this.#unnamed.reason}`, true);
    }
    this.#unnamed = null;
    this.#carryWorld();
  }
}

export const store = new Store();
