import { readScenarioText, type ScenarioProblem } from '../../scenarios/file/file.js';
import { type ScenarioLibrary, describeUnknownScenario } from '../../scenarios/file/library.js';
import type { Scenario } from '../../scenarios/script/model.js';
import { readText } from '../files/text-file.js';
import { isScenarioFile } from '../options/option-kinds.js';
import { requireCommandMessage } from '../terminal/terminal.js';

/** Formats each problem as `file:line:column: message`, which editors and terminals turn into links. */
export function formatProblems(problems: readonly ScenarioProblem[]): string[] {
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

/** A scenario to start with, and the text of its file; null if it came from the library. */
export interface ChosenScenario {
  readonly scenario: Scenario;
  readonly text: string | null;
}

/** Finds the scenario that --scenario names, or returns lines that say why there is none. */
export async function chooseScenario(
  given: string,
  library: ScenarioLibrary,
): Promise<ChosenScenario | readonly string[]> {
  if (!isScenarioFile(given)) {
    const scenario = await library.find(given);
    return scenario
      ? { scenario, text: null }
      : [
          `playmoney: ${describeUnknownScenario(given, await library.names())} To use a file, give a path such as ./my.yaml.`,
        ];
  }
  try {
    const text = await readText(given);
    const read = await readScenarioText(text, given);
    return 'scenario' in read ? { scenario: read.scenario, text } : formatProblems(read.problems);
  } catch (error) {
    return [`playmoney: ${requireCommandMessage(error)}`];
  }
}
