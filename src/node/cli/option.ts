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

/** What a table says of an option. */
interface Row<T> extends Omit<Kind<T>, 'read'> {
  readonly help: string;
  readonly fallback: T;
  /** The default as --help shows it. */
  readonly shown?: string;
  /** A variable that is read where that of its own name is not set. */
  readonly variable?: string;
  /** What of the variable counts, where that holds more than this option takes; undefined: nothing. */
  readonly ofVariable?: (text: string) => string | undefined;
  /** May be given more than once. */
  readonly isList?: true;
  /** Has to be given. */
  readonly isRequired?: true;
  /** Always has its default: the verb knows the value by itself. */
  readonly isFixed?: true;
  /** Reads all that was given for this option; calls `refuse` with the first text that it cannot take. */
  readonly read: (texts: readonly string[], refuse: (text: string) => never) => T;
}

export interface Option<T> extends Row<T> {
  /** Its name behind the dashes. */
  readonly flag: string;
  readonly isFromEnvironment: boolean;
}

/** The options of a verb, by the names of their values. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a verb's options. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/** An option that is null where it is not given, or `fallback`. Given more than once, the last one counts. */
export function option<T>(kind: Kind<T>, help: string): Row<T | null>;
export function option<T>(kind: Kind<T>, help: string, fallback: NoInfer<T>, shown?: string): Row<T>;
export function option<T>(
  kind: Kind<T>,
  help: string,
  fallback: T | null = null,
  shown?: string,
): Row<T | null> {
  return {
    ...kind,
    help,
    fallback,
    ...(shown === undefined ? {} : { shown }),
    read: (texts, refuse) => {
      const text = texts.at(-1) ?? '';
      return kind.read(text) ?? refuse(text);
    },
  };
}

/** An option that may be given more than once, and takes several values separated by commas. */
export function list<T>(kind: Kind<T>, help: string): Row<readonly T[]> {
  return {
    ...kind,
    help,
    isList: true,
    fallback: [],
    read: (texts, refuse) => texts.flatMap(splitList).map((item) => kind.read(item) ?? refuse(item)),
  };
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
  return option(TOGGLE, help, false);
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

/** `startTime` is --start-time; each of `allowedHosts` is an --allowed-host. */
function named<R extends Rows>(rows: R, isFromEnvironment: boolean): OptionsOf<R> {
  const options = Object.entries(rows).map(([name, row]) => {
    const dashed = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    return [name, { ...row, flag: row.isList ? dashed.slice(0, -1) : dashed, isFromEnvironment }];
  });
  // Each name keeps the row of its own type.
  return Object.fromEntries(options) as OptionsOf<R>;
}
