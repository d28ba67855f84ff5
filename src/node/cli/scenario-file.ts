import type * as YamlPackage from 'yaml';
import type { LineCounter, Node } from 'yaml';

import type { parseScenario } from '../../scenarios/schema.js';
import type { ScenarioIssue } from '../../scenarios/issues.js';
import type { Scenario } from '../../scenarios/model.js';

/** The maximum length of a scenario file in characters: our own limit. */
const TEXT_LENGTH_MAX = 1_000_000;
/** How often aliases may be expanded, so that a short file cannot grow without limit. */
const ALIAS_COUNT_MAX = 100;

export interface ScenarioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadScenario =
  | { readonly scenario: Scenario }
  | { readonly problems: readonly ScenarioProblem[] };

type Yaml = typeof YamlPackage;

interface Source {
  readonly yaml: Yaml;
  readonly parse: typeof parseScenario;
  readonly file: string;
  readonly document: ReturnType<Yaml['parseDocument']>;
  readonly lines: LineCounter;
}

/**
 * Reads the text of a scenario file, in YAML or JSON (a subset of YAML). A syntax error is reported alone; otherwise all
 * problems are reported, in the order of the file.
 */
export async function readScenarioText(text: string, file: string): Promise<ReadScenario> {
  const whole = (message: string): ReadScenario => ({ problems: [{ file, line: 1, column: 1, message }] });
  if (text.length > TEXT_LENGTH_MAX)
    return whole(`the file is longer than ${TEXT_LENGTH_MAX} characters, the maximum`);
  // Loaded on demand: most starts read no file.
  const [yaml, { parseScenario: parse }] = await Promise.all([
    import('yaml'),
    import('../../scenarios/schema.js'),
  ]);
  const lines = new yaml.LineCounter();
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
    // A document that has only comments counts as empty, unless it has a syntax error.
    const isEmptyFile = document.contents === null && document.errors.length === 0;
    if (isEmptyFile) return whole('the file is empty; a scenario needs at least a name');
    return readDocument({ yaml, parse, file, document, lines });
  } catch (error) {
    // The parser's own limits, on aliases and depth, have no position in the text.
    return whole(`the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readDocument(source: Source): ReadScenario {
  const { document } = source;
  const [syntax] = [...document.errors, ...document.warnings];
  // Later problems may only follow from the syntax error, so only the first is reported.
  if (syntax !== undefined) return { problems: [problemAt(source, syntax.pos[0], syntaxMessage(syntax))] };
  const alias = unresolvedAlias(source);
  if (alias !== undefined) {
    const message = 'unknown alias: no anchor with this name comes before it';
    return { problems: [problemAt(source, alias, message)] };
  }
  const read = source.parse(document.toJS({ maxAliasCount: ALIAS_COUNT_MAX }));
  if ('scenario' in read) return read;
  const problems = read.issues.map((issue) => problemAt(source, offsetOf(source, issue), issue.message));
  return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

function problemAt({ file, lines }: Source, offset: number, message: string): ScenarioProblem {
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col, message };
}

function syntaxMessage({ code, message }: { code: string; message: string }): string {
  if (code === 'DUPLICATE_KEY') return 'duplicate field; each name may appear only once';
  if (code === 'TAB_AS_INDENT') return 'YAML cannot be indented with tabs; use spaces';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; a file contains one scenario';
  if (code === 'RESOURCE_EXHAUSTION') return 'lists and objects are nested too deeply';
  return `YAML: ${message}`;
}

/** Where a problem is: at its name or value, or at the nearest value above it if that is missing. */
function offsetOf({ yaml, document }: Source, { path, isKey }: ScenarioIssue): number {
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

/** Finds an alias that has no anchor. */
function unresolvedAlias({ yaml, document }: Source): number | undefined {
  const anchors = new Set<string>();
  let at: number | undefined;
  yaml.visit(document, {
    Node(_, node) {
      if (yaml.isAlias(node)) {
        if (anchors.has(node.source)) return undefined;
        at = startOf(node);
        return yaml.visit.BREAK;
      }
      if (node.anchor !== undefined) anchors.add(node.anchor);
      return undefined;
    },
  });
  return at;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function isEmpty(yaml: Yaml, node: unknown): boolean {
  return node === null || (yaml.isScalar(node) && node.source === '');
}
