import * as z from 'zod';

import { shownTo } from '../core/card.js';
import { CODE } from '../core/errors.js';
import { currencyExponent, parseAmount } from '../core/money.js';
import { parseInstant } from '../core/time.js';
import { isProviderId, isReservedProviderId } from '../outcomes/built-in.js';
import { NumberText } from './json.js';
import { Fault, type Member, optional, required } from './member.js';

export { Fault, type Member, member, optional, optionalInSdk, required } from './member.js';

/**
 * The members that several resources share, as zod schemas in wire terms. A schema that knows a better code
 * than 90 (validation error) puts it into the issue's `params.code`.
 */

/** The longest text that a member takes unless it says otherwise. */
export const TEXT_MAX = 1024;
/** How many keys a caller's own map may have, and how long a value may be. */
export const METADATA_KEYS_MAX = 50;
/** The largest number of things that a member may state. */
const COUNT_MAX = 999_999_999;
/** The most decimals that any currency has. */
const DECIMALS_MAX = 4;

/** What kind of value stands there, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof NumberText) return 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}

/** A text of limited length. */
export function readText(value: unknown, max = TEXT_MAX): string | Fault {
  if (typeof value !== 'string') return new Fault(`must be text, not ${kindOf(value)}`);
  if (value.length > max) return new Fault(`has ${value.length} characters, at most ${max} are taken`);
  return value;
}

/** A text that may not be blank where it is required. */
export const text = (sample: string, max = TEXT_MAX): Member<string> =>
  required((value) => {
    const read = readText(value, max);
    if (typeof read === 'string' && read.trim() === '')
      return new Fault(`must not be blank, for example ${sample}`);
    return read;
  }, sample);

export const optionalText = (max = TEXT_MAX): Member<string | null> =>
  optional((value) => readText(value, max));

function readFlag(value: unknown): boolean | Fault {
  return typeof value === 'boolean' ? value : new Fault(`must be true or false, not ${kindOf(value)}`);
}

export const optionalFlag = (): Member<boolean | null> => optional(readFlag, 'flag');

/** The digits of an amount above zero, in a number or a text. */
export function readAmountText(value: unknown): string | Fault {
  const digits = typeof value === 'number' ? String(value) : value instanceof NumberText ? value.text : value;
  if (typeof digits !== 'string') {
    return new Fault(`must be a decimal number or text, not ${kindOf(value)}`, CODE.InvalidAmount);
  }
  const minor = parseAmount(digits, DECIMALS_MAX);
  return typeof minor === 'number' ? digits : amountFault(minor, digits);
}

/** The fault of an amount in words, with its code: 74 where it must be positive, else 2. */
export function amountFault(fault: string, digits: string): Fault {
  const shown = digits.length > 40 ? `${shownTo(digits, 40)}…` : digits;
  switch (fault) {
    case 'not-positive':
      return new Fault(`is ${shown}, it must be greater than 0`, CODE.InvalidAmountMustBePositive);
    case 'too-large':
      return new Fault(`is ${shown}, at most 999999999.99 is taken`, CODE.InvalidAmount);
    case 'decimals':
      return new Fault(`is ${shown}, which has more decimals than the currency`, CODE.InvalidAmount);
    default:
      return new Fault(
        `is ${JSON.stringify(shown)}, a decimal such as 15.5 or "15.50" is taken`,
        CODE.InvalidAmount,
      );
  }
}

/**
 * An amount, kept as the digits that were sent: how many decimals it may have depends on its
 * currency, which the service knows.
 */
export const amount = (): Member<string> => required(readAmountText, '15.50');
export const optionalAmount = (): Member<string | null> => optional(readAmountText);

function readCurrency(value: unknown): string | Fault {
  const read = readText(value);
  if (read instanceof Fault) return new Fault(read.message, CODE.CurrencyNotSupported);
  if (currencyExponent(read) !== undefined) return read;
  const shown = read.slice(0, 8);
  return new Fault(
    `is ${JSON.stringify(shown)}, an ISO 4217 code in capital letters such as AUD is taken`,
    CODE.CurrencyNotSupported,
  );
}

export const currency = (): Member<string> => required(readCurrency, 'AUD');
export const optionalCurrency = (): Member<string | null> => optional(readCurrency);

/** A ProviderId that nobody reserved. */
export function readProviderId(value: unknown): string | Fault {
  const read = readText(value);
  if (read instanceof Fault) return new Fault(read.message, CODE.InvalidProviderId);
  if (!isProviderId(read)) {
    const shown = JSON.stringify(shownTo(read, 40));
    return new Fault(
      `is ${shown}, 32 hexadecimal digits or a hyphenated UUID are taken`,
      CODE.InvalidProviderId,
    );
  }
  if (isReservedProviderId(read))
    return new Fault('is unknown: this identifier is kept for testing just that', CODE.InvalidProviderId);
  return read;
}

export const providerId = (): Member<string> => required(readProviderId, '00000000000000000000000000000001');

/** The digits of a number or a text. Any other value has none: as a text, a list of one looks like its item. */
export function digitsOf(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

/** The whole number that a number or a text is. Some programs write one with a point: `1.0`. */
export function wholeOf(value: unknown): number | undefined {
  const digits = (digitsOf(value) ?? '').replace(/\.0+$/, '');
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** A number of seconds as a positive whole number; another value is a fault with the given code. */
export const optionalSeconds = (code: number): Member<number | null> =>
  optional((value) => {
    const whole = wholeOf(value) ?? 0;
    if (whole > 0) return whole;
    return new Fault(`must be a whole number of seconds greater than 0, for example 3600`, code);
  });

export const optionalInstant = (code: number): Member<number | null> =>
  optional((value) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (instant !== undefined) return instant;
    return new Fault('must be a date-time such as 2031-01-01T00:00:00Z', code);
  }, 'instant');

export const count = (): Member<number> =>
  required((value) => {
    const whole = wholeOf(value) ?? COUNT_MAX + 1;
    if (whole <= COUNT_MAX) return whole;
    return new Fault(`must be a whole number of at most ${COUNT_MAX}, not ${kindOf(value)} like this`);
  }, '2');

function readMetadata(value: unknown): Readonly<Record<string, string>> | Fault {
  if (kindOf(value) !== 'an object') return new Fault(`must be an object of texts, not ${kindOf(value)}`);
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > METADATA_KEYS_MAX) {
    return new Fault(`has ${entries.length} keys, at most ${METADATA_KEYS_MAX} are taken`);
  }
  const texts: Record<string, string> = {};
  for (const [key, item] of entries) {
    if (item === null || item === undefined) continue;
    const read = typeof item === 'boolean' ? String(item) : digitsOf(item);
    if (read === undefined) return new Fault(`holds ${kindOf(item)} under a key, only texts are taken`);
    if (read.length > TEXT_MAX || key.length > TEXT_MAX) {
      return new Fault(`holds a text of more than ${TEXT_MAX} characters`);
    }
    texts[key] = read;
  }
  return texts;
}

/** A caller's own map of texts; its keys are never renamed. Numbers and flags are kept as their text. */
export const optionalMetadata = (): Member<Readonly<Record<string, string>> | null> => optional(readMetadata);

export const optionalAddress = () =>
  z
    .object({
      Line1: optionalText(),
      Line2: optionalText(),
      City: optionalText(),
      Country: optionalText(),
      PostalCode: optionalText(),
      State: optionalText(),
    })
    .optional();

/** An object that is accepted for compatibility and has no effect here. */
export const ignoredObject = (): Member<null> =>
  optional((value) =>
    kindOf(value) === 'an object' ? null : new Fault(`must be an object, not ${kindOf(value)}`),
  );

export const ignoredValue = (): Member<null> => optional(() => null);

/** One of a few words, exactly as written; the sdk dialect takes them in any case. */
export const optionalWord = <W extends string>(...words: W[]): Member<W | null> =>
  optional((value) => {
    const found = words.find((word) => word === value);
    return found ?? new Fault(`must be one of ${words.join(', ')}`);
  }, words);
