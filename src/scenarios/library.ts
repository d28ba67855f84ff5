import type { Scenario } from './model.js';

export interface LibraryEntry {
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
}

/** The scenarios that can be started by name. The host decides where they are stored. */
export interface ScenarioLibrary {
  list(): Promise<readonly LibraryEntry[]>;
  find(name: string): Promise<Scenario | undefined>;
}

export const NO_LIBRARY: ScenarioLibrary = {
  list: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
};
