import type { SeedRecords } from '../scenarios/seed/seed-data.js';
import type { World } from './world.js';

/** Fills new worlds with the seed data of their scenario. */
export interface WorldSeeder {
  /** Loads what the data need. Must be awaited before `fill`. */
  prepare(data: SeedRecords): Promise<void>;
  count(data: SeedRecords): number;
  /** Throws if the world has no room. */
  fill(world: World, data: SeedRecords): void;
}
