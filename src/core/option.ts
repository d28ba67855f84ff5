import { DELAY_MS_MAX } from './time/delay.js';
import { describeType, quoteText, explainWrongType } from './text/text.js';
import { DURATION_MAX_MS, formatDuration, parseDuration } from './time/time.js';
import { ValidationError } from './validation-error.js';

/** A kind of values of options, and its reader. */
export interface OptionKind<T> {
  /** Placeholder of the value in --help; a switch has none. */
  readonly argument?: string;
  /** Ends the sentence "--port must be …". */
  readonly mustBe: string;
  /** Fixed words among the values, for "did you mean". */
  readonly words?: readonly string[];
  /** Masks the value in messages. */
  readonly isSecret?: true;
  /** Refuses an empty variable, which would start a server that is less protected than its user expects. */
  readonly isGuard?: true;
  readonly read: (text: string) => T | undefined;
}

/** An option of the command line or of a reset. */
export interface OptionRow<T> extends OptionKind<unknown> {
  readonly help: string;
  readonly fallback: T;
  /** The default as --help shows it. */
  readonly shown?: string | undefined;
  /** A variable that is read when the option's own one is not set. */
  readonly variable?: string;
  /** Picks this option's value from a variable that holds more; undefined when it has none. */
  readonly ofVariable?: (text: string) => string | undefined;
  readonly isList?: true;
  /** The values of the list may have commas, so each has an option of its own. */
  readonly hasCommas?: true;
  readonly isRequired?: true;
  /** The verb sets the value itself, so it cannot be given. */
  readonly isFixed?: boolean;
}

export type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

export type OptionValues<R extends OptionRows> = {
  readonly [K in keyof R]: R[K] extends OptionRow<infer T> ? T : never;
};

/** The default is null, or the value of the text `fallback`, which --help shows unless it is hidden. */
export function option<T>(kind: OptionKind<T>, help: string): OptionRow<T | null>;
export function option<T>(
  kind: OptionKind<T>,
  help: string,
  fallback: string,
  more?: { isHidden: true },
): OptionRow<T>;
export function option<T>(
  kind: OptionKind<T>,
  help: string,
  fallback?: string,
  more?: { isHidden: true },
): OptionRow<T | null> {
  const value = fallback === undefined ? null : (kind.read(fallback) ?? null);
  return { ...kind, help, fallback: value, shown: more?.isHidden ? undefined : fallback };
}

const TOGGLE_KIND: OptionKind<boolean> = {
  mustBe: '1, true, 0 or false',
  words: ['1', 'true', '0', 'false'],
  read: (given) => (/^(?:1|true|0|false)$/.test(given) ? given === '1' || given === 'true' : undefined),
};

export function toggleOption(help: string): OptionRow<boolean> {
  return option(TOGGLE_KIND, help, 'false', { isHidden: true });
}

export const GUARD = { isGuard: true } as const;

export function textKind(
  argument: string,
  mustBe: string,
  isGood: (given: string) => boolean,
): OptionKind<string> {
  return { argument, mustBe, read: (given) => (isGood(given) ? given : undefined) };
}

export function nonEmptyKind(argument: string, mustBe: string): OptionKind<string> {
  return textKind(argument, mustBe, (given) => given !== '');
}

export function wordKind<const T extends string>(
  argument: string,
  words: readonly T[],
  mustBe: string,
): OptionKind<T> {
  return { argument, mustBe, words, read: (given) => words.find((word) => word === given) };
}

export const TTL_KIND: OptionKind<number> = {
  argument: 'DURATION',
  mustBe: `a duration above zero and up to ${formatDuration(DURATION_MAX_MS)}, such as 30s, 15m, 2h, 7d or PT2H`,
  read: (given) => parseDuration(given) || undefined,
};

export const DELAY_KIND: OptionKind<number> = {
  argument: 'DURATION',
  mustBe: `a duration of at most ${DELAY_MS_MAX / 1000}s, such as 200ms or 2s`,
  read: (given) => {
    const ms = parseDuration(given) ?? Infinity;
    return ms <= DELAY_MS_MAX ? ms : undefined;
  },
};

export const PACE_KIND: OptionKind<number> = {
  argument: 'PACE',
  mustBe: 'immediate or a duration such as 100ms, 2s or PT1M',
  words: ['immediate'],
  read: (given) => (given === 'immediate' ? 0 : parseDuration(given)),
};

/** Read into the form that browsers send: lower case, without the scheme's default port. */
export const ORIGIN: OptionKind<string> = {
  argument: 'ORIGIN',
  mustBe: 'an origin without a path, such as https://shop.example.com, or null',
  read: (given) => {
    if (given === 'null') return given;
    if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]+\/?$/i.test(given) || !URL.canParse(given)) return undefined;
    const { origin, protocol, host } = new URL(given);
    return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin;
  },
};

/** Reads a value of JSON: true or false for an option without a value, a text for any other. */
export function readJsonOption<T>(row: OptionRow<T>, value: unknown): T | ValidationError {
  const isToggle = row.argument === undefined;
  const read = isToggle || typeof value !== 'string' ? value : row.read(value);
  const isRead = isToggle ? typeof value === 'boolean' : typeof value === 'string' && read !== undefined;
  return isRead ? (read as T) : new ValidationError(explainRefusedValue(row, value));
}

/** Why a value is refused: what it is, unless that is a secret, and what is accepted. */
function explainRefusedValue({ argument, isSecret, mustBe }: OptionRow<unknown>, value: unknown): string {
  if (argument === undefined) return explainWrongType('true or false', value);
  const isShown = typeof value === 'string' && (isSecret === undefined || value === '');
  return `is ${isShown ? quoteText(value) : describeType(value)}; it must be ${mustBe}`;
}
