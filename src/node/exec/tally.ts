import { maskPasswords } from '../../core/secrets.js';
import type { Worlds } from '../../worlds.js';
import type { World } from '../../world.js';
import type { Sandbox } from '../../sandbox.js';
import { type Delivery, DROPPED_BY_SCENARIO, WEBHOOKS_ARE_OFF } from '../../webhooks/record.js';
import { type Entry, JOURNAL_ENTRIES_MAX } from '../../journal/model.js';
import type { Scenario } from '../../scenarios/model.js';
import { Script } from '../../scenarios/script.js';
import type { Served } from '../http/serve.js';

const CONTROL = '/_sandbox';
/** Calls that a tally keeps for its file. */
export const KEPT_ENTRIES_MAX = 20_000;
/** Calls that may wait in a journal before they are kept: half of what it holds. */
const UNSEEN_MAX = JOURNAL_ENTRIES_MAX / 2;
/** Different warnings, and undelivered webhooks, that a tally remembers. */
const REMEMBERED_MAX = 1000;

/** A call of a world that is kept, as it is written. */
export interface KeptEntry {
  readonly world: string;
  readonly realAt: number;
  /** JSON. */
  readonly text: string;
}

/** Gives the JSON of entries of a world, in their order. */
export type Present = (world: World, entries: readonly Entry[]) => readonly object[];

/** What happened on a server, over all of its worlds and their resets. */
export class Tally {
  requests = 0;
  /** How many answers said of each kind of unknown members that they were ignored. */
  readonly unknown = new Map<string, number>();
  /** Calls that were kept, and those that had to make room or were gone before they could be. */
  readonly entries: KeptEntry[] = [];
  lost = 0;
  /** Whether each rule ever acted, by scenario and rule. */
  readonly #rules = new Map<string, boolean>();
  /** Webhooks that did not arrive: which life of a world they belong to, and why. */
  readonly #undelivered = new Map<string, { readonly life: number; readonly told: string }>();
  /** The number of the next entry of each world. */
  readonly #nextEntry = new Map<string, number>();
  readonly #lives = new WeakMap<World, number>();
  #life = 0;

  constructor(
    private readonly worlds: Worlds,
    /** How calls are written; null: they are not kept. */
    private readonly present: Present | null,
  ) {}

  /** What is served, with a look at each call. */
  watching({ app }: Pick<Sandbox, 'app'>): Served {
    return {
      worlds: this.worlds,
      app: {
        fetch: async (request, env) => {
          const path = new URL(request.url).pathname;
          if (path === CONTROL || path.startsWith(`${CONTROL}/`)) {
            // It may end what has been counted until now: a reset, another scenario, an emptied journal.
            if (request.method !== 'GET')
              this.#note(this.worlds.find(request.headers.get('x-secretkey') ?? ''));
            return app.fetch(request, env);
          }
          this.requests++;
          const answer = await app.fetch(request, env);
          this.#warn(answer);
          this.#keepUp(request);
          return answer;
        },
      },
    };
  }

  /** Counts what all worlds came to; `scenario` is what they play, if there was any world. */
  finish(scenario: Scenario | null): void {
    const untouched = new Script();
    untouched.use(scenario);
    this.#noteRules({ script: untouched });
    for (const world of this.worlds.all()) this.#note(world);
  }

  /** The rules that acted in no world, each with its scenario. */
  unmatched(): string[] {
    return [...this.#rules].flatMap(([rule, isMatched]) => (isMatched ? [] : [rule]));
  }

  undelivered(): string[] {
    return [...this.#undelivered.values()].map(({ told }) => told);
  }

  #warn({ headers }: Response): void {
    const warning = headers.get('x-sandbox-warning');
    for (const part of warning?.split('; ') ?? []) {
      if (!part.startsWith('ignored unknown ')) continue;
      if (!this.unknown.has(part) && this.unknown.size >= REMEMBERED_MAX) continue;
      this.unknown.set(part, (this.unknown.get(part) ?? 0) + 1);
    }
  }

  /** Takes the entries of a world before its journal lets go of them. */
  #keepUp(request: Request): void {
    if (this.present === null) return;
    const world = this.worlds.find(request.headers.get('x-secretkey') ?? '');
    if (world === undefined) return;
    const unseen = world.journal.nextId - (this.#nextEntry.get(world.key) ?? 1);
    if (unseen >= UNSEEN_MAX) this.#keepEntries(world);
  }

  #note(world: World | undefined): void {
    if (world === undefined) return;
    this.#noteRules(world);
    this.#noteDeliveries(world);
    this.#keepEntries(world);
  }

  #noteRules({ script }: Pick<World, 'script'>): void {
    if (script.scenario === null) return;
    for (const { rule, matched } of script.matched()) {
      const name = `${rule} (${script.scenario.name})`;
      this.#rules.set(name, matched > 0 || this.#rules.get(name) === true);
    }
  }

  #noteDeliveries(world: World): void {
    const life = this.#lives.get(world) ?? this.#life++;
    this.#lives.set(world, life);
    for (const delivery of world.deliveries.newestFirst()) {
      const id = `${world.name} ${delivery.id}`;
      const told = whyUndelivered(delivery);
      if (told !== null) {
        if (this.#undelivered.size < REMEMBERED_MAX) this.#undelivered.set(id, { life, told });
      } else if (this.#undelivered.get(id)?.life === life) this.#undelivered.delete(id);
    }
  }

  #keepEntries(world: World): void {
    if (this.present === null) return;
    const next = this.#nextEntry.get(world.key) ?? 1;
    const unseen = [...world.journal.entries()].filter(({ id }) => id >= next);
    this.lost += Math.max(0, world.journal.nextId - next - unseen.length);
    this.#nextEntry.set(world.key, world.journal.nextId);
    for (const [n, shown] of this.present(world, unseen).entries()) {
      const realAt = unseen[n]?.realAt ?? 0;
      this.entries.push({ world: world.name, realAt, text: JSON.stringify(shown) });
    }
    const excess = this.entries.length - KEPT_ENTRIES_MAX;
    if (excess <= 0) return;
    this.entries.splice(0, excess);
    this.lost += excess;
  }
}

/** What is said of a webhook that did not arrive; null: it did, it is on its way, or nothing was to be sent. */
function whyUndelivered({ status, attempts, eventType, url, note, trouble }: Delivery): string | null {
  if (status === 'delivered' || trouble !== null || isMeant(note ?? '')) return null;
  // What was never tried is on its way.
  if (status === 'pending' && attempts === 0) return null;
  return `${eventType} to ${maskPasswords(url)}: ${note ?? status}`;
}

function isMeant(note: string): boolean {
  return note.startsWith(WEBHOOKS_ARE_OFF) || note.startsWith(DROPPED_BY_SCENARIO);
}
