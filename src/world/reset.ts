import type { Scenario } from '../scenarios/script/model.js';
import type { SeedRecords } from '../scenarios/seed/seed-data.js';
import { NO_OWN_SETTINGS, type OwnSettings } from './settings.js';
import type { World } from './world.js';

/** The seed, scenario and settings that a reset asks for. */
export interface ResetRequest {
  /** Null for the seed of the scenario, or else of the previous world. */
  readonly seed: string | null;
  /** Null for the scenario that the world was switched to, or else of new worlds. */
  readonly scenario: Scenario | null;
  /** Null for the settings of an earlier reset, or else of the sandbox. */
  readonly own: OwnSettings;
}

/** Fills new worlds with the seed data of their scenario. */
export interface WorldSeeder {
  /** Loads what the data need. Must be awaited before `fill`. */
  prepare(data: SeedRecords): Promise<void>;
  count(data: SeedRecords): number;
  /** Fills a new world. Throws if it has no room. */
  fill(world: World, data: SeedRecords): void;
}

export const AS_BEFORE: ResetRequest = { seed: null, scenario: null, own: NO_OWN_SETTINGS };

/** Whether a scenario applies to the world of a key; none applies to all. */
export function appliesTo(scenario: Scenario | null, key: string): boolean {
  return scenario === null || scenario.keys.length === 0 || scenario.keys.includes(key);
}
