import { parseArgs } from 'node:util';

import { didYouMean, findNearest } from '../../core/text/nearest.js';
import type { OptionValues } from '../../core/option.js';
import {
  formatFlag,
  type EnvVariables,
  type GivenOptions,
  type Option,
  OptionError,
  quoteShort,
  readOptions,
} from '../options/option.js';
import { isVerb, listOptions, type Verb, type VerbRow, VERBS } from './verbs.js';

/** A parsed command line: its verb, the values of all options of the verb, and the verb's own reading of its words. */
export type CommandOf<V extends Verb> = {
  readonly [K in V]: {
    readonly verb: K;
    readonly options: OptionValues<(typeof VERBS)[K]['options']>;
    readonly words: (typeof VERBS)[K] extends { words: (...words: readonly (readonly string[])[]) => infer W }
      ? W
      : null;
  };
}[V];

export type Command = CommandOf<Verb> | { readonly verb: 'version' };

/** The options by flag. Verbs that share a flag agree on whether it takes a value. */
const ROWS: ReadonlyMap<string, Option<unknown>> = new Map(
  Object.values<VerbRow>(VERBS)
    .toReversed()
    .flatMap(({ options }) => Object.values(options).map((row) => [row.flag, row])),
);

/**
 * Parses the command line. It overrides the environment, which overrides the defaults. Throws an OptionError with one
 * line that names the option, the value received and the values accepted.
 */
export function parseCommand(argv: readonly string[], env: EnvVariables): Command {
  const { own, command } = splitCommand(argv);
  const words = own.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = collectGiven(own);
  if (words[0] === 'help') return buildHelpCommand(readHelpTopic(words.slice(1)));
  if (given.has('help')) return buildHelpCommand(words.find(isVerb) ?? null);
  if (given.has('version')) return { verb: 'version' };

  // Checked before the verb, because the value of an unknown option would be read as the verb.
  for (const name of given.keys()) {
    if (!ROWS.has(name)) throw new OptionError(describeUnknownOption(name, words.find(isVerb)));
  }
  const [verb = 'start', ...rest] = words;
  if (!isVerb(verb)) throw new OptionError(describeUnknownVerb(verb));
  refuseStrays(verb, rest, given);
  if (verb === 'verify') return readVerb(verb, rest, given, env, command);
  return readVerb(verb, RUNS_COMMAND.has(verb) ? command : rest, given, env);
}

function readVerb<V extends Verb>(
  verb: V,
  words: readonly string[],
  given: GivenOptions,
  env: EnvVariables,
  command: readonly string[] = [],
): CommandOf<V> {
  const row: VerbRow = VERBS[verb];
  if (row.needs !== undefined && words.length === 0 && !given.has(row.instead ?? '')) {
    throw new OptionError(`${verb} needs ${row.needs}`);
  }
  // First, because a missing FILE is more urgent than a missing option.
  const read = row.words?.(words, command) ?? null;
  const options = readOptions(row.options, given, env);
  row.check?.(options);
  // TypeScript does not see that the row of the verb has options and words of these types.
  return { verb, options, words: read } as CommandOf<V>;
}

function refuseStrays(verb: Verb, words: readonly string[], given: GivenOptions): void {
  const row: VerbRow = VERBS[verb];
  const flags = listOptions(verb).map(({ flag }) => flag);
  if (row.argument === undefined && words.length > 0) {
    const accepted = flags.length > 0 ? 'takes only options' : 'takes no arguments or options';
    throw new OptionError(`unexpected argument ${quoteShort(words.join(' '))}: ${verb} ${accepted}`);
  }
  for (const name of given.keys()) {
    if (flags.includes(name)) continue;
    if (Object.values(row.options).some(({ flag }) => flag === name)) {
      throw new OptionError(`${verb} does not take ${formatFlag(name)}: the bundle determines its world`);
    }
    const accepted =
      flags.length > 0 ? `. Options of ${verb}: ${flags.map(formatFlag).join(', ')}` : ' or any other option';
    throw new OptionError(`${verb} does not take ${formatFlag(name)}${accepted}`);
  }
}

function buildHelpCommand(words: Verb | null): CommandOf<'help'> {
  return { verb: 'help', options: {}, words };
}

function readHelpTopic([verb]: readonly string[]): Verb | null {
  if (verb === undefined || isVerb(verb)) return verb ?? null;
  throw new OptionError(describeUnknownVerb(verb));
}

type ArgToken = ReturnType<typeof listTokens>[number];

function listTokens(argv: readonly string[]) {
  const declared = [...ROWS.values()].map((row) => [row.flag, { type: row.argument ? 'string' : 'boolean' }]);
  const options = {
    ...Object.fromEntries(declared),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  };
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  // parseArgs reads -2h as the options -2 and -h; here it is a word.
  const isNumber = ({ index }: (typeof tokens)[number]): boolean => NEGATIVE.test(argv[index] ?? '');
  return tokens
    .filter((token, n) => !isNumber(token) || tokens[n - 1]?.index !== token.index)
    .map((token) => {
      const { index } = token;
      return isNumber(token) ? { kind: 'positional' as const, index, value: argv[index] ?? '' } : token;
    });
}

/** A negative number is a value, never an option. */
const NEGATIVE = /^-[\d.]/;

/** The verbs that run a command. */
const RUNS_COMMAND: ReadonlySet<string | undefined> = new Set<Verb>(['exec', 'sweep']);

/** For these verbs, the command is everything after --, or from the first word that is not an option; `verify` has files there. */
function splitCommand(argv: readonly string[]): { own: readonly ArgToken[]; command: readonly string[] } {
  const tokens = listTokens(argv);
  const [verb, first] = tokens.filter((token) => token.kind === 'positional');
  const hasFiles = verb?.value === 'verify';
  if (!RUNS_COMMAND.has(verb?.value) && !hasFiles) return { own: tokens, command: [] };
  const at = (hasFiles ? undefined : first?.index) ?? argv.length;
  const end = tokens.find((token) => token.kind === 'option-terminator')?.index ?? Infinity;
  return {
    own: tokens.filter(({ index }) => index < Math.min(at, end)),
    command: argv.slice(end < at ? end + 1 : at),
  };
}

/** The options by name, each with all values given for it. */
function collectGiven(tokens: readonly ArgToken[]): GivenOptions {
  const given = new Map<string, (string | undefined)[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    // In `--host --quiet` the value is missing; `--host=--quiet` gives it on purpose, and so do `--port -1` and `--orders -`.
    const isMissing =
      !token.inlineValue && /^-./.test(token.value ?? '') && !NEGATIVE.test(token.value ?? '');
    const texts = given.get(token.name) ?? [];
    given.set(token.name, [...texts, isMissing ? undefined : token.value]);
  }
  return given;
}

function describeUnknownOption(name: string, verb: Verb = 'start'): string {
  const [meant] = findNearest(name, [...ROWS.keys(), 'help', 'version']);
  const hint = meant
    ? `Did you mean --${meant}?`
    : `\`playmoney help ${verb}\` lists all options of ${verb}.`;
  return `unknown option ${formatFlag(name)}. ${hint}`;
}

function describeUnknownVerb(verb: string): string {
  const verbs = Object.keys(VERBS);
  return `unknown command ${quoteShort(verb)}. Commands: ${verbs.join(', ')}${didYouMean(verb, verbs)}`;
}
