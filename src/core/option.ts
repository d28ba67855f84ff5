import { DELAY_MS_MAX } from './time/delay.js';
import { kindOf, quoted, wrongKind } from './text/text.js';
import { parseDuration } from './time/time.js';
import { ValidationError } from './validation-error.js';

/** A kind of values of options, and its reader. */
export interface Kind<T> {
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
export interface Row<T> extends Kind<unknown> {
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

export type Rows = Readonly<Record<string, Row<unknown>>>;

export type ValuesOf<R extends Rows> = { readonly [K in keyof R]: R[K] extends Row<infer T> ? T : never };

/** The default is null, or the value of the text `fallback`, which --help shows unless it is hidden. */
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

const TOGGLE: Kind<boolean> = {
  mustBe: '1, true, 0 or false',
  words: ['1', 'true', '0', 'false'],
  read: (given) => (/^(?:1|true|0|false)$/.test(given) ? given === '1' || given === 'true' : undefined),
};

export function toggle(help: string): Row<boolean> {
  return option(TOGGLE, help, 'false', { isHidden: true });
}

export const GUARD = { isGuard: true } as const;

export function text(argument: string, mustBe: string, isGood: (given: string) => boolean): Kind<string> {
  return { argument, mustBe, read: (given) => (isGood(given) ? given : undefined) };
}

export function anyText(argument: string, mustBe: string): Kind<string> {
  return text(argument, mustBe, (given) => given !== '');
}

export function oneOf<const T extends string>(
  argument: string,
  words: readonly T[],
  mustBe: string,
): Kind<T> {
  return { argument, mustBe, words, read: (given) => words.find((word) => word === given) };
}

export const TTL: Kind<number> = {
  argument: 'DURATION',
  mustBe: 'a duration above zero, such as 30s, 15m, 2h, 7d or PT2H',
  read: (given) => parseDuration(given) || undefined,
};

export const DELAY: Kind<number> = {
  argument: 'DURATION',
  mustBe: `a duration of at most ${DELAY_MS_MAX / 1000}s, such as 200ms or 2s`,
  read: (given) => {
    const ms = parseDuration(given) ?? Infinity;
    return ms <= DELAY_MS_MAX ? ms : undefined;
  },
};

export const PACE: Kind<number> = {
  argument: 'PACE',
  mustBe: 'immediate or a duration such as 100ms, 2s or PT1M',
  words: ['immediate'],
  read: (given) => (given === 'immediate' ? 0 : parseDuration(given)),
};

/** Read into the form that browsers send: lower case, without the scheme's default port. */
export const ORIGIN: Kind<string> = {
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
export function readValue<T>(row: Row<T>, value: unknown): T | ValidationError {
  const isToggle = row.argument === undefined;
  const read = isToggle || typeof value !== 'string' ? value : row.read(value);
  const isRead = isToggle ? typeof value === 'boolean' : typeof value === 'string' && read !== undefined;
  return isRead ? (read as T) : new ValidationError(reasonAgainst(row, value));
}

/** Why a value is refused: what it is, unless that is a secret, and what is accepted. */
function reasonAgainst({ argument, isSecret, mustBe }: Row<unknown>, value: unknown): string {
  if (argument === undefined) return wrongKind('true or false', value);
  const isShown = typeof value === 'string' && (isSecret === undefined || value === '');
  return `is ${isShown ? quoted(value) : kindOf(value)}; it must be ${mustBe}`;
}
