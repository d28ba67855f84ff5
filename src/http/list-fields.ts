import { currencyExponent, parseAmount, UNIT_DECIMALS } from '../core/money.js';
import { type Order, orderNamed } from '../core/search.js';
import { parseInstant } from '../core/time.js';
import { isProviderId } from '../outcomes/built-in.js';
import { digitsOf, Fault, member, optional, type Member } from './fields.js';

/** The members of a query that lists records. */

/** Like `optionalInstant`, for a query, where the `+` of a zone arrives as a blank. */
export const optionalQueryInstant = (): Member<number | null> =>
  optional((value) => {
    const instant = parseInstant(String(value), { plusAsBlank: true });
    return instant ?? new Fault('must be a date-time such as 2026-01-01T00:00:00Z');
  }, 'instant');

/** A filter of one shape; malformed it has code 90, also where the member of a resource has a code of its own. */
export const shaped = (fits: (text: string) => boolean, reason: string): Member<string | null> =>
  optional((value): string | Fault => (fits(String(value)) ? String(value) : new Fault(reason)));

export const optionalQueryProviderId = (): Member<string | null> =>
  shaped(isProviderId, 'must be 32 hexadecimal digits or a hyphenated UUID');

export const optionalQueryCurrency = (): Member<string | null> =>
  shaped(
    (code) => currencyExponent(code) !== undefined,
    'must be an ISO 4217 code in capital letters such as AUD',
  );

/** What amounts of any currency are compared with, in units of 0.0001. */
export const optionalQueryBound = (): Member<number | null> =>
  optional((value): number | Fault => {
    const digits = String(value);
    if (/^0+(?:\.0+)?$/.test(digits)) return 0;
    const units = parseAmount(digits, UNIT_DECIMALS);
    return typeof units === 'number' ? units : new Fault('must be a decimal such as 1.5');
  });

/** True or false in any case: client libraries write `True`. */
export const optionalQueryFlag = (): Member<boolean | null> =>
  optional((value) => {
    const word = String(value).toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : new Fault('must be true or false');
  });

/** How many records a page has at most, and unless told otherwise: our assumption. */
export const LIMIT_MAX = 500;
export const LIMIT_DEFAULT = 100;

function wholeNumber(min: number, max: number, fallback: number): Member<number> {
  return member((value) => {
    if (value === undefined) return fallback;
    const digits = digitsOf(value) ?? '';
    const whole = /^\d{1,10}$/.test(digits) ? Number(digits) : -1;
    if (whole >= min && whole <= max) return whole;
    return new Fault(`must be a whole number from ${min} to ${max}`);
  });
}

/** The part of a list that is asked for. */
export const pageMembers = () => ({
  Limit: wholeNumber(1, LIMIT_MAX, LIMIT_DEFAULT),
  Skip: wholeNumber(0, 4_294_967_295, 0),
});

/** An order by one of a few members; `-` in front: descending. Newest first unless told otherwise. */
export const sortOrder = <W extends string>(...words: W[]): Member<Order<W> | null> =>
  optional(
    (value) =>
      orderNamed(String(value), words) ??
      new Fault(`must be one of ${words.join(', ')}, with - in front for descending`),
    { orderBy: words },
  );
