import type { DatabaseStore, KeptAnswer } from './store.js';

/** A browser repeats a call at once. */
const REPEAT_MS = 10_000;
/** How many marks are ready, since it takes some milliseconds to make one. */
const READY_MARKS = 4;

/**
 * Answers that are saved with their world until they are sent, since a browser repeats a call whose worker ended. Whether an answer was
 * sent is kept apart from the database, as a mark in a cache: the browser deletes it even if the worker ends at that moment, whereas it
 * takes back what the worker was just writing to a database.
 */
export class KeptAnswers {
  /** By call, the marks of answers that an earlier worker did not send. */
  readonly #unsent = new Map<string, [mark: string, KeptAnswer][]>();
  readonly #ready: Promise<string>[] = [];

  private constructor(
    private readonly store: DatabaseStore,
    private readonly marks: Cache,
  ) {
    for (let n = 0; n < READY_MARKS; n++) this.#ready.push(this.#makeMark());
  }

  static async open(store: DatabaseStore): Promise<KeptAnswers> {
    const marks = await caches.open(`playmoney ${store.name}`);
    const unsent = new Set((await marks.keys()).map(({ url }) => new URL(url).pathname));
    const kept = new KeptAnswers(store, marks);
    for (const [mark, answer] of await store.keptAnswers()) {
      if (unsent.delete(mark) && Date.now() < answer.at + REPEAT_MS)
        kept.#unsent.set(answer.call, [...(kept.#unsent.get(answer.call) ?? []), [mark, answer]]);
      else store.answers.set(mark, null);
    }
    for (const mark of unsent) void marks.delete(mark);
    return kept;
  }

  /** The answer to a repeated call, with its mark. Each answers one call. */
  take(call: string): [mark: string, KeptAnswer] | undefined {
    return this.#unsent.get(call)?.shift();
  }

  async add(answer: KeptAnswer): Promise<string> {
    this.#ready.push(this.#makeMark());
    const mark = (await this.#ready.shift()) ?? '';
    this.store.answers.set(mark, answer);
    return mark;
  }

  /** Forgets an answer that is sent in this turn. */
  sent(mark: string): void {
    void this.marks.delete(mark);
    this.store.answers.set(mark, null);
  }

  async #makeMark(): Promise<string> {
    const mark = `/${crypto.randomUUID()}`;
    // Without room for it, the answer cannot be saved either.
    await this.marks.put(mark, new Response()).catch(() => {});
    return mark;
  }
}
