import type { Document } from 'yaml';

import type { ScenarioIssue } from './issues.js';
import type { Scenario } from './model.js';
import { readYaml, startOf, TEXT_LENGTH_MAX, type Yaml, YamlFault } from './yaml.js';

export interface ScenarioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadScenario =
  | { readonly scenario: Scenario }
  | { readonly problems: readonly ScenarioProblem[] };

/**
 * Reads the text of a scenario file, in YAML or JSON (a subset of YAML). A syntax error is reported alone; otherwise all
 * problems are reported, in the order of the file.
 */
export async function readScenarioText(text: string, file: string): Promise<ReadScenario> {
  // Loaded on demand: most starts read no file.
  const [yaml, { parseScenario }] = await Promise.all([import('yaml'), import('./schema.js')]);
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
    if ('scenario' in read) return read;
    const placeOf = (issue: ScenarioIssue): number => offsetOf(yaml, document, issue);
    const problems = read.issues.map((issue) => problemAt(placeOf(issue), issue.message));
    return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  } catch (error) {
    if (error instanceof YamlFault) return { problems: [problemAt(error.offset, error.message)] };
    // The parser's own limit of depth has no position in the text.
    return whole(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where a problem is: at its name or value, or at the nearest value above it if that is missing. */
function offsetOf(yaml: Yaml, document: Document.Parsed, { path, isKey }: ScenarioIssue): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, part] of path.entries()) {
    const inside: unknown = yaml.isAlias(node) ? node.resolve(document) : node;
    let keyAt: number | undefined;
    if (yaml.isMap(inside)) {
      const nameOf = (key: unknown): string => String(yaml.isScalar(key) ? key.value : key);
      const pair = inside.items.find(({ key }) => nameOf(key) === String(part));
      if (pair === undefined) return offset;
      keyAt = startOf(pair.key);
      if (isKey && depth === path.length - 1) return keyAt ?? offset;
      node = pair.value;
    } else if (yaml.isSeq(inside)) node = inside.items[Number(part)];
    else return offset;
    // An empty value has no position of its own, and its name is more useful than the end of the line.
    offset = keyAt !== undefined && isEmpty(yaml, node) ? keyAt : (startOf(node) ?? keyAt ?? offset);
  }
  return offset;
}

function isEmpty(yaml: Yaml, node: unknown): boolean {
  return node === null || (yaml.isScalar(node) && node.source === '');
}
