import { readTexts } from '../../core/texts.js';
import type { ScenarioLibrary } from '../../scenarios/file/library.js';

/** The scenarios of the package, which are fetched when one is needed. */
export const FETCHED_LIBRARY: ScenarioLibrary = {
  names: async () => Object.keys(await loadDefinitions()),
  list: async () =>
    Object.entries(await loadDefinitions()).map(([name, { description }]) => ({
      name,
      description: description ?? null,
      file: `${name}.yaml`,
    })),
  find: async (name) => {
    const all = await loadDefinitions();
    if (!Object.hasOwn(all, name)) return undefined;
    const { parseScenario } = await import('../../scenarios/file/schema.js');
    const parsed = parseScenario(all[name]);
    return 'scenario' in parsed ? parsed.scenario : undefined;
  },
};

async function loadDefinitions(): Promise<Readonly<Record<string, { readonly description?: string }>>> {
  return (await readTexts()).scenarios;
}
