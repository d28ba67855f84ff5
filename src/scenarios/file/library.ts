import { findNearest } from '../../core/text/nearest.js';
import { quoteText } from '../../core/text/text.js';
import type { Scenario } from './schema.js';

export interface LibraryEntry {
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
}

/** The scenarios that can be started by name. The host decides where they are stored. */
export interface ScenarioLibrary {
  /** Does not read the scenarios. */
  names(): Promise<readonly string[]>;
  list(): Promise<readonly LibraryEntry[]>;
  find(name: string): Promise<Scenario | undefined>;
}

export const NO_LIBRARY: ScenarioLibrary = {
  names: () => Promise.resolve([]),
  list: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
};

export function presentLibraryEntry({ name, description, file }: LibraryEntry) {
  return { Name: name, Description: description, File: file };
}

/** The message for an unknown name. It suggests names that begin with it, or else the nearest. */
export function describeUnknownScenario(name: string, names: readonly string[]): string {
  const prefixed = names.filter((one) => name !== '' && one.startsWith(name));
  const near = (prefixed.length > 0 ? prefixed : findNearest(name, names)).slice(0, 2);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Scenarios: ${names.join(', ') || 'none'}.`;
  return `There is no scenario ${quoteText(name, 64)}. ${hint}`;
}
