import type { ScenarioIssue } from './issues.js';
import type { Scenario } from './schema.js';

export interface ScenarioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadScenario =
  | {
      readonly scenario: Scenario;
      /** Places of a valid file where the author may have meant something else. */
      readonly hints: readonly ScenarioProblem[];
    }
  | { readonly problems: readonly ScenarioProblem[] };

/** Reads a scenario file, in YAML or JSON. A syntax error is reported alone, else all problems in the order of the file. */
export async function readScenarioText(text: string, file: string): Promise<ReadScenario> {
  // Loaded on demand: most starts read no file.
  const [yaml, schema] = await Promise.all([import('yaml'), import('./schema.js')]);
  const { findHints, parseScenario, findIssueOffset, readYaml, TEXT_LENGTH_MAX, YamlFault } = schema;
  const lines = new yaml.LineCounter();
  const problemAt = (offset: number, message: string): ScenarioProblem => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message };
  };
  const whole = (message: string): ReadScenario => ({ problems: [{ file, line: 1, column: 1, message }] });
  if (text.length > TEXT_LENGTH_MAX)
    return whole(`the file is longer than ${TEXT_LENGTH_MAX} characters, the maximum`);
  try {
    const document = readYaml(yaml, text, lines);
    if (document.contents === null) return whole('the file is empty; a scenario needs at least a name');
    const read = parseScenario(document.toJS({ maxAliasCount: -1 }));
    const listed = (issues: readonly ScenarioIssue[]): ScenarioProblem[] =>
      issues
        .map((issue) => problemAt(findIssueOffset(yaml, document, issue), issue.message))
        .toSorted((a, b) => a.line - b.line || a.column - b.column);
    if ('issues' in read) return { problems: listed(read.issues) };
    const { scenario } = read;
    return { scenario, hints: listed(findHints(scenario)) };
  } catch (error) {
    if (error instanceof YamlFault) return { problems: [problemAt(error.offset, error.message)] };
    // The parser's own limit of depth has no position in the text.
    return whole(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
