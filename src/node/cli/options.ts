import { parseArgs } from 'node:util';
import { nearest } from '../../core/nearest.js';
import { parseDuration, parseInstant } from '../../core/time.js';
import {
  CLIENT_OPTIONS,
  type ClientOptions,
  DOCTOR_OPTIONS,
  type DoctorOptions,
  EXEC_OPTIONS,
  type ExecOptions,
  HEALTH_OPTIONS,
  type HealthOptions,
  isScenarioFile,
  OPTIONS,
  REPLAY_OPTIONS,
  type ReplayOptions,
  type Row,
  type StartOptions,
  TRIGGERS_OPTIONS,
  type TriggersOptions,
} from './option-table.js';
import { dashed, type Environment, type Given, OptionError, quote, readRows } from './option-values.js';
import { isBundled, isVerb, VERBS, type Verb, type VerbRow } from './verbs.js';

export type {
  ClientOptions,
  DoctorOptions,
  ExecOptions,
  ReplayOptions,
  StartOptions,
} from './option-table.js';
export { OptionError } from './option-values.js';

export type Command =
  | { readonly verb: 'start'; readonly options: StartOptions }
  | { readonly verb: 'exec'; readonly options: ExecOptions; readonly command: readonly string[] }
  | { readonly verb: 'doctor'; readonly options: DoctorOptions }
  | { readonly verb: 'health'; readonly options: HealthOptions }
  | { readonly verb: 'check'; readonly files: readonly string[] }
  | { readonly verb: 'scenarios' | 'version' }
  | { readonly verb: 'help'; readonly about: Verb | null }
  | { readonly verb: 'triggers'; readonly options: TriggersOptions }
  | { readonly verb: 'advance'; readonly options: ClientOptions; readonly change: ClockAdvance }
  | { readonly verb: 'reset' | 'journal'; readonly options: ClientOptions }
  | { readonly verb: 'replay'; readonly options: ReplayOptions; readonly file: string }
  | { readonly verb: 'bundle'; readonly options: ClientOptions; readonly file: string }
  | { readonly verb: 'open'; readonly options: StartOptions; readonly file: string };

/** Where `bundle` writes unless told otherwise. */
const BUNDLE_FILE = 'playmoney-bundle.json';

/** By how much, or to where the clock is put, as it is sent. */
export type ClockAdvance = { readonly By: string } | { readonly To: string };

/** One row for each flag: where two verbs share one, both take a value. */
const ROWS = new Map<string, Row<unknown>>(
  [CLIENT_OPTIONS, TRIGGERS_OPTIONS, DOCTOR_OPTIONS, REPLAY_OPTIONS, EXEC_OPTIONS].flatMap((table) =>
    Object.values(table).map((row: Row<unknown>) => [row.flag, row] as const),
  ),
);

/**
 * Reads the command line; it beats the environment, which beats the defaults. Throws an OptionError of one
 * line that names the option, what was given and what it takes.
 */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  const { own, command } = splitCommand(argv);
  const { given, words } = readArguments(own);
  if (words[0] === 'help') return { verb: 'help', about: readAbout(words.slice(1)) };
  if (given.has('help')) return { verb: 'help', about: words.find(isVerb) ?? null };
  if (given.has('version')) return { verb: 'version' };

  // Before the verb: the value of an unknown option would be taken for one.
  for (const name of given.keys()) {
    if (!ROWS.has(name)) throw new OptionError(unknownOption(name));
  }
  const [verb = 'start', ...rest] = words;
  if (!isVerb(verb)) throw new OptionError(unknownVerb(verb));
  refuseStrays(verb, rest, given);
  return readVerb(verb, verb === 'exec' ? command : rest, given, env);
}

/** Of the words of `exec`, those behind -- or from the first that is no option on are the command that it runs. */
function splitCommand(argv: readonly string[]): { own: readonly string[]; command: readonly string[] } {
  const { tokens } = parseTokens(argv);
  const [verb, first] = tokens.filter((token) => token.kind === 'positional');
  if (verb?.value !== 'exec') return { own: argv, command: [] };
  const end = tokens.find((token) => token.kind === 'option-terminator');
  if (end !== undefined && (first === undefined || end.index < first.index)) {
    return { own: argv.slice(0, end.index), command: argv.slice(end.index + 1) };
  }
  const at = first?.index ?? argv.length;
  return { own: argv.slice(0, at), command: argv.slice(at) };
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
    const row = ROWS.get(name);
    if (verb === 'open' && row !== undefined && isBundled(row)) {
      throw new OptionError(`open takes no ${dashed(name)}: the bundle says how its world went`);
    }
    const taken = flags.length > 0 ? `the options ${flags.map(dashed).join(', ')}` : 'no options';
    throw new OptionError(`${verb} takes ${taken}, but got ${dashed(name)}`);
  }
}

function readVerb(verb: Verb, words: readonly string[], given: Given, env: Environment): Command {
  switch (verb) {
    case 'start':
      return { verb, options: readStart(given, env) };
    case 'exec':
      if (words.length === 0)
        throw new OptionError('exec takes the command that it runs behind --, but got none');
      return { verb, options: requireWhole(readRows(EXEC_OPTIONS, given, env)), command: words };
    case 'doctor':
      return { verb, options: readRows(DOCTOR_OPTIONS, given, env) };
    case 'health':
      return { verb, options: readRows(HEALTH_OPTIONS, given, env) };
    case 'check':
      if (words.length === 0) throw new OptionError('check takes the names of scenario files, but got none');
      return { verb, files: words };
    case 'advance':
      return { verb, options: readRows(CLIENT_OPTIONS, given, env), change: readAdvance(words) };
    case 'reset':
    case 'journal':
      return { verb, options: readRows(CLIENT_OPTIONS, given, env) };
    case 'replay':
      return {
        verb,
        options: readReplay(given, env),
        file: oneFile(words, 'replay takes a trace or a bundle'),
      };
    case 'bundle':
      return {
        verb,
        options: readRows(CLIENT_OPTIONS, given, env),
        file: oneFile(words.length === 0 ? [BUNDLE_FILE] : words, 'bundle takes one file to write'),
      };
    case 'open':
      return { verb, options: readOpen(given, env), file: oneFile(words, 'open takes a bundle') };
    case 'triggers':
      return { verb, options: readRows(TRIGGERS_OPTIONS, given, env) };
    case 'help':
      return { verb, about: null };
    case 'scenarios':
      return { verb };
  }
}

/** The command that help is asked about; null: about all. */
function readAbout([verb]: readonly string[]): Verb | null {
  if (verb === undefined || isVerb(verb)) return verb ?? null;
  throw new OptionError(unknownVerb(verb));
}

/** What a start is told; throws an OptionError. */
export function readStart(given: Given, env: Environment): StartOptions {
  return requireWhole(readRows(OPTIONS, given, env));
}

/** Refuses options that mean nothing without another. */
function requireWhole<T extends StartOptions>(options: T): T {
  if (options.watch && !isScenarioFile(options.scenario ?? '')) {
    throw new OptionError('--watch watches the file of --scenario, but no file was given there');
  }
  return requireHttps(options);
}

function requireHttps<T extends StartOptions>(options: T): T {
  if (options.https || options.tlsDir === null) return options;
  throw new OptionError('--tls-dir is where --https keeps its certificates, but --https was not given');
}

function readReplay(given: Given, env: Environment): ReplayOptions {
  if (given.has('against')) return readRows(REPLAY_OPTIONS, given, env);
  throw new OptionError(`--against takes ${REPLAY_OPTIONS.against.takes}, but nothing was given`);
}

/** What the bundle says is not read from the environment, where it is meant for other starts. */
function readOpen(given: Given, env: Environment): StartOptions {
  const rows = Object.entries(OPTIONS).map(([name, row]) =>
    isBundled(row) ? [name, { ...row, isCommandLineOnly: true }] : [name, row],
  );
  return requireHttps(readRows(Object.fromEntries(rows) as typeof OPTIONS, given, env));
}

function oneFile([file, ...more]: readonly string[], takes: string): string {
  if (file !== undefined && more.length === 0) return file;
  throw new OptionError(
    `${takes}, ${file === undefined ? 'but got none' : `not ${quote([file, ...more].join(' '))}`}`,
  );
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

function parseTokens(argv: readonly string[]) {
  const declared = [...ROWS.values()].map((row) => [row.flag, { type: row.argument ? 'string' : 'boolean' }]);
  const options = { ...Object.fromEntries(declared), help: { type: 'boolean', short: 'h' } };
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
}

/** The options by name, each with all that was given for it, and the other words in their order. */
function readArguments(argv: readonly string[]): { given: Given; words: string[] } {
  const parsed = parseTokens(argv);

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
