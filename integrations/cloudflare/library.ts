import { readScenarioText } from '../../src/scenarios/file/file.js';
import type { ScenarioLibrary } from '../../src/scenarios/file/library.js';
import type { Scenario } from '../../src/scenarios/script/model.js';

/** Defined by the build: the files of scenarios/ by their names, as JSON. */
declare const __SCENARIOS__: string;

const TEXTS = JSON.parse(__SCENARIOS__) as Readonly<Record<string, string>>;

async function read(name: string): Promise<Scenario> {
  const found = await readScenarioText(TEXTS[name] ?? '', `${name}.yaml`);
  if ('scenario' in found) return found.scenario;
  throw new Error(`Failed to read the scenario ${name}: ${found.problems[0]?.message}`);
}

/** The scenarios of the package, within the Worker. */
export const LIBRARY: ScenarioLibrary = {
  names: () => Promise.resolve(Object.keys(TEXTS)),
  list: () =>
    Promise.all(
      Object.keys(TEXTS).map(async (name) => {
        const { description } = await read(name);
        return { name, description, file: `${name}.yaml` };
      }),
    ),
  find: async (name) => (Object.hasOwn(TEXTS, name) ? read(name) : undefined),
};
