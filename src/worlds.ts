import type { Dialect } from './core/dialect.js';
import { CODE, refuse } from './core/errors.js';
import type { Host } from './core/host.js';
import type { Words } from './core/random.js';
import { JournalBudget } from './journal/budget.js';
import { Journal } from './journal/journal.js';
import type { Replacement } from './journal/watch.js';
import type { Scenario } from './scenarios/model.js';
import type { SeedData } from './scenarios/seed-data.js';
import { World, type WorldParts, type WorldSettings } from './world.js';

/** The seed and the scenario of a fresh world. */
export interface ResetWish {
  /** Null: that of its scenario, or else of the world before. */
  readonly seed: string | null;
  /** Null: what the world was switched to, or else what new worlds play. */
  readonly scenario: Scenario | null;
}

/** Fills fresh worlds with the seed data of their scenario. */
export interface WorldSeeder {
  /** Loads and makes what a world of a seed will be filled with; to be awaited before `fill`. */
  prepare(data: SeedData, seed: string): Promise<void>;
  /** Fills a fresh world; refuses when it has no room. */
  fill(world: World, data: SeedData): void;
}

const AS_BEFORE: ResetWish = { seed: null, scenario: null };

/** All worlds of one sandbox, by secret key; a world opens at the first use of its key. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #journals = new JournalBudget();
  /** The scenario that a world alone was switched to, by key. A reset starts it again. */
  readonly #chosen = new Map<string, Scenario>();
  /** The wall-clock time of the sandbox's creation. */
  readonly created: number;

  constructor(
    private readonly settings: WorldSettings,
    private readonly parts: WorldParts,
    private readonly host: Host,
    /** The most worlds. Beyond that new ones are refused, and none is dropped. */
    private readonly max: number,
    private readonly seeder: WorldSeeder,
    private scenario: Scenario | null = null,
  ) {
    this.created = host.now();
  }

  get size(): number {
    return this.#worlds.size;
  }

  /** The dialect of new worlds, also for refusals before a key is known. */
  get dialect(): Dialect {
    const { scenario } = this;
    const isForAll = scenario !== null && scenario.keys.length === 0;
    return (isForAll ? scenario.dialect : null) ?? this.settings.dialect;
  }

  all(): Iterable<World> {
    return this.#worlds.values();
  }

  /** The world of a key that was used, and so accepted, before. */
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
    return this.#put(key);
  }

  /** Replaces a world by a fresh one; what the old one still had to do never happens. */
  reset(key: string, wish: ResetWish = AS_BEFORE): World {
    const world = this.#put(key, wish);
    if (wish.scenario !== null) this.#chosen.delete(key);
    return world;
  }

  /**
   * Loads and makes the seed data that a fresh world of a key would have; null where there are none. To be awaited
   * before that world is opened or reset.
   */
  prepare(key: string, wish: ResetWish = AS_BEFORE): Promise<void> | null {
    const { scenario, settings } = this.#beginning(key, wish);
    const data = scenario?.seedData ?? null;
    return data === null ? null : this.seeder.prepare(data, settings.seed);
  }

  /** Loads the seed data of a scenario, by default that of new worlds, so that it can be played. */
  async load(scenario: Scenario | null = this.scenario): Promise<void> {
    const data = scenario?.seedData ?? null;
    if (data !== null) await this.seeder.prepare(data, scenario?.seed ?? this.settings.seed);
  }

  /** A world that no call can find yet: a restore fills it first. */
  build(key: string, settings: WorldSettings, base?: Words): World {
    return new World(key, settings, this.parts, this.host, base);
  }

  /** Puts a world into the place of the one of its key; what that one still had to do never happens. */
  replace(world: World): void {
    const old = this.#worlds.get(world.key);
    old?.close('restored');
    if (old !== undefined) world.journal = old.journal;
    this.#worlds.set(world.key, world);
    handOver(old, world, 'restored');
  }

  /** Plays a scenario, which was loaded, in every world that it is for, and in worlds to come. */
  play(scenario: Scenario | null): void {
    this.scenario = scenario;
    for (const world of this.#worlds.values()) {
      if (!isFor(scenario, world.key)) continue;
      world.play(scenario);
      this.#chosen.delete(world.key);
    }
  }

  /** Plays a scenario, which was loaded, in one world, now and after each reset; null: none, and after a reset what new worlds play. */
  switchTo(world: World, scenario: Scenario | null): void {
    world.play(scenario);
    if (scenario === null) this.#chosen.delete(world.key);
    else this.#chosen.set(world.key, scenario);
  }

  /** The scenario that the world of a key was switched to, which a reset starts again; null: none. */
  chosenFor(key: string): Scenario | null {
    return this.#chosen.get(key) ?? null;
  }

  /** Ends all live readers, which would never end by themselves. */
  endWatches(): void {
    for (const { watch } of this.#worlds.values()) watch?.end();
  }

  closeAll(): void {
    this.endWatches();
    for (const world of this.#worlds.values()) world.close();
    this.#worlds.clear();
    this.#chosen.clear();
  }

  /** What a fresh world begins with: its scenario's own seed and clock where it states them; a seed that is wished for wins. */
  #beginning(key: string, wish: ResetWish): { scenario: Scenario | null; settings: WorldSettings } {
    // Clock and dialect of the old one may be those of its scenario, which the fresh one need not play.
    const { clock, dialect } = this.settings;
    const settings = { ...(this.#worlds.get(key)?.settings ?? this.settings), clock, dialect };
    const scenario =
      wish.scenario ?? this.#chosen.get(key) ?? (isFor(this.scenario, key) ? this.scenario : null);
    const played = scenario === null ? settings : underScenario(settings, scenario);
    return { scenario, settings: { ...played, seed: wish.seed ?? played.seed } };
  }

  /** A fresh world in its place; the one before it ends once nothing can refuse any more. */
  #put(key: string, wish = AS_BEFORE): World {
    const { scenario, settings } = this.#beginning(key, wish);
    const world = this.build(key, settings);
    if (scenario !== null) world.play(scenario);
    const data = scenario?.seedData ?? null;
    if (data !== null) this.#seed(world, data);
    const old = this.#worlds.get(key);
    old?.close();
    old?.journal.clear();
    // Numbers of entries never begin anew, also after a reset.
    world.journal = new Journal(old?.journal.nextId, this.#journals);
    this.#worlds.set(key, world);
    handOver(old, world, 'reset');
    return world;
  }

  #seed(world: World, data: SeedData): void {
    this.seeder.fill(world, data);
    // Nobody may ask for a while, and what was filled in ends all the same.
    world.armTimer();
  }
}

/** Live readers of a world go on with its replacement. */
function handOver(old: World | undefined, world: World, how: Replacement): void {
  world.watch = old?.watch ?? null;
  world.watch?.replaced(how);
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
