import { nearest } from '../../core/nearest.js';
import { CommandError } from './command-error.js';
import type { Option, Options, ValuesOf } from './option.js';

/** The command line or the environment holds something that is no option, or no value of one. */
export class OptionError extends CommandError {
  override readonly name = 'OptionError';
}

export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line by name, each with all that was given for it; undefined: a value was forgotten. */
export type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * The values of a verb's options: the command line wins over the environment, which wins over the defaults. Throws an
 * OptionError.
 */
export function readOptions<O extends Options>(options: O, given: Given, env: Environment): ValuesOf<O> {
  const values = Object.entries(options).map(([name, row]) => {
    const { source, texts } = row.isFixed ? { source: '' } : findGiven(row, given, env);
    return [name, texts ? row.read(texts, (text) => refuseValue(source, row, text)) : row.fallback];
  });
  // Each row reads a value of its own type.
  return Object.fromEntries(values) as ValuesOf<O>;
}

interface Found {
  readonly source: string;
  readonly texts?: readonly string[];
}

function findGiven(row: Option<unknown>, given: Given, env: Environment): Found {
  const source = dashed(row.flag);
  const texts = given.get(row.flag)?.map((text) => text ?? (row.argument ? undefined : 'true'));
  if (texts?.includes(undefined) || (row.isRequired && !texts))
    throw new OptionError(`${source} takes ${row.takes}, but nothing was given`);
  if (texts) return { source, texts: texts.filter((text) => text !== undefined) };
  for (const name of environmentNames(row)) {
    const whole = env[name];
    const text = whole && row.ofVariable ? row.ofVariable(whole) : whole;
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
export function environmentNames(row: Option<unknown>): string[] {
  if (!row.isFromEnvironment) return [];
  const own = `PLAYMONEY_${row.flag.toUpperCase().replaceAll('-', '_')}`;
  return row.variable === undefined ? [own] : [own, row.variable];
}

function refuseValue(source: string, row: Option<unknown>, text: string): never {
  const got = row.isSecret ? 'what was given' : quote(text);
  const line = `${source} takes ${row.takes}, not ${got}`;
  const [meant] = nearest(text, row.words ?? []);
  throw new OptionError(meant ? `${line}; did you mean ${meant}?` : line);
}

export function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** On one line and short, whatever was given. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
