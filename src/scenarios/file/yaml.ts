import type * as YamlPackage from 'yaml';
import type { Alias, Document, LineCounter, Node, CST } from 'yaml';

import { maskPans } from '../../core/cards/card.js';
import { quoteText } from '../../core/text/text.js';
import type { ScenarioIssue } from './issues.js';

export type Yaml = typeof YamlPackage;

/** The maximum length of a scenario file in characters: our own limit. */
export const TEXT_LENGTH_MAX = 1_000_000;
/** Further limits of our own, so that a text of that length cannot keep the program busy. */
const TOKENS_MAX = 200_000;
const ALIASES_MAX = 100;
const NESTING_MAX = 32;
const SHOWN_MAX = 60;

/** A text is not the YAML of a scenario. The offset is that of the mistake. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault';

  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads a text as one YAML document whose aliases can all be resolved. The text may come from anyone, so everything here takes
 * time in proportion to its length. Throws a YamlFault for the first thing that is wrong.
 */
export function readYaml(yaml: Yaml, text: string, lines: LineCounter): Document.Parsed {
  // The package would compare each name of an object with all others. `YamlVetter` finds repeated names faster.
  const composer = new yaml.Composer({ uniqueKeys: false, resolveKnownTags: false, logLevel: 'error' });
  const tokens = lexYaml(yaml, text, lines);
  const [document, next] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) throw new YamlFault(0, 'the file is empty');
  const [syntax] = [...document.errors, ...document.warnings];
  // Later problems may only follow from this one.
  if (syntax !== undefined) throw syntaxFault(syntax, tokens);
  if (next !== undefined)
    throw new YamlFault(next.range[0], 'a second document begins here; a file contains one scenario');
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== '1.2')
    throw new YamlFault(0, `the file must be YAML 1.2, not ${version}; leave out the line %YAML`);
  new YamlVetter(yaml).vet(document.contents, 1);
  return document;
}

type YamlToken = ReturnType<InstanceType<Yaml['Parser']>['next']> extends Generator<infer T> ? T : never;

/** The tokens of a text, up to the first error. */
function lexYaml(yaml: Yaml, text: string, lines: LineCounter): YamlToken[] {
  const parser = new yaml.Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: YamlToken[] = [];
  let count = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if (++count > TOKENS_MAX)
      throw new YamlFault(0, `the file has more than ${TOKENS_MAX} tokens, the maximum`);
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') return tokens;
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

interface SyntaxIssue {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

function syntaxFault(error: SyntaxIssue, tokens: readonly YamlToken[]): YamlFault {
  const isOpen = /^(?:Flow (?:map|sequence) |Missing closing )/.test(error.message);
  const unclosed = isOpen ? unclosedBefore(tokens, error.pos[0]) : null;
  return unclosed === null
    ? new YamlFault(error.pos[0], syntaxMessage(error))
    : new YamlFault(unclosed.offset, unclosed.message);
}

function syntaxMessage({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'TAB_AS_INDENT') return 'YAML cannot be indented with tabs; use spaces';
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (message.startsWith('Nested mappings are not allowed in compact mappings'))
    return 'a value with a colon and a blank in it must be in quotes, such as "my: scenario"';
  // Some messages quote the text.
  return `YAML: ${message.replace(/"(?:[^"\\]|\\.)*"$/s, (part) => quoteText(maskPans(part.slice(1, -1)), SHOWN_MAX))}`;
}

const TOO_DEEP = `lists and objects are nested too deeply; the maximum is ${NESTING_MAX} levels`;

/** Refuses repeated names, and aliases that make a short text grow without limit. */
class YamlVetter {
  /** By anchor, the length of its value after aliases are expanded; null until the end of the value is reached. */
  readonly #lengths = new Map<string, number | null>();
  #aliases = 0;
  #added = 0;

  constructor(private readonly yaml: Yaml) {}

  /** Checks a node. Returns how many characters its aliases add when they are expanded. */
  vet(node: unknown, level: number): number {
    if (this.yaml.isAlias(node)) return this.#vetAlias(node);
    if (!this.yaml.isNode(node)) return 0;
    const { anchor } = node as { readonly anchor?: string };
    if (anchor !== undefined) this.#lengths.set(anchor, null);
    const added = this.#vetInside(node, level);
    if (anchor !== undefined) this.#lengths.set(anchor, nodeLength(node) + added);
    return added;
  }

  #vetInside(node: Node, level: number): number {
    if (!this.yaml.isCollection(node)) return 0;
    if (level > NESTING_MAX) throw new YamlFault(nodeStart(node) ?? 0, TOO_DEEP);
    let added = 0;
    const names = new Set<string>();
    for (const item of node.items) {
      if (this.yaml.isPair(item)) {
        this.#vetName(item.key, names);
        added += this.vet(item.value, level + 1);
      } else added += this.vet(item, level + 1);
    }
    return added;
  }

  #vetName(key: unknown, names: Set<string>): void {
    const offset = nodeStart(key) ?? 0;
    if (!this.yaml.isScalar(key)) throw new YamlFault(offset, 'the name of a field must be a text');
    this.vet(key, 1);
    const name = String(key.value);
    if (name === '__proto__') throw new YamlFault(offset, 'no field may be called __proto__');
    if (names.has(name)) throw new YamlFault(offset, 'duplicate field; each name may appear only once');
    names.add(name);
  }

  #vetAlias(alias: Alias): number {
    const offset = nodeStart(alias) ?? 0;
    const length = this.#lengths.get(alias.source);
    if (length === undefined)
      throw new YamlFault(offset, 'unknown alias: no anchor with this name comes before it');
    if (length === null) throw new YamlFault(offset, 'the alias is within what it repeats');
    this.#aliases++;
    if (this.#aliases > ALIASES_MAX)
      throw new YamlFault(offset, `the file has more than ${ALIASES_MAX} aliases, the maximum`);
    this.#added += length;
    if (this.#added > TEXT_LENGTH_MAX)
      throw new YamlFault(
        offset,
        `after its aliases are expanded, the file would be longer than ${TEXT_LENGTH_MAX} characters, the maximum`,
      );
    return length;
  }
}

function nodeStart(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function nodeLength({ range }: Node): number {
  return range ? range[1] - range[0] : 0;
}

/** The place of an issue in the text: its name or value, or the nearest value above it if that is missing. */
export function findIssueOffset(
  yaml: Yaml,
  document: Document.Parsed,
  { path, isKey }: ScenarioIssue,
): number {
  let node: unknown = document.contents;
  let offset = nodeStart(node) ?? 0;
  for (const [depth, part] of path.entries()) {
    const inside: unknown = yaml.isAlias(node) ? node.resolve(document) : node;
    let keyAt: number | undefined;
    if (yaml.isMap(inside)) {
      const nameOf = (key: unknown): string => String(yaml.isScalar(key) ? key.value : key);
      const pair = inside.items.find(({ key }) => nameOf(key) === String(part));
      if (pair === undefined) return offset;
      keyAt = nodeStart(pair.key);
      if (isKey && depth === path.length - 1) return keyAt ?? offset;
      node = pair.value;
    } else if (yaml.isSeq(inside)) node = inside.items[Number(part)];
    else return offset;
    // An empty value has no position of its own, and its name is more useful than the end of the line.
    offset = keyAt !== undefined && isEmptyNode(yaml, node) ? keyAt : (nodeStart(node) ?? keyAt ?? offset);
  }
  return offset;
}

function isEmptyNode(yaml: Yaml, node: unknown): boolean {
  return node === null || (yaml.isScalar(node) && node.source === '');
}

/** Each opening bracket or quote, and the character that closes it. */
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', "'": "'", '"': '"' };

export interface Unclosed {
  readonly offset: number;
  readonly message: string;
}

/** The last bracket or quote before the offset that is never closed. The parser only notices it where the text cannot go on. */
export function unclosedBefore(tokens: readonly CST.Token[], offset: number): Unclosed | null {
  let last: Unclosed | null = null;
  // A loop, because hostile texts are nested deeply.
  const todo: unknown[] = [...tokens];
  for (let token = todo.pop(); todo.length > 0 || token !== undefined; token = todo.pop()) {
    if (typeof token !== 'object' || token === null) continue;
    const opened = findUnclosed(token as CST.Token);
    if (opened !== null && opened.offset < offset && opened.offset >= (last?.offset ?? 0)) last = opened;
    todo.push(...Object.values(token).filter((inside) => typeof inside === 'object'));
  }
  return last;
}

function findUnclosed(token: CST.Token): Unclosed | null {
  if (token.type === 'flow-collection') {
    const { source, offset } = token.start;
    return token.end.some((end) => end.source === CLOSING[source]) ? null : describeUnclosed(source, offset);
  }
  if (token.type !== 'single-quoted-scalar' && token.type !== 'double-quoted-scalar') return null;
  const { source, offset } = token;
  const quote = source.charAt(0);
  return source.length > 1 && source.endsWith(quote) ? null : describeUnclosed(quote, offset);
}

function describeUnclosed(opening: string, offset: number): Unclosed {
  return { offset, message: `YAML: the ${opening} opened here is never closed` };
}
