import { maskPasswords } from '../../core/secrets.js';
import type { Sandbox } from '../../sandbox.js';
import type { Scenario } from '../../scenarios/model.js';
import { Script } from '../../scenarios/script.js';
import { type Delivery, DROPPED_BY_SCENARIO, WEBHOOKS_ARE_OFF } from '../../webhooks/record.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import type { Served } from '../http/serve.js';
import type { JournalFile } from './journal-file.js';

const CONTROL = '/_sandbox';
/** The maximum number of different warnings, and of undelivered webhooks, that a tally remembers. */
const REMEMBERED_MAX = 1000;

export class Tally {
  requests = 0;
  /** How many answers warned about each set of ignored fields. */
  readonly unknown = new Map<string, number>();
  readonly #rules = new Map<string, boolean>();
  /** Webhooks that did not arrive: the life of the world that sent them, and the reason. */
  readonly #undelivered = new Map<string, { readonly life: number; readonly why: string }>();
  readonly #lives = new WeakMap<World, number>();
  #life = 0;

  constructor(
    private readonly worlds: Worlds,
    /** Null if calls are not saved. */
    private readonly journal: JournalFile | null,
  ) {}

  /** Wraps the served app to count each call. */
  watching({ app }: Pick<Sandbox, 'app'>): Served {
    return {
      worlds: this.worlds,
      app: {
        fetch: async (request, env) => {
          const path = new URL(request.url).pathname;
          const worldOf = (): World | undefined => this.worlds.find(request.headers.get('x-secretkey') ?? '');
          if (path === CONTROL || path.startsWith(`${CONTROL}/`)) {
            // Counts first: the call may reset the world, change its scenario or empty its journal.
            if (request.method !== 'GET') this.#note(worldOf());
            return app.fetch(request, env);
          }
          this.requests++;
          const answer = await app.fetch(request, env);
          this.#noteWarnings(answer);
          const world = worldOf();
          if (world !== undefined) this.journal?.keepUp(world);
          return answer;
        },
      },
    };
  }

  /** Counts the final state of all worlds; `scenario` is the one they started with. */
  finish(scenario: Scenario | null): void {
    const untouched = new Script();
    untouched.use(scenario);
    this.#noteRules({ script: untouched });
    for (const world of this.worlds.all()) this.#note(world);
  }

  unmatched(): string[] {
    return [...this.#rules].flatMap(([rule, isMatched]) => (isMatched ? [] : [rule]));
  }

  undelivered(): string[] {
    return [...this.#undelivered.values()].map(({ why }) => why);
  }

  #noteWarnings({ headers }: Response): void {
    const warnings = headers.get('x-sandbox-warning')?.split('; ') ?? [];
    for (const warning of warnings.filter((one) => one.startsWith('ignored unknown '))) {
      const times = this.unknown.get(warning) ?? 0;
      if (times > 0 || this.unknown.size < REMEMBERED_MAX) this.unknown.set(warning, times + 1);
    }
  }

  #note(world: World | undefined): void {
    if (world === undefined) return;
    this.#noteRules(world);
    this.#noteDeliveries(world);
    this.journal?.keep(world);
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
      const id = `${world.keyHash} ${delivery.id}`;
      const why = whyUndelivered(delivery);
      if (why !== null) {
        if (this.#undelivered.size < REMEMBERED_MAX) this.#undelivered.set(id, { life, why });
      } else if (this.#undelivered.get(id)?.life === life) this.#undelivered.delete(id);
    }
  }
}

/** Returns why a webhook did not arrive; null if it did, is on its way, or was not meant to be sent. */
function whyUndelivered({ status, attempts, eventType, url, note, trouble }: Delivery): string | null {
  const isIntended = [WEBHOOKS_ARE_OFF, DROPPED_BY_SCENARIO].some((reason) => note?.startsWith(reason));
  if (status === 'delivered' || trouble !== null || isIntended) return null;
  // A webhook without an attempt is on its way.
  if (status === 'pending' && attempts === 0) return null;
  return `${eventType} to ${maskPasswords(url)}: ${note ?? status}`;
}
