import { CODE, refuse } from './core/errors.js';
import type { Host } from './core/host.js';
import { type JobHandlers, World, type WorldSettings } from './world.js';

/** All worlds of one sandbox, by secret key; a world opens at the first use of its key. */
export class Worlds {
  readonly #worlds = new Map<string, World>();
  /** When the sandbox was created, by the wall clock. */
  readonly created: number;

  constructor(
    private readonly settings: WorldSettings,
    private readonly handlers: JobHandlers,
    private readonly host: Host,
    /** How many worlds there may be; a full table refuses new ones and never drops one. */
    private readonly max: number,
  ) {
    this.created = host.now();
  }

  get size(): number {
    return this.#worlds.size;
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
  reset(key: string, seed?: string): World {
    const old = this.#worlds.get(key);
    old?.close();
    const settings = old?.settings ?? this.settings;
    return this.#put(key, seed === undefined ? settings : { ...settings, seed });
  }

  closeAll(): void {
    for (const world of this.#worlds.values()) world.close();
    this.#worlds.clear();
  }

  #put(key: string, settings: WorldSettings): World {
    const world = new World(key, settings, this.handlers, this.host);
    this.#worlds.set(key, world);
    return world;
  }
}
