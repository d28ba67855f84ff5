import { CODE, refuse } from '../core/errors.js';
import { type LibraryEntry, presentLibraryEntry, type ScenarioLibrary } from '../scenarios/file/library.js';
import type { Scenario } from '../scenarios/script/model.js';
import { readScenarioText } from '../scenarios/file/file.js';
import { readScenarioFile, scenarioFiles } from './machine/shipped.js';
import { formatColumns, formatJson, formatLines, type Printable } from './terminal/terminal.js';

const EXTENSION = '.yaml';
const DESCRIPTION_WIDTH = 90;

/** The scenarios of the package, each named after its file. Files are read on demand. */
export function folderLibrary(): ScenarioLibrary {
  const names = async (): Promise<string[]> => {
    const files = await scenarioFiles().catch(refuseUnreadable);
    return files
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .toSorted();
  };
  return {
    names,
    list: async () => Promise.all((await names()).map(readLibraryEntry)),
    // The name may come from a request, so it is looked up and never becomes a path by itself.
    find: async (name) => ((await names()).includes(name) ? readLibraryScenario(name) : undefined),
  };
}

/** Refuses a scenario where the files of the package are missing, as in a bundle. */
function refuseUnreadable(reason: unknown): never {
  const detail = reason instanceof Error ? reason.message : String(reason);
  return refuse(CODE.FeatureUnavailable, detail, { httpStatus: 501 });
}

async function readLibraryEntry(name: string): Promise<LibraryEntry> {
  const { description } = await readLibraryScenario(name);
  return { name, description, file: `${name}${EXTENSION}` };
}

async function readLibraryScenario(name: string): Promise<Scenario> {
  const file = `${name}${EXTENSION}`;
  const text = await readScenarioFile(file);
  const read = await readScenarioText(text, file);
  if ('scenario' in read) return read.scenario;
  // Every file of the package is checked before it is published.
  const [problem] = read.problems;
  throw new Error(`Failed to read the scenario ${file}: line ${problem?.line}: ${problem?.message}`);
}

/** Formats the library as a table of names and first lines of descriptions, or as the JSON that the server returns. */
export async function formatLibrary(library: ScenarioLibrary, { json = false } = {}): Promise<Printable> {
  const entries = await library.list();
  if (json) return formatJson(entries.map(presentLibraryEntry));
  return formatLines(
    formatColumns(entries.map(({ name, description }) => [name, firstLine(description ?? '')])),
  );
}

/** The first line of a text, cut at a word if it is too long. */
export function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  if (line.length <= DESCRIPTION_WIDTH) return line;
  const end = line.lastIndexOf(' ', DESCRIPTION_WIDTH - 1);
  return `${line.slice(0, end > 0 ? end : DESCRIPTION_WIDTH - 1)}…`;
}
