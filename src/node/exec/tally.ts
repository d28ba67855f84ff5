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
/** Different warnings, and undelivered webhooks, that a tally remembers. */
const REMEMBERED_MAX = 1000;

export class Tally {
  requests = 0;
  /** How many answers warned of ignored fields, by their names. */
  readonly unknown = new Map<string, number>();
  readonly #rules = new Map<string, boolean>();
  /** Webhooks that did not arrive: which life of a world they belong to, and why. */
  readonly #undelivered = new Map<string, { readonly life: number; readonly why: string }>();
  readonly #lives = new WeakMap<World, number>();
  #life = 0;

  constructor(
    private readonly worlds: Worlds,
    /** Null: calls are not kept. */
    private readonly journal: JournalFile | null,
  ) {}

  /** The served app, with each call counted. */
  watching({ app }: Pick<Sandbox, 'app'>): Served {
    return {
      worlds: this.worlds,
      app: {
        fetch: async (request, env) => {
          const path = new URL(request.url).pathname;
          const worldOf = (): World | undefined => this.worlds.find(request.headers.get('x-secretkey') ?? '');
          if (path === CONTROL || path.startsWith(`${CONTROL}/`)) {
            // It may end what has been counted until now: a reset, another scenario, an emptied journal.
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

  /** Counts what all worlds came to; `scenario` is what they play, if there was any world. */
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
      const id = `${world.name} ${delivery.id}`;
      const why = whyUndelivered(delivery);
      if (why !== null) {
        if (this.#undelivered.size < REMEMBERED_MAX) this.#undelivered.set(id, { life, why });
      } else if (this.#undelivered.get(id)?.life === life) this.#undelivered.delete(id);
    }
  }
}

/** Why a webhook did not arrive; null: it did, it is on its way, or none was to be sent. */
function whyUndelivered({ status, attempts, eventType, url, note, trouble }: Delivery): string | null {
  const isIntended = [WEBHOOKS_ARE_OFF, DROPPED_BY_SCENARIO].some((reason) => note?.startsWith(reason));
  if (status === 'delivered' || trouble !== null || isIntended) return null;
  // What was never tried is on its way.
  if (status === 'pending' && attempts === 0) return null;
  return `${eventType} to ${maskPasswords(url)}: ${note ?? status}`;
}
