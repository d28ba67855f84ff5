import { type Signal, signal } from '@preact/signals';

import { type Access, ControlError, explainFailure, sendControlCall } from './api.js';

/** The newest answer that arrived, and the error of the last attempt. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

/**
 * How an answer ages. Events outdate a `changing` one. A `fixed` one changes only by `outdate`. A `lasting` one stays when the server has
 * deleted what it is about.
 */
type CacheKind = 'changing' | 'fixed' | 'lasting';

/** The shortest time between two requests of the same path, in milliseconds. */
const REST_MS = 500;
/** A slow server is asked less often: after an answer that took 1 s, the next request of its path waits at least 9 s. */
const REST_SHARE = 9;
/** How many answers are stored. The one that was created first and is not shown is dropped first. */
const ANSWERS_MAX = 40;

class CachedAnswer {
  readonly loaded: Signal<Loaded<unknown>>;
  isShown = false;
  isOld = true;
  isUnderWay = false;
  text = '';

  constructor(readonly kind: CacheKind) {
    const watched = (): void => void (this.isShown = true);
    const unwatched = (): void => void (this.isShown = false);
    this.loaded = signal<Loaded<unknown>>({ data: null, error: null }, { watched, unwatched });
  }
}

/** The sandbox's answers, by path. A component that reads one renders again when it changes. Only those that are shown are kept fresh. */
export class Cache {
  readonly #answers = new Map<string, CachedAnswer>();
  #isClosed = false;

  constructor(
    private readonly access: Access,
    private readonly refused: (error: ControlError) => void,
  ) {}

  /** The newest answer. Requests it if there is none yet or if it is outdated. */
  read<T>(path: string, kind: CacheKind = 'changing'): Loaded<T> {
    const answer = this.#answers.get(path) ?? this.#add(path, kind);
    if (answer.isOld) this.#load(path, answer);
    return answer.loaded.value as Loaded<T>;
  }

  outdateAll(): void {
    for (const [path, answer] of this.#answers) {
      const { data, error } = answer.loaded.peek();
      const isFinal =
        answer.kind === 'fixed' || (answer.kind === 'lasting' && error !== null && data !== null);
      if (!isFinal) this.#outdate(path, answer);
    }
  }

  outdate(path: string): void {
    const answer = this.#answers.get(path);
    if (answer !== undefined) this.#outdate(path, answer);
  }

  close(): void {
    this.#isClosed = true;
  }

  #outdate(path: string, answer: CachedAnswer): void {
    answer.isOld = true;
    if (answer.isShown) this.#load(path, answer);
  }

  #add(path: string, kind: CacheKind): CachedAnswer {
    const answer = new CachedAnswer(kind);
    if (this.#answers.size >= ANSWERS_MAX) {
      const oldest = [...this.#answers].find(([, { isShown }]) => !isShown)?.[0];
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    this.#answers.set(path, answer);
    return answer;
  }

  #load(path: string, answer: CachedAnswer): void {
    if (answer.isUnderWay || this.#isClosed) return;
    answer.isUnderWay = true;
    answer.isOld = false;
    void this.#ask(path, answer);
  }

  async #ask(path: string, answer: CachedAnswer): Promise<void> {
    const begun = performance.now();
    const result = await this.#fetchResult(path, answer);
    if (this.#isClosed) return;
    answer.loaded.value = result;
    const rest = Math.max(REST_MS, REST_SHARE * (performance.now() - begun));
    setTimeout(() => {
      answer.isUnderWay = false;
      if (answer.isOld && answer.isShown) this.#load(path, answer);
    }, rest);
  }

  async #fetchResult(path: string, answer: CachedAnswer): Promise<Loaded<unknown>> {
    try {
      const text = await (await sendControlCall(this.access, 'GET', path)).text();
      const before = answer.loaded.peek();
      // An answer with the same text is not rendered again.
      if (text === answer.text && before.error === null) return before;
      answer.text = text;
      return { data: JSON.parse(text), error: null };
    } catch (error) {
      if (error instanceof ControlError) this.refused(error);
      // A refusal replaces the old data. When the server does not answer, the old data stays.
      const isGone = error instanceof ControlError && answer.kind !== 'lasting';
      return { data: isGone ? null : answer.loaded.peek().data, error: explainFailure(error) };
    }
  }
}
