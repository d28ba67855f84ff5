import type { Dialect } from './core/dialect.js';
import { CODE, refuse } from './core/errors.js';
import type { Host } from './core/host.js';
import type { Words } from './core/random.js';
import { JournalBudget } from './journal/budget.js';
import { Journal } from './journal/journal.js';
import type { Scenario } from './scenarios/model.js';
import { type JobHandler, type JobHandlers, World, type WorldParts, type WorldSettings } from './world.js';

/** What a fresh world shall have in place of what the one before it had. */
export interface ResetWish {
  /** Null: that of its scenario, or else of the world before. */
  readonly seed: string | null;
  /** Null: what new worlds play. */
  readonly scenario: Scenario | null;
}

const AS_BEFORE: ResetWish = { seed: null, scenario: null };

/** All worlds of one sandbox, by secret key; a world opens at the first use of its key. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #journals = new JournalBudget();
  /** When the sandbox was created, by the wall clock. */
  readonly created: number;
  readonly #parts: WorldParts;
  /** What every world does with its jobs. */
  readonly #handlers: Record<string, JobHandler>;

  constructor(
    private readonly settings: WorldSettings,
    parts: WorldParts,
    private readonly host: Host,
    /** How many worlds there may be; a full table refuses new ones and never drops one. */
    private readonly max: number,
    /** What new worlds play. */
    private scenario: Scenario | null = null,
  ) {
    this.created = host.now();
    this.#handlers = { ...parts.jobs };
    this.#parts = { ...parts, jobs: this.#handlers };
  }

  /** Lets all worlds know more kinds of jobs, from now on. */
  learn(handlers: JobHandlers): void {
    Object.assign(this.#handlers, handlers);
  }

  get size(): number {
    return this.#worlds.size;
  }

  /** What a new world speaks: refusals that come before a key is known speak it too. */
  get dialect(): Dialect {
    const { scenario } = this;
    const isForAll = scenario !== null && scenario.keys.length === 0;
    return (isForAll ? scenario.dialect : null) ?? this.settings.dialect;
  }

  /** In the order in which they were opened. */
  all(): Iterable<World> {
    return this.#worlds.values();
  }

  /** The world of a key that was used before; such a key was accepted then. */
  find(key: string): World | undefined {
    return this.#worlds.get(key);
  }

  open(key: string): World {
    const world = this.#worlds.get(key);
    if (world !== undefined) return world;
    if (this.#worlds.size >= this.max) {
      refuse(
        CODE.RetryLater,
        `This sandbox holds at most ${this.max} worlds; use one of the keys already in use.`,
      );
    }
    return this.#put(key, this.settings);
  }

  /** Replaces a world by a fresh one; what the old one still had to do never happens. */
  reset(key: string, wish: ResetWish = AS_BEFORE): World {
    const old = this.#worlds.get(key);
    old?.close();
    const { clock, dialect } = this.settings;
    // Clock and dialect of the old one may be those of its scenario, which the fresh one need not play.
    return this.#put(key, { ...(old?.settings ?? this.settings), clock, dialect }, wish);
  }

  /** A world that nobody finds yet: a restore fills it first. */
  build(key: string, settings: WorldSettings, base?: Words): World {
    return new World(key, settings, this.#parts, this.host, base);
  }

  /** Puts a world into the place of the one of its key; what that one still had to do never happens. */
  replace(world: World): void {
    const old = this.#worlds.get(world.key);
    old?.close('restored');
    if (old !== undefined) world.journal = old.journal;
    this.#worlds.set(world.key, world);
  }

  /** Plays a scenario in every world that it is for, and in worlds to come. */
  play(scenario: Scenario | null): void {
    this.scenario = scenario;
    for (const world of this.#worlds.values()) if (isFor(scenario, world.key)) world.play(scenario);
  }

  closeAll(): void {
    for (const world of this.#worlds.values()) world.close();
    this.#worlds.clear();
  }

  /** A fresh world, with its scenario's own seed and clock where it states them; a seed that is wished for wins. */
  #put(key: string, settings: WorldSettings, wish = AS_BEFORE): World {
    const scenario = wish.scenario ?? (isFor(this.scenario, key) ? this.scenario : null);
    const played = scenario === null ? settings : underScenario(settings, scenario);
    const world = this.build(key, { ...played, seed: wish.seed ?? played.seed });
    const old = this.#worlds.get(key)?.journal;
    old?.clear();
    // Numbers of entries never begin anew, also after a reset.
    world.journal = new Journal(old?.nextId, this.#journals);
    this.#worlds.set(key, world);
    if (scenario !== null) world.play(scenario);
    return world;
  }
}

function isFor(scenario: Scenario | null, key: string): boolean {
  return scenario === null || scenario.keys.length === 0 || scenario.keys.includes(key);
}

function underScenario(settings: WorldSettings, scenario: Scenario): WorldSettings {
  const { seed, clock, startTime, dialect } = scenario;
  return {
    ...settings,
    seed: seed ?? settings.seed,
    dialect: dialect ?? settings.dialect,
    clock: { ...(clock ?? settings.clock), start: startTime ?? settings.clock.start },
  };
}
