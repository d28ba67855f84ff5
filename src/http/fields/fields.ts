import * as z from 'zod';

import { shortenText } from '../../core/cards/card.js';
import { CODE } from '../../core/errors.js';
import { isUuid } from '../../core/text/text.js';
import { parseInstant } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import type { Address } from '../../records/customer.js';
import { isReservedProviderId } from '../../outcomes/built-in.js';
import {
  describeBlank,
  digitsField,
  optionalField,
  convertField,
  convertText,
  cappedText,
  toCamelCase,
} from './field.js';
import { PROVIDER_ID_SENT, wholeSent } from '../body/sent-schemas.js';

/** Fields that several resources share, as zod schemas. The error codes of a field are in its meta. */

/** The default maximum length of a text. */
export const TEXT_MAX = 1024;
const COUNT_MAX = 999_999_999;

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

/** The whole number in a number or a text. Some programs write it with a point: `1.0`. */
export function readWhole(value: string | number): number | undefined {
  const given = String(value).replace(/\.0+$/, '');
  return /^\d+$/.test(given) ? Number(given) : undefined;
}

const wholeBetween = (min: number, max: number | undefined, wrong: string) =>
  convertField(digitsField(), (value) => {
    const whole = readWhole(value) ?? -1;
    return whole >= min && whole <= (max ?? whole) ? whole : new ValidationError(wrong);
  }).meta({ wrong, sent: wholeSent(min, max) });

/** A positive whole number of seconds. Other values are refused with the given code. */
export const optionalSeconds = (code: number) =>
  optionalField(
    wholeBetween(1, undefined, 'must be a whole number of seconds greater than 0, for example 3600').meta({
      code,
    }),
  );

export function optionalInstant(code: number = CODE.ValidationError) {
  const message = 'must be a date-time such as 2031-01-01T00:00:00Z';
  return optionalField(
    convertText(parseInstant, message).meta({ code, wrong: message, instant: true, format: 'date-time' }),
  );
}

export const requiredCount = () =>
  wholeBetween(0, COUNT_MAX, `must be a whole number from 0 to ${COUNT_MAX}`).meta({ sample: '2' });

export const optionalWhole = (min: number, max: number) =>
  optionalField(wholeBetween(min, max, `must be a whole number from ${min} to ${max}`));

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

/** An address replaces the stored one: fields that are left out become null. */
export function readAddress(address: z.output<ReturnType<typeof optionalAddress>>): Address | null {
  return address === undefined ? null : toCamelCase(address);
}

export const NO_EFFECT = 'Accepted, but has no effect here.';

export const ignoredValue = () => z.unknown().optional().meta({ description: NO_EFFECT });

/** One of a few words, in any letter case. */
export const optionalWord = <const W extends string>(...words: readonly W[]) => optionalField(z.enum(words));

/** Like `optionalWord`, but required. */
export const requiredWord = <const W extends string>(...words: readonly W[]) =>
  z.enum(words).meta({ sample: String(words[0]) });

/** Only http and https: a browser is sent there, and other schemes could run a script. */
function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['https:', 'http:'].includes(new URL(value).protocol);
}

export const optionalWebAddress = () =>
  optionalField(
    cappedText(TEXT_MAX)
      .refine(isWebAddress, { error: 'must be an absolute http or https URL' })
      .meta({ format: 'uri' }),
  );
