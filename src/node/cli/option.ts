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

/** One option: its names, its words in messages and --help, and how it is read. */
export interface Option<T> extends Omit<Kind<T>, 'read'> {
  readonly flag: string;
  readonly help: string;
  readonly fallback: T;
  /** The default as --help shows it; absent where there is nothing to show. */
  readonly shown?: string;
  /** A variable that is read where that of its own name is not set. */
  readonly variable?: string;
  /** What of the variable counts, where that holds more than this option takes; undefined: nothing. */
  readonly ofVariable?: (text: string) => string | undefined;
  /** Not read from the environment, where its name means something else. */
  readonly isCommandLineOnly?: true;
  /** Has to be given. */
  readonly isRequired?: true;
  /** Always has its default: the verb knows the value by itself. */
  readonly isFixed?: true;
  /** Reads all that was given for this option; calls `refuse` with the first text that it cannot take. */
  readonly read: (texts: readonly string[], refuse: (text: string) => never) => T;
}

/** The options of a verb, by the names of their values. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a verb's options. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/** An option that is null where it is not given, or `fallback`, which --help shows. Given more than once, the last one counts. */
export function option<T>(flag: string, kind: Kind<T>, help: string): Option<T | null>;
export function option<T>(
  flag: string,
  kind: Kind<T>,
  help: string,
  fallback: NoInfer<T>,
  shown?: string,
): Option<T>;
export function option<T>(
  flag: string,
  kind: Kind<T>,
  help: string,
  fallback: T | null = null,
  shown?: string,
): Option<T | null> {
  return {
    ...kind,
    flag,
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
export function list<T>(flag: string, kind: Kind<T>, help: string): Option<readonly T[]> {
  return {
    ...kind,
    flag,
    help,
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
export function toggle(flag: string, help: string): Option<boolean> {
  return option(flag, TOGGLE, help, false);
}

export function commandLineOnly<T>(one: Option<T>): Option<T> {
  return { ...one, isCommandLineOnly: true };
}
