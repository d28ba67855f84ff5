import { type ScenarioLibrary, unknownScenario } from '../../scenarios/library.js';
import type { Scenario } from '../../scenarios/model.js';
import { EXIT_FAILED, linesOf, messageOf, type Output, type Result } from './terminal.js';
import { isScenarioFile } from './option-kinds.js';
import { readScenarioText, type ScenarioProblem } from '../../scenarios/file.js';
import { FileError, readText } from '../state/whole-file.js';

/** Formats each problem as `file:line:column: message`, which editors and terminals turn into links. */
export function problemsOf(problems: readonly ScenarioProblem[]): string[] {
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

/** Validates scenario files and prints the problems of each. */
export async function checkFiles(files: readonly string[], { out, err }: Output): Promise<Result> {
  let exitCode = 0;
  for (const file of files) {
    try {
      const read = await readScenarioText(await readText(file), file);
      out(linesOf('scenario' in read ? [`${file}: ok`] : problemsOf(read.problems)));
      if ('problems' in read) exitCode = Math.max(exitCode, EXIT_FAILED);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      err(linesOf([`playmoney: ${error.message}`]));
      ({ exitCode } = error);
    }
  }
  return { exitCode };
}

/** A scenario to start with, and the text of its file; null if it came from the library. */
export interface Chosen {
  readonly scenario: Scenario;
  readonly text: string | null;
}

/** Finds the scenario that --scenario names. Returns lines with the reason if there is none. */
export async function chooseScenario(
  given: string,
  library: ScenarioLibrary,
): Promise<Chosen | readonly string[]> {
  if (!isScenarioFile(given)) {
    const scenario = await library.find(given);
    return scenario
      ? { scenario, text: null }
      : [
          `playmoney: ${unknownScenario(given, await library.names())} To use a file, give a path such as ./my.yaml.`,
        ];
  }
  try {
    const text = await readText(given);
    const read = await readScenarioText(text, given);
    return 'scenario' in read ? { scenario: read.scenario, text } : problemsOf(read.problems);
  } catch (error) {
    return [`playmoney: ${messageOf(error)}`];
  }
}
