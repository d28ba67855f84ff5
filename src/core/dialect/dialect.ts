/** The format of requests and answers: that of the specification, or that of client libraries. */
export type Dialect = 'documented' | 'sdk';

export const DIALECTS: readonly Dialect[] = ['documented', 'sdk'];

export const DEFAULT_DIALECT: Dialect = 'documented';

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect === name);
}

/** The dialect of a world: one for all calls, or `auto`, which takes that of each caller. */
export type DialectSetting = Dialect | 'auto';

export const DIALECT_SETTINGS: readonly DialectSetting[] = ['auto', ...DIALECTS];

export const DEFAULT_DIALECT_SETTING: DialectSetting = 'auto';

/** The reason for the dialect of a call: its header, the setting of its world, how its caller named itself, or nothing. */
type DialectReason = 'x-sandbox-dialect' | 'setting' | 'user-agent' | 'sdk-version' | 'default';

export interface ChosenDialect {
  readonly dialect: Dialect;
  readonly by: DialectReason;
}

/** All libraries that name themselves begin with this, such as `PayFURL-Java-SDK-v.2022.0.1 JRE/17`. */
const LIBRARY_AGENT = 'PayFURL-';

const BY_DEFAULT: ChosenDialect = { dialect: DEFAULT_DIALECT, by: 'default' };
const BY_AGENT: ChosenDialect = { dialect: 'sdk', by: 'user-agent' };
const BY_VERSION: ChosenDialect = { dialect: 'sdk', by: 'sdk-version' };

/**
 * The dialect of a call: that of its header, or else of its world, or else of a caller that names itself as a client library. The
 * control plane always has the default dialect. `header` reads a header by its name in lower case.
 */
export function chooseDialect(
  header: (name: string) => string | undefined,
  control: boolean,
  setting: DialectSetting,
): ChosenDialect {
  if (control) return BY_DEFAULT;
  const requested = header('x-sandbox-dialect');
  const dialect = requested === undefined ? undefined : findDialect(requested);
  if (dialect !== undefined) return { dialect, by: 'x-sandbox-dialect' };
  if (setting !== 'auto') return { dialect: setting, by: 'setting' };
  if (header('user-agent')?.startsWith(LIBRARY_AGENT)) return BY_AGENT;
  return header('sdk-version') ? BY_VERSION : BY_DEFAULT;
}
