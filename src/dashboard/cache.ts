import { type Access, call, reasonOf, Refused } from './api.js';

/** What is known of an answer: the newest that came, and why the last try brought none. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

interface Held extends Loaded<unknown> {
  /** Which news it knows of. */
  readonly version: number;
  readonly isUnderWay: boolean;
}

/** How long the same answer is not asked for again, in milliseconds, however much happens meanwhile. */
const REST_MS = 250;
/** Answers that are kept; those that were not read for the longest time go. */
const HELD_MAX = 40;

/** Answers of the sandbox by their paths. What is shown is read at each drawing, and asked for again when there is news. */
export class Cache {
  readonly #held = new Map<string, Held>();
  #version = 0;
  #isClosed = false;

  constructor(
    private readonly access: Access,
    private readonly changed: () => void,
    private readonly refused: (error: Refused) => void,
  ) {}

  /** There is news: what was read before may have changed. */
  outdate(): void {
    this.#version++;
  }

  /** What comes from now on is for nobody. */
  close(): void {
    this.#isClosed = true;
  }

  /** The newest answer there is. It is asked for where there was none, or news since; a `fixed` one never changes. */
  read<T>(path: string, kind: 'changing' | 'fixed' = 'changing'): Loaded<T> {
    const held = this.#held.get(path);
    const isOld = held === undefined || (kind === 'changing' && held.version !== this.#version);
    if (isOld && held?.isUnderWay !== true) void this.#load(path, held);
    return (this.#held.get(path) ?? held) as Loaded<T>;
  }

  async #load(path: string, before: Held | undefined): Promise<void> {
    const { data = null, error = null } = before ?? {};
    const version = this.#version;
    this.#hold(path, { data, error, version: before?.version ?? -1, isUnderWay: true });
    const result = await this.#ask(path, data);
    if (this.#isClosed) return;
    this.#hold(path, { ...result, version, isUnderWay: true });
    this.changed();
    setTimeout(() => {
      this.#hold(path, { ...result, version, isUnderWay: false });
      if (version !== this.#version) this.changed();
    }, REST_MS);
  }

  async #ask(path: string, before: unknown): Promise<Loaded<unknown>> {
    try {
      return { data: await call(this.access, 'GET', path), error: null };
    } catch (error) {
      if (error instanceof Refused) this.refused(error);
      // What has gone is not shown any longer; where nobody answers, what was known stays.
      return { data: error instanceof Refused ? null : before, error: reasonOf(error) };
    }
  }

  #hold(path: string, held: Held): void {
    this.#held.delete(path);
    this.#held.set(path, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX && oldest !== undefined) this.#held.delete(oldest);
  }
}
