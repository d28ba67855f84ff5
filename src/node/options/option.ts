import { didYouMean } from '../../core/text/nearest.js';
import type { OptionKind, OptionRow, OptionRows, OptionValues } from '../../core/option.js';
import { CommandError } from '../terminal/terminal.js';

/** The command line or the environment has an unknown option or an invalid value. */
export class OptionError extends CommandError {
  override readonly name = 'OptionError';
}

export interface Option<T> extends OptionRow<T> {
  /** The name without the dashes. */
  readonly flag: string;
  readonly isFromEnvironment: boolean;
}

export type OptionSet = Readonly<Record<string, Option<unknown>>>;

/** An option that may be given more than once. Commas separate several values. */
export function repeatable<T>(kind: OptionKind<T>, help: string): OptionRow<readonly T[]> {
  return { ...kind, help, isList: true, fallback: [] };
}

export function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

type OptionsOf<R extends OptionRows> = {
  readonly [K in keyof R]: R[K] extends OptionRow<infer T> ? Option<T> : never;
};

/** Options that are also read from the environment. */
export function fromEnvironment<R extends OptionRows>(rows: R): OptionsOf<R> {
  return addFlags(rows, true);
}

/** Options that only the command line sets, because their names mean something else in the environment. */
export function fromCommandLine<R extends OptionRows>(rows: R): OptionsOf<R> {
  return addFlags(rows, false);
}

/** `startTime` becomes --start-time, and `allowedHosts` becomes --allowed-host. */
function addFlags<R extends OptionRows>(rows: R, isFromEnvironment: boolean): OptionsOf<R> {
  const options = Object.entries(rows).map(([name, row]) => {
    const flag = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    return [name, { ...row, flag: row.isList ? flag.slice(0, -1) : flag, isFromEnvironment }];
  });
  // TypeScript does not see that each name keeps its row.
  return Object.fromEntries(options) as OptionsOf<R>;
}

const HIDDEN_VALUE = '***';

export type EnvVariables = Readonly<Record<string, string | undefined>>;
/** The values of each option of a command line, by its name; undefined stands for a missing value. */
export type GivenOptions = ReadonlyMap<string, readonly (string | undefined)[]>;

/** Reads the options of a verb: the command line, else the environment, else the defaults. Throws an OptionError. */
export function readOptions<O extends OptionSet>(
  options: O,
  given: GivenOptions,
  env: EnvVariables,
): OptionValues<O> {
  const values = Object.entries(options).map(([name, row]) => [name, readOption(row, given, env)]);
  // TypeScript does not see that each row reads a value of its own type.
  return Object.fromEntries(values) as OptionValues<O>;
}

const EDGE_CONTROL = /^\p{Cc}|\p{Cc}$/u;
const EDGE_WRONG =
  'begins or ends with a control character; remove it. A file with Windows line ends leaves one (\\r) after each value';

function readOption(row: Option<unknown>, given: GivenOptions, env: EnvVariables): unknown {
  if (row.isFixed) return row.fallback;
  const source = formatFlag(row.flag);
  const texts = given.get(row.flag)?.map((text) => text ?? (row.argument ? undefined : 'true'));
  if (texts?.includes(undefined)) throw new OptionError(`${source} needs a value: ${row.mustBe}`);
  if (texts) return parseOptionTexts(row, source, texts as readonly string[]);
  for (const name of listEnvironmentNames(row)) {
    const whole = env[name];
    if (whole !== undefined && EDGE_CONTROL.test(whole)) throw new OptionError(`${name} ${EDGE_WRONG}`);
    const text = whole && row.ofVariable ? row.ofVariable(whole) : whole;
    if (whole === '' && row.isGuard) {
      throw new OptionError(`${name} is empty; it must be ${row.mustBe}. Unset it to start without it`);
    }
    // Compose files pass unset variables as empty ones.
    if (text && !isServiceLink(name, text)) return parseOptionTexts(row, name, [text]);
  }
  if (row.isRequired) throw new OptionError(`${source} is required: ${row.mustBe}`);
  return row.fallback;
}

function parseOptionTexts(row: Option<unknown>, source: string, texts: readonly string[]): unknown {
  const given = row.isList ? texts : texts.slice(-1);
  const items = row.isList && !row.hasCommas ? given.flatMap(splitList) : given;
  const values = items.map((item) => row.read(item) ?? refuseOptionValue(source, row, item));
  return row.isList ? values : values[0];
}

/** In Kubernetes, a service called playmoney sets PLAYMONEY_PORT=tcp://… in every pod of its namespace. */
function isServiceLink(name: string, text: string): boolean {
  return name === 'PLAYMONEY_PORT' && text.startsWith('tcp://');
}

/** The option's own variable comes first. HOST is not read: shells set it to the machine's own name. */
export function listEnvironmentNames({ isFromEnvironment, flag, variable }: Option<unknown>): string[] {
  const own = isFromEnvironment ? [`PLAYMONEY_${flag.toUpperCase().replaceAll('-', '_')}`] : [];
  return variable === undefined ? own : [...own, variable];
}

function refuseOptionValue(source: string, row: Option<unknown>, text: string): never {
  const isHidden = row.isSecret && text !== '';
  const line = `${source} must be ${row.mustBe}, not ${quoteShort(isHidden ? HIDDEN_VALUE : text)}`;
  throw new OptionError(line + didYouMean(text, row.words ?? []));
}

export function formatFlag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
