import * as z from 'zod';

import { shortenText } from '../../core/cards/card.js';
import { CODE } from '../../core/errors.js';
import { CURRENCY_CODE, currencyExponent, parseAmount } from '../../core/money.js';
import { METADATA_KEYS_MAX } from '../../core/store/field.js';
import { NumberText } from '../../core/text/number-text.js';
import { isUuid, describeType, explainTooManyKeys } from '../../core/text/text.js';
import { parseInstant } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { isReservedProviderId } from '../../outcomes/built-in.js';
import {
  describeBlank,
  digitsField,
  optionalField,
  optionalInSdk,
  convertField,
  convertText,
  cappedText,
} from './field.js';
import { AMOUNT_SENT, ANY_OBJECT, CURRENCY_SENT, PROVIDER_ID_SENT, wholeSent } from '../body/sent-schemas.js';

export { optionalInSdk };

/** Fields that several resources share, as zod schemas. The error codes of a field are in its meta. */

/** The default maximum length of a text. */
export const TEXT_MAX = 1024;
const COUNT_MAX = 999_999_999;
const DECIMALS_MAX = 4;

/** A text that may not be blank. */
export const requiredText = (sample: string, max = TEXT_MAX) =>
  cappedText(max)
    .min(1)
    .refine((value) => value.trim() !== '', { error: describeBlank(sample) })
    .meta({ sample, pattern: '\\S' });

export const optionalText = (max = TEXT_MAX) => optionalField(cappedText(max));

export const optionalFlag = () => optionalField(z.boolean());

export const setDefaultFlag = () =>
  optionalFlag().describe('Whether the payment method becomes the customer’s default.');

export function readDecimal(value: string | number): string | ValidationError {
  const given = String(value);
  const minor = parseAmount(given, DECIMALS_MAX);
  return typeof minor === 'number' ? given : toAmountError(minor, given);
}

/** Why an amount is refused, with code 74 if it must be positive, or else code 2. */
export function toAmountError(fault: string, given: string): ValidationError {
  const shown = given.length > 40 ? `${shortenText(given, 40)}…` : given;
  switch (fault) {
    case 'not-positive':
      return new ValidationError(`is ${shown}; it must be greater than 0`, CODE.InvalidAmountMustBePositive);
    case 'too-large':
      return new ValidationError(`is ${shown}; the maximum is 999999999.99`, CODE.InvalidAmount);
    case 'decimals':
      return new ValidationError(
        `is ${shown}, which has more decimals than the currency allows`,
        CODE.InvalidAmount,
      );
    default:
      return new ValidationError(
        `is ${JSON.stringify(shown)}; it must be a decimal number such as 15.5 or "15.50"`,
        CODE.InvalidAmount,
      );
  }
}

export const AMOUNT_META = {
  code: CODE.InvalidAmount,
  otherCodes: [CODE.InvalidAmountMustBePositive],
  sample: '15.50',
  expected: 'a decimal number or string',
  description: 'In major units, such as 15.50, with at most as many decimals as the currency has.',
  amount: true,
  sent: AMOUNT_SENT,
};

/** An amount as the digits that were sent. Only the service knows the currency, and therefore the decimals. */
export const requiredAmount = () => convertField(digitsField(), readDecimal).meta(AMOUNT_META);
export const optionalAmount = () => optionalField(requiredAmount());

/** An amount for which all errors have the same code. */
export const amountWith = (code: number) =>
  convertField(digitsField(), (value) => {
    const read = readDecimal(value);
    return read instanceof ValidationError ? new ValidationError(read.message) : read;
  }).meta({ ...AMOUNT_META, code, otherCodes: [] });

export function describeWrongCurrency(given: string): string {
  return `is ${JSON.stringify(given.slice(0, 8))}; it must be ${CURRENCY_CODE}`;
}

export const requiredCurrency = () =>
  cappedText(TEXT_MAX)
    .refine((code) => currencyExponent(code) !== undefined, {
      error: ({ input }) => describeWrongCurrency(String(input)),
    })
    .meta({
      code: CODE.CurrencyNotSupported,
      sample: 'AUD',
      description: 'An ISO 4217 code, in any letter case. Default: the currency of the provider.',
      currency: true,
      sent: CURRENCY_SENT,
    });
export const optionalCurrency = () => optionalField(requiredCurrency());

function whyNoProviderId(id: string): string | undefined {
  if (!isUuid(id)) return describeMalformedId(id);
  return isReservedProviderId(id)
    ? 'is unknown: this identifier is reserved for testing unknown providers'
    : undefined;
}

export function describeMalformedId(given: string): string {
  return `is ${JSON.stringify(shortenText(given, 40))}; it must be 32 hexadecimal digits or a hyphenated UUID`;
}

export const requiredProviderId = (code: number = CODE.InvalidProviderId) =>
  cappedText(TEXT_MAX)
    .refine((id) => whyNoProviderId(id) === undefined, {
      error: ({ input }) => whyNoProviderId(String(input)) ?? '',
    })
    .meta({
      code,
      sample: '00000000000000000000000000000001',
      description: 'The identifier of the provider: 32 hexadecimal digits or a hyphenated UUID.',
      sent: PROVIDER_ID_SENT,
    });

export function readDigits(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

/** The whole number in a number or a text. Some programs write it with a point: `1.0`. */
export function readWhole(value: string | number): number | undefined {
  const given = String(value).replace(/\.0+$/, '');
  return /^\d+$/.test(given) ? Number(given) : undefined;
}

/** A positive whole number of seconds. Other values are refused with the given code. */
export function optionalSeconds(code: number) {
  const message = 'must be a whole number of seconds greater than 0, for example 3600';
  const seconds = convertField(digitsField(), (value) => {
    const whole = readWhole(value) ?? 0;
    return whole > 0 ? whole : new ValidationError(message);
  });
  return optionalField(seconds.meta({ code, wrong: message, sent: wholeSent(1) }));
}

export function optionalInstant(code: number = CODE.ValidationError) {
  const message = 'must be a date-time such as 2031-01-01T00:00:00Z';
  return optionalField(
    convertText(parseInstant, message).meta({ code, wrong: message, instant: true, format: 'date-time' }),
  );
}

export function requiredCount() {
  const wrong = `must be a whole number from 0 to ${COUNT_MAX}`;
  return convertField(digitsField(), (value) => {
    const whole = readWhole(value) ?? COUNT_MAX + 1;
    return whole <= COUNT_MAX ? whole : new ValidationError(wrong);
  }).meta({ sample: '2', wrong, sent: wholeSent(0, COUNT_MAX) });
}

export function optionalWhole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  const whole = convertField(digitsField(), (value) => {
    const read = readWhole(value) ?? -1;
    return read >= min && read <= max ? read : new ValidationError(message);
  });
  return optionalField(whole.meta({ wrong: message, sent: wholeSent(min, max) }));
}

function readMetadata(value: Record<string, unknown>): Readonly<Record<string, string>> | ValidationError {
  const entries = Object.entries(value);
  if (entries.length > METADATA_KEYS_MAX) {
    return new ValidationError(explainTooManyKeys(entries.length, METADATA_KEYS_MAX));
  }
  const texts: Record<string, string> = {};
  for (const [key, item] of entries) {
    if (item === null || item === undefined) continue;
    const read = typeof item === 'boolean' ? String(item) : readDigits(item);
    if (read === undefined)
      return new ValidationError(`has ${describeType(item)} as a value; values must be strings`);
    if (read.length > TEXT_MAX || key.length > TEXT_MAX) {
      return new ValidationError(`has a key or a value longer than ${TEXT_MAX} characters`);
    }
    texts[key] = read;
  }
  return texts;
}

/** A caller's own map of strings, whose keys are never renamed. Numbers and booleans are stored as strings. */
export const optionalMetadata = () =>
  optionalField(
    convertField(z.record(z.string(), z.unknown()), readMetadata).meta({
      expected: 'an object of strings',
      description: 'Your own keys and values. Keys are never renamed.',
      sent: {
        type: 'object',
        maxProperties: METADATA_KEYS_MAX,
        propertyNames: { maxLength: TEXT_MAX },
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: TEXT_MAX },
      },
    }),
  );

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
    .optional()
    .meta({ description: 'A postal address.' });

export const NO_EFFECT = 'Accepted, but has no effect here.';

/** An object that is accepted for compatibility and has no effect here. */
export const ignoredObject = () =>
  optionalField(
    z
      .record(z.string(), z.unknown())
      .meta({ expected: 'an object', description: NO_EFFECT, sent: ANY_OBJECT }),
  );

export const ignoredValue = () => z.unknown().optional().meta({ description: NO_EFFECT });

/** One of a few words, in any letter case. */
export const optionalWord = <const W extends string>(...words: readonly W[]) => optionalField(z.enum(words));

/** Like `optionalWord`, but required. */
export const requiredWord = <const W extends string>(...words: readonly W[]) =>
  z.enum(words).meta({ sample: String(words[0]) });
