import { parseArgs } from 'node:util';

import { nearest } from '../../core/nearest.js';
import {
  dashed,
  type Environment,
  type Given,
  type Option,
  OptionError,
  quote,
  readOptions,
  type ValuesOf,
} from './option.js';
import { isVerb, optionsOf, type Verb, type VerbRow, VERBS } from './verbs.js';

/** A command line that was understood: its verb, the values of all its options, and what its words mean. */
export type CommandOf<V extends Verb> = {
  readonly [K in V]: {
    readonly verb: K;
    readonly options: ValuesOf<(typeof VERBS)[K]['options']>;
    readonly words: (typeof VERBS)[K] extends { words: (words: readonly string[]) => infer W } ? W : null;
  };
}[V];

export type Command = CommandOf<Verb> | { readonly verb: 'version' };

/** One row for each flag: where two verbs share one, both take a value, or neither does. */
const ROWS: ReadonlyMap<string, Option<unknown>> = new Map(
  Object.values<VerbRow>(VERBS)
    .toReversed()
    .flatMap(({ options }) => Object.values(options).map((row) => [row.flag, row])),
);

/**
 * Reads the command line, which wins over the environment, which wins over the defaults. Throws an OptionError of one
 * line that names the option, what was given and what it takes.
 */
export function parseCommand(argv: readonly string[], env: Environment): Command {
  const { own, command } = splitCommand(argv);
  const words = own.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = givenIn(own);
  if (words[0] === 'help') return helpAbout(readAbout(words.slice(1)));
  if (given.has('help')) return helpAbout(words.find(isVerb) ?? null);
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

function readVerb<V extends Verb>(
  verb: V,
  words: readonly string[],
  given: Given,
  env: Environment,
): CommandOf<V> {
  const row: VerbRow = VERBS[verb];
  if (row.needs !== undefined && words.length === 0) {
    throw new OptionError(`${verb} takes ${row.needs}, but got none`);
  }
  const options = readOptions(row.options, given, env);
  row.check?.(options);
  // Its row reads options and words of the verb's own types.
  return { verb, options, words: row.words?.(words) ?? null } as CommandOf<V>;
}

function refuseStrays(verb: Verb, words: readonly string[], given: Given): void {
  const row: VerbRow = VERBS[verb];
  const flags = optionsOf(verb).map(({ flag }) => flag);
  if (row.argument === undefined && words.length > 0) {
    const taken = flags.length > 0 ? 'takes options only' : 'takes nothing more';
    throw new OptionError(`${verb} ${taken}, not ${quote(words.join(' '))}`);
  }
  for (const name of given.keys()) {
    if (flags.includes(name)) continue;
    if (Object.values(row.options).some(({ flag }) => flag === name)) {
      throw new OptionError(`${verb} takes no ${dashed(name)}: the bundle says how its world went`);
    }
    const taken = flags.length > 0 ? `the options ${flags.map(dashed).join(', ')}` : 'no options';
    throw new OptionError(`${verb} takes ${taken}, but got ${dashed(name)}`);
  }
}

function helpAbout(words: Verb | null): CommandOf<'help'> {
  return { verb: 'help', options: {}, words };
}

function readAbout([verb]: readonly string[]): Verb | null {
  if (verb === undefined || isVerb(verb)) return verb ?? null;
  throw new OptionError(unknownVerb(verb));
}

type Token = ReturnType<typeof tokensOf>[number];

function tokensOf(argv: readonly string[]) {
  const declared = [...ROWS.values()].map((row) => [row.flag, { type: row.argument ? 'string' : 'boolean' }]);
  const options = { ...Object.fromEntries(declared), help: { type: 'boolean', short: 'h' } };
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** For `exec`, everything after -- or from the first word that is not an option is the command to run. */
function splitCommand(argv: readonly string[]): { own: readonly Token[]; command: readonly string[] } {
  const tokens = tokensOf(argv);
  const [verb, first] = tokens.filter((token) => token.kind === 'positional');
  if (verb?.value !== 'exec') return { own: tokens, command: [] };
  const at = first?.index ?? argv.length;
  const end = tokens.find((token) => token.kind === 'option-terminator')?.index ?? Infinity;
  return {
    own: tokens.filter(({ index }) => index < Math.min(at, end)),
    command: argv.slice(end < at ? end + 1 : at),
  };
}

/** The options by name, each with all that was given for it. */
function givenIn(tokens: readonly Token[]): Given {
  const given = new Map<string, (string | undefined)[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    // In `--host --quiet` a value was forgotten; `--host=--quiet` says that it is meant.
    const isForgotten = !token.inlineValue && token.value?.startsWith('-');
    const texts = given.get(token.name) ?? [];
    given.set(token.name, [...texts, isForgotten ? undefined : token.value]);
  }
  return given;
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
