import { type Access, Cache, call, reasonOf, type ApiError } from './api.js';
import { Keyring, tabStorage } from './keys.js';
import { EventStream, type ConnectionState, type StreamEvent } from './event-stream.js';
import { hrefOf, type Route, routeOf } from './route.js';
import type { Exchange, Seen } from './wire.js';

const FEED_MAX = 200;

export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
}

/** The state of the page, and its actions. Calls `draw` after changes. */
export class Store {
  readonly keyring = new Keyring(tabStorage());
  route: Route = routeOf(location.hash);
  visits = 0;
  seen: Seen | null = null;
  feed: readonly Exchange[] = [];
  /** How many exchanges came too fast to be sent. */
  skipped = 0;
  connection: ConnectionState = 'connecting';
  trouble: string | null = null;
  notice: Notice | null = null;
  isChoosing = false;
  cache: Cache;
  #stream: EventStream;
  #seenAt = 0;
  #isDrawing = false;
  #access: Access = this.access;
  /** The world that the server did not open by its name, and why. */
  #unnamed: { readonly world: string; readonly reason: string } | null = null;

  constructor(private readonly draw: () => void) {
    const { world } = this.route;
    if (world !== null) this.keyring.open(world);
    [this.cache, this.#stream] = this.#open();
  }

  get access(): Access {
    const { key, world, adminToken } = this.keyring;
    return { key, world, adminToken };
  }

  /** The world's time in milliseconds since 1970, estimated while its clock runs. */
  get now(): number {
    if (this.seen === null) return NaN;
    const { Now, Mode, Rate } = this.seen;
    return Date.parse(Now) + (Mode === 'manual' ? 0 : (performance.now() - this.#seenAt) * Rate);
  }

  /** Renders the page in the next frame, once for all changes until then. */
  changed(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.draw();
    });
  }

  go(hash: string): void {
    this.visits++;
    this.#show(hash);
    const { world } = this.route;
    if (world !== null && world !== this.#shown) this.#switch(() => this.keyring.open(world));
    this.#carryWorld();
  }

  /** Changes the filter of the view that is shown, without a new entry in the browser's history. */
  refine(query: Readonly<Record<string, string>>): void {
    const { view, id } = this.route;
    const hash = hrefOf(view, id, query);
    history.replaceState(null, '', hash);
    this.#show(hash);
  }

  #show(hash: string): void {
    this.route = routeOf(hash);
    this.changed();
  }

  notify(text: string, isBad = false): void {
    this.notice = { text, isBad };
    this.changed();
  }

  dismissNotice(): void {
    this.notice = null;
    this.changed();
  }

  showWorldDialog(isChoosing: boolean): void {
    this.isChoosing = isChoosing;
    this.changed();
  }

  enter(key: string, adminToken: string): void {
    this.#switch(() => this.keyring.use(key, adminToken));
  }

  #switch(change: () => void): void {
    this.cache.close();
    this.#stream.close();
    change();
    this.seen = null;
    this.notice = null;
    this.isChoosing = false;
    this.#clear();
    [this.cache, this.#stream] = this.#open();
    this.changed();
  }

  get #shown(): string | undefined {
    return this.seen?.World ?? this.keyring.name;
  }

  /** Puts the world that is shown into the address, so that its links can be opened elsewhere. */
  #carryWorld(): void {
    const world = this.seen?.World;
    if (world === undefined || world === this.route.world) return;
    const { view, id, query } = this.route;
    this.route = { ...this.route, world };
    history.replaceState(null, '', hrefOf(view, id, Object.fromEntries(query), world));
  }

  /** Sends a call and shows a notice with the result; returns whether it succeeded. */
  async act(
    method: string,
    path: string,
    body: unknown,
    done: string | ((answer: unknown) => string),
  ): Promise<boolean> {
    try {
      const answer = await call(this.access, method, path, body);
      this.cache.outdateAll();
      this.notify(typeof done === 'string' ? done : done(answer));
      return true;
    } catch (error) {
      this.notify(reasonOf(error), true);
      return false;
    }
  }

  #open(): [Cache, EventStream] {
    const access = (this.#access = this.access);
    const refused = (error: ApiError): void => {
      if (access !== this.#access) return;
      if (error.status === 401 && access.world !== null) this.#doWithoutName(access.world, error);
      else if (error.wantsAdmin || error.status === 401) this.showWorldDialog(true);
    };
    const cache = new Cache(access, () => this.changed(), refused);
    const stream = new EventStream(access, {
      state: (state, why) => this.#onConnection(state, why),
      event: (event) => this.#onEvent(event),
      refused,
    });
    return [cache, stream];
  }

  /** The server opens no world by its name. Perhaps the key that was entered last is that of the world. */
  #doWithoutName(world: string, error: ApiError): void {
    this.#switch(() => (this.keyring.world = null));
    this.#unnamed = { world, reason: error.message };
  }

  #onConnection(state: ConnectionState, why: string | null): void {
    this.connection = state;
    this.trouble = why;
    // A stream begins with earlier exchanges, which may be in the feed already.
    if (state === 'open') this.#clear();
    this.cache.outdateAll();
    this.changed();
  }

  #clear(): void {
    this.feed = [];
    this.skipped = 0;
  }

  #onEvent({ name, data }: StreamEvent): void {
    if (name === 'exchange') this.feed = [data as Exchange, ...this.feed].slice(0, FEED_MAX);
    if (name === 'skipped') this.skipped += (data as { Count: number }).Count;
    if (name === 'replaced') this.notify(`The world was ${(data as { How: string }).How}.`);
    if (name === 'world') this.#onWorld(data as Seen);
    this.cache.outdateAll();
    this.changed();
  }

  #onWorld(seen: Seen): void {
    this.seen = seen;
    this.#seenAt = performance.now();
    if (this.keyring.world === null) this.keyring.remember(this.keyring.key, seen.World);
    if (this.#unnamed !== null && this.#unnamed.world !== seen.World) {
      this.showWorldDialog(true);
      this.notify(`World ${this.#unnamed.world} was not opened. ${this.#unnamed.reason}`, true);
    }
    this.#unnamed = null;
    this.#carryWorld();
    // Exchanges that the journal has dropped cannot be opened.
    this.feed = this.feed.filter(({ EntryId }) => EntryId >= seen.OldestEntryId);
  }
}
