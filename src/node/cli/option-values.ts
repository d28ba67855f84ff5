import { nearest } from '../../core/nearest.js';
import type { Row } from './option-table.js';

/** The command line or the environment holds something that is no option, or no value of one. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
}

export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line by name, each with all that was given for it; undefined: a value was forgotten. */
export type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * The values of a table of options: the command line beats the environment, which beats the defaults. Throws an
 * OptionError.
 */
export function readRows<T extends object>(
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
export function environmentNames(row: Row<unknown>): string[] {
  if (row.isCommandLineOnly) return [];
  const own = `PLAYMONEY_${row.flag.toUpperCase().replaceAll('-', '_')}`;
  return row.variable === undefined ? [own] : [own, row.variable];
}

function refuseValue(source: string, row: Row<unknown>, text: string): never {
  const got = row.secret ? 'what was given' : quote(text);
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
