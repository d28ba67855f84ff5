import * as z from 'zod';

import { ccvFault, parsePan } from '../core/card.js';
import { CODE } from '../core/errors.js';
import { currencyExponent, parseAmount } from '../core/money.js';
import { isExpiry, parseInstant } from '../core/time.js';
import type { CardData } from '../payment-methods/model.js';
import { isProviderId, isReservedProviderId } from '../providers/built-in.js';
import { NumberText } from './json.js';

/**
 * The members that several resources share, as zod schemas in wire terms. A schema that knows a better code
 * than 90 (validation error) puts it into the issue's `params.code`.
 */

/** The longest text that a member takes unless it says otherwise. */
export const TEXT_MAX = 1024;
/** How many keys a caller's own map may have, and how long a value may be. */
export const METADATA_KEYS_MAX = 50;
/** The most decimals that any currency has. */
const DECIMALS_MAX = 4;

export class Fault {
  constructor(
    readonly message: string,
    readonly code: number = CODE.ValidationError,
  ) {}
}

/** A schema from a reading function: the function returns what it read, or a fault. */
function member<T>(read: (value: unknown) => T | Fault): z.ZodType<T> {
  return z.transform((value: unknown, context): T => {
    const result = read(value);
    if (!(result instanceof Fault)) return result;
    const { message, code } = result;
    context.issues.push({ code: 'custom', message, input: value, params: { code } });
    return z.NEVER;
  });
}

export function optional<T>(read: (value: unknown) => T | Fault): z.ZodType<T | null> {
  return member((value) => (value === undefined ? null : read(value)));
}

function required<T>(read: (value: unknown) => T | Fault, sample: string): z.ZodType<T> {
  const missing = new Fault(`is required, for example ${sample}`);
  return member((value) => (value === undefined ? missing : read(value)));
}

/** What kind of value stands there, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof NumberText) return 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}

function readText(value: unknown, max: number): string | Fault {
  if (typeof value !== 'string') return new Fault(`must be text, not ${kindOf(value)}`);
  if (value.length > max) return new Fault(`has ${value.length} characters, at most ${max} are taken`);
  return value;
}

/** A text that may not be blank where it is required. */
export const text = (sample: string, max = TEXT_MAX): z.ZodType<string> =>
  required((value) => {
    const read = readText(value, max);
    if (typeof read === 'string' && read.trim() === '') return new Fault(`must not be blank, for example ${sample}`);
    return read;
  }, sample);

export const optionalText = (max = TEXT_MAX): z.ZodType<string | null> => optional((value) => readText(value, max));

function readFlag(value: unknown): boolean | Fault {
  return typeof value === 'boolean' ? value : new Fault(`must be true or false, not ${kindOf(value)}`);
}

export const optionalFlag = (): z.ZodType<boolean | null> => optional(readFlag);

function readAmountText(value: unknown): string | Fault {
  const digits = typeof value === 'number' ? String(value) : value instanceof NumberText ? value.text : value;
  if (typeof digits !== 'string') {
    return new Fault(`must be a decimal number or text, not ${kindOf(value)}`, CODE.InvalidAmount);
  }
  const minor = parseAmount(digits, DECIMALS_MAX);
  return typeof minor === 'number' ? digits : amountFault(minor, digits);
}

/** The fault of an amount in words, with its code: 74 where it must be positive, else 2. */
export function amountFault(fault: string, digits: string): Fault {
  const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
  switch (fault) {
    case 'not-positive':
      return new Fault(`is ${shown}, it must be greater than 0`, CODE.InvalidAmountMustBePositive);
    case 'too-large':
      return new Fault(`is ${shown}, at most 999999999.99 is taken`, CODE.InvalidAmount);
    case 'decimals':
      return new Fault(`is ${shown}, which has more decimals than the currency`, CODE.InvalidAmount);
    default:
      return new Fault(`is ${JSON.stringify(shown)}, a decimal such as 15.5 or "15.50" is taken`, CODE.InvalidAmount);
  }
}

/**
 * An amount, kept as the digits that were sent: how many decimals it may have depends on its
 * currency, which the service knows.
 */
export const amount = (): z.ZodType<string> => required(readAmountText, '15.50');
export const optionalAmount = (): z.ZodType<string | null> => optional(readAmountText);

function readCurrency(value: unknown): string | Fault {
  const read = readText(value, TEXT_MAX);
  if (read instanceof Fault) return new Fault(read.message, CODE.CurrencyNotSupported);
  if (currencyExponent(read) !== undefined) return read;
  const shown = read.slice(0, 8);
  return new Fault(
    `is ${JSON.stringify(shown)}, an ISO 4217 code in capital letters such as AUD is taken`,
    CODE.CurrencyNotSupported,
  );
}

export const currency = (): z.ZodType<string> => required(readCurrency, 'AUD');
export const optionalCurrency = (): z.ZodType<string | null> => optional(readCurrency);

function readProviderId(value: unknown): string | Fault {
  const read = readText(value, TEXT_MAX);
  if (read instanceof Fault) return new Fault(read.message, CODE.InvalidProviderId);
  if (!isProviderId(read)) {
    const shown = JSON.stringify(read.slice(0, 40));
    return new Fault(`is ${shown}, 32 hexadecimal digits or a hyphenated UUID are taken`, CODE.InvalidProviderId);
  }
  if (isReservedProviderId(read))
    return new Fault('is unknown: this identifier is kept for testing just that', CODE.InvalidProviderId);
  return read;
}

export const providerId = (): z.ZodType<string> => required(readProviderId, '00000000000000000000000000000001');
export const optionalProviderId = (): z.ZodType<string | null> => optional(readProviderId);

function readPan(value: unknown): string | Fault {
  const read = readText(value, TEXT_MAX);
  if (read instanceof Fault) return new Fault(read.message, CODE.InvalidCardNumber);
  const parsed = parsePan(read);
  if (parsed.pan !== undefined) return parsed.pan;
  return parsed.fault === 'length'
    ? new Fault('has a wrong length, 12 to 19 digits are taken', CODE.InvalidCardLength)
    : new Fault('is not a card number: digits with a right check digit are taken', CODE.InvalidCardNumber);
}

export const pan = (): z.ZodType<string> => required(readPan, '"4111111111111111"');

const CCV_SHAPE = 'three digits are taken, four for American Express';

/** Whether three or four digits are right depends on the scheme; here only that it is one of both. */
export const optionalCcv = (): z.ZodType<string | null> =>
  optional((value) => {
    const read = readText(value, TEXT_MAX);
    if (read instanceof Fault) return new Fault(`${read.message}; ${CCV_SHAPE}`, CODE.InvalidCcv);
    const fits = !ccvFault(read, 'VISA') || !ccvFault(read, 'AMEX');
    return fits ? read : new Fault(`is malformed, ${CCV_SHAPE}`, CODE.InvalidCcv);
  });

function readExpiry(value: unknown): string | Fault {
  const read = readText(value, TEXT_MAX);
  if (!(read instanceof Fault) && isExpiry(read)) return read;
  const shown = read instanceof Fault ? read.message : `is ${JSON.stringify(read.slice(0, 10))}`;
  return new Fault(`${shown}, MM/YY such as 10/30 is taken`, CODE.InvalidExpiryDate);
}

export const expiry = (): z.ZodType<string> => required(readExpiry, '"10/30"');
export const optionalExpiry = (): z.ZodType<string | null> => optional(readExpiry);

/** The digits of a number or a text. Any other value has none: as a text, a list of one looks like its item. */
function digitsOf(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

/** A number of seconds as a positive whole number; another value is a fault with the given code. */
export const optionalSeconds = (code: number): z.ZodType<number | null> =>
  optional((value) => {
    const digits = digitsOf(value);
    const whole = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
    if (whole > 0) return whole;
    return new Fault(`must be a whole number of seconds greater than 0, for example 3600`, code);
  });

export const optionalInstant = (code: number): z.ZodType<number | null> =>
  optional((value) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (instant !== undefined) return instant;
    return new Fault('must be a date-time such as 2031-01-01T00:00:00Z', code);
  });

/** Like `optionalInstant`, for a query, where the `+` of a zone arrives as a blank. */
export const optionalQueryInstant = (): z.ZodType<number | null> =>
  optional((value) => {
    const instant = parseInstant(String(value), { plusAsBlank: true });
    return instant ?? new Fault('must be a date-time such as 2026-01-01T00:00:00Z');
  });

/** How many records a page has at most, and unless told otherwise: our assumption. */
export const LIMIT_MAX = 500;
export const LIMIT_DEFAULT = 100;

function wholeNumber(min: number, max: number, fallback: number): z.ZodType<number> {
  return member((value) => {
    if (value === undefined) return fallback;
    const digits = String(value);
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
export const sortOrder = <W extends string>(...words: W[]): z.ZodType<Order<W> | null> =>
  optional((value) => {
    const asked = String(value);
    const descending = asked.startsWith('-');
    const by = words.find((word) => word.toLowerCase() === asked.slice(descending ? 1 : 0).toLowerCase());
    return by ? { by, descending } : new Fault(`must be one of ${words.join(', ')}, with - in front for descending`);
  });

export interface Order<W extends string> {
  readonly by: W;
  readonly descending: boolean;
}

export const count = (): z.ZodType<number> =>
  required((value) => {
    const digits = digitsOf(value);
    if (/^\d{1,9}$/.test(digits)) return Number(digits);
    return new Fault(`must be a whole number, not ${kindOf(value)} like this`);
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
    const read = item instanceof NumberText ? item.text : typeof item === 'object' ? null : String(item);
    if (read === null) return new Fault(`holds ${kindOf(item)} under a key, only texts are taken`);
    if (read.length > TEXT_MAX || key.length > TEXT_MAX) {
      return new Fault(`holds a text of more than ${TEXT_MAX} characters`);
    }
    texts[key] = read;
  }
  return texts;
}

/** A caller's own map of texts; its keys are never renamed. Numbers and flags are kept as their text. */
export const optionalMetadata = (): z.ZodType<Readonly<Record<string, string>> | null> => optional(readMetadata);

function isPrivateName(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  if (/^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(name)) return true;
  if (/^(?:::1|f[cd][0-9a-f]{2}:.*|fe80:.*)$/i.test(name)) return true;
  return !name.includes('.') || /\.(?:localhost|local|internal|test|svc\.cluster\.local)$/i.test(name);
}

function readWebhookUrl(value: unknown): string | Fault {
  const read = readText(value, TEXT_MAX);
  if (read instanceof Fault) return read;
  const url = URL.canParse(read) ? new URL(read) : null;
  if (url?.protocol === 'https:') return read;
  if (url?.protocol === 'http:' && isPrivateName(url.hostname)) return read;
  return new Fault('must be an absolute https address; http is taken for loopback and private hosts only');
}

const authorization = (): z.ZodType<string | null> =>
  optional((value) => {
    const read = readText(value, TEXT_MAX);
    if (read instanceof Fault || !/[\r\n\0]/.test(read)) return read;
    return new Fault('must be text without line breaks');
  });

/** Where to tell of a change: an address and the value of its Authorization header. */
export const optionalWebhook = () =>
  z
    .object({ Url: required(readWebhookUrl, '"https://example.com/hook"'), Authorization: authorization() })
    .optional();

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
export const ignoredObject = (): z.ZodType<null> =>
  optional((value) => (kindOf(value) === 'an object' ? null : new Fault(`must be an object, not ${kindOf(value)}`)));

export const ignoredValue = (): z.ZodType<null> => optional(() => null);

/** One of a few words, exactly as written. */
export const optionalWord = <W extends string>(...words: W[]): z.ZodType<W | null> =>
  optional((value) => {
    const found = words.find((word) => word === value);
    return found ?? new Fault(`must be one of ${words.join(', ')}`);
  });

/** The card of a request. */
export const paymentInformation = () =>
  z
    .object({ CardNumber: pan(), ExpiryDate: expiry(), Ccv: optionalCcv(), Cardholder: optionalText(256) })
    .transform(({ CardNumber, ExpiryDate, Ccv, Cardholder }, context): CardData => {
      if (ccvMisfits(CardNumber, Ccv)) return ccvRefused(context);
      return { pan: CardNumber, expiry: ExpiryDate, ccv: Ccv, cardholder: Cardholder };
    });

/** The issue of a Ccv whose length does not fit the card's scheme. */
export function ccvRefused(context: z.RefinementCtx): never {
  context.issues.push({
    code: 'custom',
    message: `does not fit the card, ${CCV_SHAPE}`,
    input: undefined,
    path: ['Ccv'],
    params: { code: CODE.InvalidCcv },
  });
  return z.NEVER;
}

/** American Express alone begins with 34 or 37; it has four digits. */
export function ccvMisfits(cardNumber: string, ccv: string | null): boolean {
  if (ccv === null) return false;
  const amex = cardNumber.startsWith('34') || cardNumber.startsWith('37');
  return ccvFault(ccv, amex ? 'AMEX' : 'VISA');
}
