import { nearest } from '../../core/nearest.js';
import { CommandError } from './terminal.js';

/** An unknown option, or a wrong value, on the command line or in the environment. */
export class OptionError extends CommandError {
  override readonly name = 'OptionError';
}

/** How the text of an option is read. */
export interface Kind<T> {
  /** Stands for the value in --help; a switch has none. */
  readonly argument?: string;
  /** Ends the sentence "--port takes …". */
  readonly takes: string;
  /** Fixed words among the values, for "did you mean". */
  readonly words?: readonly string[];
  /** The value is never repeated in a message. */
  readonly isSecret?: true;
  /** Undefined: the text is refused. */
  readonly read: (text: string) => T | undefined;
}

/** An option as a table lists it; T is what its value is. */
interface Row<T> extends Kind<unknown> {
  readonly help: string;
  readonly fallback: T;
  /** The default as --help shows it. */
  readonly shown?: string | undefined;
  /** A variable that is read where that of its own name is not set. */
  readonly variable?: string;
  /** Which part of the variable counts, where that holds more than this option takes; undefined: none. */
  readonly ofVariable?: (text: string) => string | undefined;
  /** May be given more than once. */
  readonly isList?: true;
  readonly isRequired?: true;
  /** Always has its default: the verb knows the value by itself. */
  readonly isFixed?: boolean;
}

export interface Option<T> extends Row<T> {
  /** Its name behind the dashes. */
  readonly flag: string;
  readonly isFromEnvironment: boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/**
 * An option that is null where it is not given, or has the value of the text `fallback`, which --help shows unless it is
 * hidden. Given more than once, the last one counts.
 */
export function option<T>(kind: Kind<T>, help: string): Row<T | null>;
export function option<T>(kind: Kind<T>, help: string, fallback: string, more?: { isHidden: true }): Row<T>;
export function option<T>(
  kind: Kind<T>,
  help: string,
  fallback?: string,
  more?: { isHidden: true },
): Row<T | null> {
  const value = fallback === undefined ? null : (kind.read(fallback) ?? null);
  return { ...kind, help, fallback: value, shown: more?.isHidden ? undefined : fallback };
}

/** An option that may be given more than once, and takes several values separated by commas. */
export function list<T>(kind: Kind<T>, help: string): Row<readonly T[]> {
  return { ...kind, help, isList: true, fallback: [] };
}

export function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

const TOGGLE: Kind<boolean> = {
  takes: '1, true, 0 or false',
  words: ['1', 'true', '0', 'false'],
  read: (text) => (/^(?:1|true|0|false)$/.test(text) ? text === '1' || text === 'true' : undefined),
};

/** An option without a value. */
export function toggle(help: string): Row<boolean> {
  return option(TOGGLE, help, 'false', { isHidden: true });
}

type Rows = Readonly<Record<string, Row<unknown>>>;
type OptionsOf<R extends Rows> = {
  readonly [K in keyof R]: R[K] extends Row<infer T> ? Option<T> : never;
};

/** Options that are also read from the environment. */
export function fromEnvironment<R extends Rows>(rows: R): OptionsOf<R> {
  return named(rows, true);
}

/** Options of the command line alone: in the environment their names mean something else. */
export function fromCommandLine<R extends Rows>(rows: R): OptionsOf<R> {
  return named(rows, false);
}

/** `startTime` becomes --start-time, and `allowedHosts` becomes --allowed-host. */
function named<R extends Rows>(rows: R, isFromEnvironment: boolean): OptionsOf<R> {
  const options = Object.entries(rows).map(([name, row]) => {
    const flag = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    return [name, { ...row, flag: row.isList ? flag.slice(0, -1) : flag, isFromEnvironment }];
  });
  // Each name keeps the row of its own type.
  return Object.fromEntries(options) as OptionsOf<R>;
}

export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line by name, each with all that was given for it; undefined: a value was forgotten. */
export type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * The values of a verb's options: the command line wins over the environment, which wins over the defaults. Throws an
 * OptionError.
 */
export function readOptions<O extends Options>(options: O, given: Given, env: Environment): ValuesOf<O> {
  const values = Object.entries(options).map(([name, row]) => [name, readOption(row, given, env)]);
  // Each row reads a value of its own type.
  return Object.fromEntries(values) as ValuesOf<O>;
}

function readOption(row: Option<unknown>, given: Given, env: Environment): unknown {
  if (row.isFixed) return row.fallback;
  const source = dashed(row.flag);
  const texts = given.get(row.flag)?.map((text) => text ?? (row.argument ? undefined : 'true'));
  if (texts?.includes(undefined) || (row.isRequired && !texts)) {
    throw new OptionError(`${source} takes ${row.takes}, but nothing was given`);
  }
  if (texts) return valueOf(row, source, texts as readonly string[]);
  for (const name of environmentNames(row)) {
    const whole = env[name];
    const text = whole && row.ofVariable ? row.ofVariable(whole) : whole;
    // Compose files pass on unset variables as empty ones.
    if (text && !isServiceLink(name, text)) return valueOf(row, name, [text]);
  }
  return row.fallback;
}

function valueOf(row: Option<unknown>, source: string, texts: readonly string[]): unknown {
  const items = row.isList ? texts.flatMap(splitList) : texts.slice(-1);
  const values = items.map((item) => row.read(item) ?? refuseValue(source, row, item));
  return row.isList ? values : values[0];
}

/** In Kubernetes, a service called playmoney sets PLAYMONEY_PORT=tcp://… in every pod of its namespace. */
function isServiceLink(name: string, text: string): boolean {
  return name === 'PLAYMONEY_PORT' && text.startsWith('tcp://');
}

/** The nearer name first. HOST is not read: shells set it to the machine's own name. */
export function environmentNames({ isFromEnvironment, flag, variable }: Option<unknown>): string[] {
  if (!isFromEnvironment) return [];
  const own = `PLAYMONEY_${flag.toUpperCase().replaceAll('-', '_')}`;
  return variable === undefined ? [own] : [own, variable];
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

export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
