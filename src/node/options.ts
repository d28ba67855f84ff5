import { parseArgs } from 'node:util';
import { nearest } from '../core/nearest.js';
import { parseDuration, parseInstant } from '../core/time.js';
import {
  CLIENT_OPTIONS,
  type ClientOptions,
  isScenarioFile,
  OPTIONS,
  type Row,
  type StartOptions,
} from './option-table.js';
import { helpText, isVerb, VERBS, type Verb, type VerbRow } from './verbs.js';

export type { ClientOptions, StartOptions } from './option-table.js';

export type Command =
  | { readonly verb: 'start'; readonly options: StartOptions }
  | { readonly verb: 'check'; readonly files: readonly string[] }
  | { readonly verb: 'scenarios' | 'triggers' | 'version' }
  | { readonly verb: 'advance'; readonly options: ClientOptions; readonly change: ClockAdvance }
  | { readonly verb: 'reset' | 'journal'; readonly options: ClientOptions }
  | { readonly verb: 'help'; readonly text: string };

/** By how much, or to where the clock is put, as it is sent. */
export type ClockAdvance = { readonly By: string } | { readonly To: string };

/** The command line or the environment holds something that is no option, or no value of one. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
}

/** One row for each flag: where two verbs share one, both take a value. */
const ROWS = new Map<string, Row<unknown>>(
  [...Object.values(CLIENT_OPTIONS), ...Object.values(OPTIONS)].map((row) => [row.flag, row]),
);

/**
 * Reads the command line; it beats the environment, which beats the defaults. Throws an OptionError of one
 * line that names the option, what was given and what it takes.
 */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  const { given, words } = readArguments(argv);
  if (given.has('help') || words[0] === 'help') return { verb: 'help', text: helpText() };
  if (given.has('version')) return { verb: 'version' };

  // Before the verb: the value of an unknown option would be taken for one.
  for (const name of given.keys()) {
    if (!ROWS.has(name)) throw new OptionError(unknownOption(name));
  }
  const [verb = 'start', ...rest] = words;
  if (!isVerb(verb)) throw new OptionError(unknownVerb(verb));
  refuseStrays(verb, rest, given);
  return readVerb(verb, rest, given, env);
}

/** Refuses words and options that other verbs take. */
function refuseStrays(verb: Verb, words: readonly string[], given: Given): void {
  const { argument, options }: VerbRow = VERBS[verb];
  const flags = options.map((row) => row.flag);
  if (argument === undefined && words.length > 0) {
    const taken = flags.length > 0 ? 'takes options only' : 'takes nothing more';
    throw new OptionError(`${verb} ${taken}, not ${quote(words.join(' '))}`);
  }
  for (const name of given.keys()) {
    if (flags.includes(name)) continue;
    const taken = flags.length > 0 ? `the options ${flags.map(dashed).join(', ')}` : 'no options';
    throw new OptionError(`${verb} takes ${taken}, but got ${dashed(name)}`);
  }
}

function readVerb(verb: Verb, words: readonly string[], given: Given, env: Environment): Command {
  switch (verb) {
    case 'start':
      return { verb, options: readStart(given, env) };
    case 'check':
      if (words.length === 0) throw new OptionError('check takes the names of scenario files, but got none');
      return { verb, files: words };
    case 'advance':
      return { verb, options: readRows(CLIENT_OPTIONS, given, env), change: readAdvance(words) };
    case 'reset':
    case 'journal':
      return { verb, options: readRows(CLIENT_OPTIONS, given, env) };
    case 'help':
      return { verb, text: helpText() };
    case 'scenarios':
    case 'triggers':
      return { verb };
  }
}

function readStart(given: Given, env: Environment): StartOptions {
  const options = readRows(OPTIONS, given, env);
  if (options.watch && !isScenarioFile(options.scenario ?? '')) {
    throw new OptionError('--watch watches the file of --scenario, but no file was given there');
  }
  return options;
}

function readAdvance(words: readonly string[]): ClockAdvance {
  const [text = ''] = words;
  if (words.length === 1 && parseDuration(text) !== undefined) return { By: text };
  if (words.length === 1 && parseInstant(text) !== undefined) return { To: text };
  const got = words.length === 0 ? 'but got none' : `not ${quote(words.join(' '))}`;
  throw new OptionError(
    `advance takes a duration such as 30s or 2h, or a date and time such as 2030-01-01T00:00:00Z, ${got}`,
  );
}

type Environment = Readonly<Record<string, string | undefined>>;
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

function readRows<T extends object>(
  table: { readonly [K in keyof T]: Row<T[K]> },
  given: Given,
  env: Environment,
): T {
  const values = Object.entries<Row<unknown>>(table).map(([member, row]) => {
    const { source, texts } = findGiven(row, given, env);
    return [member, texts ? row.read(texts, (text) => refuseValue(source, row, text)) : row.fallback];
  });
  // The table has a row of the right type for every member.
  return Object.fromEntries(values) as T;
}

interface Found {
  readonly source: string;
  readonly texts?: readonly string[];
}

function findGiven(row: Row<unknown>, given: Given, env: Environment): Found {
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
  if (row.isCommandLineOnly) return [];
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
