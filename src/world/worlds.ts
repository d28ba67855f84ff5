import type { DialectSetting } from '../core/dialect/dialect.js';
import { dropNulls } from '../core/given.js';
import type { Host } from '../core/host.js';
import type { SeedWords } from '../core/ids/random.js';
import { Journal } from '../journal/journal.js';
import type { Replacement } from '../journal/watch.js';
import type { Scenario } from '../scenarios/script/model.js';
import { DroppingKeeper, type Keeper } from './keeper.js';
import {
  applyGuards,
  applyOwnSettings,
  applyScenario,
  AS_BEFORE,
  isScenarioFor,
  type ResetRequest,
  type WorldSettings,
} from './settings.js';
import type { WorldSeeder } from './world-seeder.js';
import { World, type WorldParts } from './world.js';

/** An estimate of the memory that a seeded record takes up. */
const RECORD_BYTES = 600;

/** The worlds of a sandbox, by secret key. The first use of a key opens its world. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** By key, the scenario that a single world was switched to. A reset starts it again. */
  readonly #chosen = new Map<string, Scenario>();
  /** The instant of the wall clock at which the sandbox was created. */
  readonly created: number;
  /** Everything before this instant of the wall clock is saved; null without a store of worlds. */
  savedUntil: number | null = null;
  /** Keeps the worlds that leave memory; by default they are dropped. */
  keeper: Keeper = new DroppingKeeper(this);
  /** When a scenario was last played in all worlds, by the wall clock. */
  #playedAt = -Infinity;

  constructor(
    /** The settings of new worlds. */
    readonly settings: WorldSettings,
    private readonly parts: WorldParts,
    readonly host: Host,
    /** The maximum number of worlds in memory. When it is reached, the idlest leave. */
    readonly max: number,
    private readonly seeder: WorldSeeder,
    private scenario: Scenario | null = null,
  ) {
    this.created = host.now();
  }

  get size(): number {
    return this.#worlds.size;
  }

  /** The dialect of new worlds, and of refusals before a key is known. */
  get dialect(): DialectSetting {
    const { scenario } = this;
    const isForAll = scenario !== null && scenario.keys.length === 0;
    return (isForAll ? scenario.dialect : null) ?? this.settings.dialect;
  }

  all(): Iterable<World> {
    return this.#worlds.values();
  }

  /** The world of a key that was used before, and therefore accepted. */
  find(key: string): World | undefined {
    return this.#worlds.get(key);
  }

  /** The key of the world of a name, or what `refuse` throws. A promise if it must be loaded first. */
  keyNamed(name: string, refuse: () => never): string | Promise<string> {
    for (const world of this.#worlds.values()) if (world.keyHash === name) return world.key;
    return this.keeper.wakeNamed(name)?.then((key) => key ?? refuse()) ?? refuse();
  }

  /** The world of a key: the one in memory, the saved one, or else a new one. */
  async bring(key: string): Promise<World> {
    const waking = this.keeper.wake(key);
    await (waking ?? this.prepare(key));
    const world = this.#worlds.get(key);
    if (world !== undefined) return world;
    // Another call may have opened it in the meantime, and it may be asleep already.
    return waking !== null || this.keeper.isAsleep(key) ? this.bring(key) : this.open(key);
  }

  open(key: string): World {
    const world = this.#worlds.get(key);
    if (world === undefined) this.keeper.makeRoom();
    return world ?? this.#put(key);
  }

  /** The settings of a new world of a key. */
  settingsOf(key: string): WorldSettings {
    return this.#beginning(key, AS_BEFORE).settings;
  }

  /** An empty journal whose memory counts towards the limit of all journals. */
  newJournal(firstId?: number): Journal {
    return new Journal(firstId, this.parts.memory.journals);
  }

  /** Puts a saved world into memory, with the scenario that it alone was switched to. */
  wake(world: World, chosen: Scenario | null, savedAt: number): void {
    this.#worlds.set(world.key, world);
    if (chosen !== null) this.#chosen.set(world.key, chosen);
    if (savedAt < this.#playedAt) this.#playIn(world);
    world.armTimer();
  }

  /** Takes a world out of memory. */
  letGo(world: World): void {
    world.close('deleted');
    world.watch?.end();
    world.journal.clear();
    this.#worlds.delete(world.key);
    this.#chosen.delete(world.key);
    this.parts.memory.freed();
  }

  /** Deletes a world, and what is saved of it. The next call with its key opens a new one. */
  async delete(world: World): Promise<void> {
    this.letGo(world);
    await this.keeper.remove(world.key);
  }

  /** Replaces a world by a new one. Pending jobs of the old one never run. */
  reset(key: string, request: ResetRequest = AS_BEFORE): World {
    const world = this.#put(key, request);
    if (request.scenario !== null) this.#chosen.delete(key);
    return world;
  }

  /** Loads what the seed data of a key's new world need, or null. Await it before that world is opened or reset. */
  prepare(key: string, request: ResetRequest = AS_BEFORE): Promise<void> | null {
    const data = this.#beginning(key, request).scenario?.seedData ?? null;
    return data === null ? null : this.seeder.prepare(data);
  }

  /** Loads what the seed data of a scenario need, by default that of new worlds, before it can be used. */
  async load(scenario: Scenario | null = this.scenario): Promise<void> {
    const data = scenario?.seedData ?? null;
    if (data !== null) await this.seeder.prepare(data);
  }

  /** Creates a world that no call can find yet, for a restore to fill. */
  build(key: string, settings: WorldSettings, base?: SeedWords): World {
    return new World(key, applyGuards(settings, this.settings), this.parts, this.host, base);
  }

  /** Starts a scenario in a world that `build` created. Its seed data must be loaded. */
  begin(world: World, scenario: Scenario | null): void {
    if (scenario === null) return;
    world.play(scenario);
    if (scenario.seedData === null) return;
    this.seeder.fill(world, scenario.seedData);
    // Jobs of seed data must run even if no request comes.
    world.armTimer();
  }

  /** Replaces the world of the same key. Pending jobs of the old one never run. */
  replace(world: World): void {
    const old = this.#worlds.get(world.key);
    old?.close('restored');
    if (old !== undefined) world.journal = old.journal;
    this.#replace(old, world, 'restored');
  }

  /** Live readers of the old world continue with the new one. */
  #replace(old: World | undefined, world: World, how: Replacement): void {
    if (old !== undefined) this.parts.memory.freed();
    this.#worlds.set(world.key, world);
    world.watch = old?.watch ?? null;
    world.watch?.noteReplacement(how);
  }

  /** Uses a loaded scenario in every world that it applies to, and in new worlds. */
  play(scenario: Scenario | null): void {
    this.scenario = scenario;
    this.#playedAt = this.host.now();
    for (const world of this.#worlds.values()) this.#playIn(world);
  }

  #playIn(world: World): void {
    if (!isScenarioFor(this.scenario, world.key)) return;
    world.play(this.scenario);
    this.#chosen.delete(world.key);
  }

  /** Uses a loaded scenario in one world, now and after each reset. Null removes it; a reset then uses that of new worlds. */
  switchTo(world: World, scenario: Scenario | null): void {
    world.play(scenario);
    this.parts.memory.freed();
    if (scenario === null) this.#chosen.delete(world.key);
    else this.#chosen.set(world.key, scenario);
  }

  chosenFor(key: string): Scenario | null {
    return this.#chosen.get(key) ?? null;
  }

  /** Ends live readers, delays and calls that hang, so that a closing server need not wait for them. */
  endWaits(): void {
    for (const { watch, waits } of this.#worlds.values()) {
      watch?.end();
      waits.endAll();
    }
  }

  closeAll(): void {
    this.endWaits();
    for (const world of this.#worlds.values()) world.close();
    this.#worlds.clear();
    this.#chosen.clear();
  }

  /** A reset overrides the seed, clock and dialect of the scenario, which override those of the sandbox. */
  #beginning(key: string, request: ResetRequest): { scenario: Scenario | null; settings: WorldSettings } {
    // The clock and dialect of the old world may come from its scenario, which the new one need not have.
    const { clock, dialect } = this.settings;
    // A name begins another world, such as that of a test, which must not depend on earlier uses of the key.
    const before = request.own.name === null ? this.#worlds.get(key)?.settings : undefined;
    const settings = { ...(before ?? this.settings), clock, dialect };
    const scenario =
      request.scenario ?? this.#chosen.get(key) ?? (isScenarioFor(this.scenario, key) ? this.scenario : null);
    const own = { ...settings.own, ...dropNulls(request.own) };
    const played = scenario === null ? settings : applyScenario(settings, scenario);
    return { scenario, settings: { ...applyOwnSettings(played, own), seed: request.seed ?? played.seed } };
  }

  /** Creates a new world in place of the old one, which ends only when nothing can fail any more. */
  #put(key: string, request = AS_BEFORE): World {
    const { scenario, settings } = this.#beginning(key, request);
    const old = this.#worlds.get(key);
    const data = scenario?.seedData ?? null;
    // A reset always has room for as many records as there were.
    const added = data === null ? 0 : this.seeder.count(data) - (old?.recordCount ?? 0);
    if (added > 0) this.parts.memory.requireRoom(added * RECORD_BYTES);
    const world = this.build(key, settings);
    this.begin(world, scenario);
    old?.close();
    old?.journal.clear();
    // The numbers of entries continue after a reset.
    world.journal = this.newJournal(old?.journal.nextId);
    this.#replace(old, world, 'reset');
    return world;
  }
}
