import { type Access, Cache, call, reasonOf, type Refused } from './api.js';
import { Keyring, tabStorage } from './keys.js';
import { Line, type LineState, type StreamEvent } from './line.js';
import { type Route, routeOf } from './route.js';
import type { Exchange, Seen } from './wire.js';

/** Exchanges that the page holds. */
const FEED_MAX = 200;

/** What is said at the foot of the page. */
export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
}

/** All that the page knows, and what it can do. Calls `draw` when something has changed. */
export class Store {
  readonly keyring = new Keyring(tabStorage());
  route: Route = routeOf(location.hash);
  seen: Seen | null = null;
  /** Newest first. */
  feed: readonly Exchange[] = [];
  /** Exchanges that came faster than they could be sent. */
  skipped = 0;
  line: LineState = 'connecting';
  /** Why the line is not open. */
  trouble: string | null = null;
  notice: Notice | null = null;
  /** Whether the world is being chosen. */
  isChoosing = false;
  cache: Cache;
  #line: Line;
  #seenAt = 0;
  #isDrawing = false;

  constructor(private readonly draw: () => void) {
    [this.cache, this.#line] = this.#open();
  }

  get access(): Access {
    const { key, adminToken } = this.keyring;
    return { key, adminToken };
  }

  /** The world's time, in milliseconds since 1970: where it goes by itself, as far as it must be by now. */
  get now(): number {
    if (this.seen === null) return NaN;
    const { Now, Mode, Rate } = this.seen;
    return Date.parse(Now) + (Mode === 'manual' ? 0 : (performance.now() - this.#seenAt) * Rate);
  }

  /** Lets the page be drawn anew, once for all that changes until then. */
  changed(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.draw();
    });
  }

  go(hash: string): void {
    this.route = routeOf(hash);
    this.changed();
  }

  say(text: string, isBad = false): void {
    this.notice = { text, isBad };
    this.changed();
  }

  hush(): void {
    this.notice = null;
    this.changed();
  }

  choose(isChoosing: boolean): void {
    this.isChoosing = isChoosing;
    this.changed();
  }

  /** Looks on with another key, or another admin token. */
  enter(key: string, adminToken: string): void {
    this.keyring.use(key, adminToken);
    this.cache.close();
    this.#line.close();
    this.seen = null;
    this.notice = null;
    this.isChoosing = false;
    this.#clear();
    [this.cache, this.#line] = this.#open();
    this.changed();
  }

  /** Does something, and says what came of it. */
  async act(
    method: string,
    path: string,
    body: unknown,
    done: (answer: unknown) => string,
  ): Promise<boolean> {
    try {
      const answer = await call(this.access, method, path, body);
      this.cache.outdate();
      this.say(done(answer));
      return true;
    } catch (error) {
      this.say(reasonOf(error), true);
      return false;
    }
  }

  #open(): [Cache, Line] {
    const refused = (error: Refused): void => {
      if (error.wantsAdmin || error.status === 401) this.choose(true);
    };
    const cache = new Cache(this.access, () => this.changed(), refused);
    const line = new Line(this.access, {
      state: (state, why) => this.#lineIs(state, why),
      event: (event) => this.#hear(event),
      refused,
    });
    return [cache, line];
  }

  #lineIs(state: LineState, why: string | null): void {
    this.line = state;
    this.trouble = why;
    // It begins with what there was; what happened while it was lost may be among it.
    if (state === 'open') this.#clear();
    this.cache.outdate();
    this.changed();
  }

  #clear(): void {
    this.feed = [];
    this.skipped = 0;
  }

  #hear({ name, data }: StreamEvent): void {
    if (name === 'exchange') this.feed = [data as Exchange, ...this.feed].slice(0, FEED_MAX);
    if (name === 'skipped') this.skipped += (data as { Count: number }).Count;
    if (name === 'replaced') this.say(`The world was ${(data as { How: string }).How}.`);
    if (name === 'world') this.#see(data as Seen);
    this.cache.outdate();
    this.changed();
  }

  #see(seen: Seen): void {
    this.seen = seen;
    this.#seenAt = performance.now();
    this.keyring.note(this.keyring.key, seen.World);
    // What the journal has let go of cannot be asked for.
    this.feed = this.feed.filter(({ EntryId }) => EntryId >= seen.OldestEntryId);
  }
}
