import { parseArgs } from 'node:util';
import { nearest } from '../core/nearest.js';
import { OPTIONS, type Row, type StartOptions } from './option-table.js';

export type { StartOptions } from './option-table.js';

export type Command =
  | { readonly verb: 'start'; readonly options: StartOptions }
  | { readonly verb: 'triggers' }
  | { readonly verb: 'help'; readonly text: string }
  | { readonly verb: 'version' };

/** The command line or the environment holds something that is no option, or no value of one. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
}

/** The verbs, with what --help says of each. */
const VERBS = {
  start: 'starts the server (also without a verb)',
  triggers: 'prints what makes a charge decline, fail or stall',
  help: 'prints this',
} as const;

const ROWS = new Map(Object.values(OPTIONS).map((row) => [row.flag, row]));

/**
 * Reads the command line; it beats the environment, which beats the defaults. Throws an OptionError of one
 * line that names the option, what was given and what it takes.
 */
export function parseCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const { given, words } = readArguments(argv);
  if (given.has('help') || words[0] === 'help') return { verb: 'help', text: helpText() };
  if (given.has('version')) return { verb: 'version' };

  // Before the verb: the value of an unknown option would be taken for one.
  for (const name of given.keys()) {
    if (!ROWS.has(name)) throw new OptionError(unknownOption(name));
  }
  const [verb = 'start', ...rest] = words;
  if (!Object.hasOwn(VERBS, verb)) throw new OptionError(unknownVerb(verb));
  if (rest.length > 0) throw new OptionError(`${verb} takes options only, not ${quote(rest.join(' '))}`);
  if (verb === 'start') return { verb, options: readOptions(given, env) };

  const [option] = given.keys();
  if (option !== undefined) throw new OptionError(`triggers takes no options, but got ${dashed(option)}`);
  return { verb: 'triggers' };
}

type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

/** The options by name, each with all that was given for it, and the other words in their order. */
function readArguments(argv: readonly string[]): { given: Given; words: string[] } {
  const declared = [...ROWS.values()].map((row) => [row.flag, { type: row.argument ? 'string' : 'boolean' }]);
  const options = { ...Object.fromEntries(declared), help: { type: 'boolean', short: 'h' } };
  const parsed = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });

  const given = new Map<string, (string | undefined)[]>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    // In `--host --quiet` a value was forgotten; `--host=--quiet` says that it is meant.
    const isForgotten = !token.inlineValue && token.value?.startsWith('-');
    const texts = given.get(token.name) ?? [];
    given.set(token.name, [...texts, isForgotten ? undefined : token.value]);
  }
  return { given, words: parsed.positionals };
}

function readOptions(given: Given, env: Readonly<Record<string, string | undefined>>): StartOptions {
  const values = Object.entries<Row<unknown>>(OPTIONS).map(([member, row]) => {
    const { source, texts } = findGiven(row, given, env);
    return [member, texts ? row.read(texts, (text) => refuseValue(source, row, text)) : row.fallback];
  });
  // The table has a row of the right type for every member.
  return Object.fromEntries(values) as StartOptions;
}

interface Found {
  readonly source: string;
  readonly texts?: readonly string[];
}

function findGiven(
  row: Row<unknown>,
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
): Found {
  const source = dashed(row.flag);
  const texts = given.get(row.flag);
  if (texts) {
    const complete = texts.map((text) => text ?? (row.argument ? undefined : 'true'));
    if (complete.includes(undefined))
      throw new OptionError(`${source} takes ${row.takes}, but nothing was given`);
    return { source, texts: complete.filter((text) => text !== undefined) };
  }
  for (const name of environmentNames(row)) {
    const text = env[name];
    // Compose files pass on variables that nobody set as empty ones.
    if (text && !isServiceLink(name, text)) return { source: name, texts: [text] };
  }
  return { source };
}

/** In Kubernetes, a service called playmoney sets PLAYMONEY_PORT=tcp://… in every pod beside it. */
function isServiceLink(name: string, text: string): boolean {
  return name === 'PLAYMONEY_PORT' && text.startsWith('tcp://');
}

/** The nearer name first. HOST is not read: shells set it to the machine's own name. */
function environmentNames(row: Row<unknown>): string[] {
  const own = `PLAYMONEY_${row.flag.toUpperCase().replaceAll('-', '_')}`;
  return row.flag === 'port' ? [own, 'PORT'] : [own];
}

function refuseValue(source: string, row: Row<unknown>, text: string): never {
  const got = row.secret ? 'what was given' : quote(text);
  const line = `${source} takes ${row.takes}, not ${got}`;
  if (row.later?.includes(text)) throw new OptionError(`${line}, which comes with a later version`);
  const [meant] = nearest(text, row.words ?? []);
  throw new OptionError(meant ? `${line}; did you mean ${meant}?` : line);
}

function unknownOption(name: string): string {
  const [meant] = nearest(name, [...ROWS.keys(), 'help', 'version']);
  const hint = meant ? `did you mean --${meant}?` : '--help lists them';
  return `there is no option ${dashed(name)}; ${hint}`;
}

function unknownVerb(verb: string): string {
  const verbs = Object.keys(VERBS);
  const [meant] = nearest(verb, verbs);
  return `there is no command ${quote(verb)}, but ${verbs.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** On one line and short, whatever was given. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function helpText(): string {
  const verbs = Object.entries(VERBS).map(([verb, help]) => `  ${verb.padEnd(30)}${help}`);
  const options = [...ROWS.values()].map((row) => {
    const left = `--${row.flag}${row.argument ? ` ${row.argument}` : ''}`;
    return `  ${left.padEnd(30)}${row.help}${row.shown ? ` (${row.shown})` : ''}`;
  });
  return `playmoney, a fake payment gateway: playmoney [start] [options]

Commands
${verbs.join('\n')}

Options of start, with their defaults
${options.join('\n')}
  ${'--help, -h'.padEnd(30)}prints this
  ${'--version'.padEnd(30)}prints the version

Each option may stand in the environment too: --start-time as PLAYMONEY_START_TIME, lists separated by commas,
switches as 1, true, 0 or false. PORT is read where PLAYMONEY_PORT is not set. The command line wins.
`;
}
