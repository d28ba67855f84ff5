import * as z from 'zod';

import { ccvFault, parsePan, shownTo } from '../core/card.js';
import { CODE } from '../core/errors.js';
import { isExpiry } from '../core/time.js';
import { ValidationError } from '../core/validation-error.js';
import type { CardData } from '../payment-methods/record.js';
import { optional, readAs, refuseValue, textUpTo } from './field.js';
import { optionalText, TEXT_MAX } from './fields.js';

const CARDHOLDER_MAX = 256;

export const optionalCardholder = () =>
  optionalText(CARDHOLDER_MAX).meta({ description: 'The name on the card.' });

function readPan(value: string): string | ValidationError {
  const parsed = parsePan(value);
  if (parsed.pan !== undefined) return parsed.pan;
  return parsed.fault === 'length'
    ? new ValidationError('has a wrong length, 12 to 19 digits are taken', CODE.InvalidCardLength)
    : new ValidationError('is not a card number: digits with a right check digit are taken');
}

export const pan = () =>
  readAs(textUpTo(TEXT_MAX), readPan).meta({
    code: CODE.InvalidCardNumber,
    otherCodes: [CODE.InvalidCardLength],
    sample: '"4111111111111111"',
    description:
      '12 to 19 digits with a valid check digit. Digits may be separated by single spaces or hyphens.',
    pattern: '^\\d([ -]?\\d){11,18}$',
    'x-server-checks': 'The last digit must be the correct check digit.',
  });

const CCV_SHAPE = 'three digits are taken, four for American Express';

/** Whether three or four digits are right depends on the scheme; here only that it is one of both. */
function readCcv(value: string): string | ValidationError {
  if (value.length > TEXT_MAX) return new ValidationError(`${tooLong(value)}; ${CCV_SHAPE}`);
  const fits = !ccvFault(value, 'VISA') || !ccvFault(value, 'AMEX');
  return fits ? value : new ValidationError(`is malformed, ${CCV_SHAPE}`);
}

const tooLong = (value: string): string => `has ${value.length} characters, at most ${TEXT_MAX} are taken`;

export const optionalCcv = () =>
  optional(
    readAs(z.string(), readCcv).meta({
      code: CODE.InvalidCcv,
      wrong: (kind) => `must be text, not ${kind}; ${CCV_SHAPE}`,
      description: 'Three digits, or four for American Express.',
      pattern: '^\\d{3,4}$',
      'x-server-checks': 'Four digits are accepted for American Express only.',
    }),
  );

const EXPIRY_SHAPE = 'MM/YY such as 10/30 is taken';

function readExpiry(value: string): string | ValidationError {
  if (value.length > TEXT_MAX) return new ValidationError(`${tooLong(value)}, ${EXPIRY_SHAPE}`);
  return isExpiry(value)
    ? value
    : new ValidationError(`is ${JSON.stringify(shownTo(value, 10))}, ${EXPIRY_SHAPE}`);
}

export const expiry = () =>
  readAs(z.string(), readExpiry).meta({
    code: CODE.InvalidExpiryDate,
    sample: '"10/30"',
    wrong: (kind) => `must be text, not ${kind}, ${EXPIRY_SHAPE}`,
    description: 'As MM/YY, such as 10/30.',
    pattern: '^(0[1-9]|1[0-2])/\\d\\d$',
    'x-server-checks':
      'The month must not have ended by the world’s clock, unless the request has SkipExpiryDateValidation.',
  });
export const optionalExpiry = () => optional(expiry());

export const paymentInformation = () =>
  z
    .object({
      CardNumber: pan(),
      ExpiryDate: expiry(),
      Ccv: optionalCcv(),
      Cardholder: optionalCardholder(),
    })
    .transform(({ CardNumber, ExpiryDate, Ccv, Cardholder }, context): CardData => {
      if (ccvMisfits(CardNumber, Ccv)) return ccvRefused(context);
      return { pan: CardNumber, expiry: ExpiryDate, ccv: Ccv, cardholder: Cardholder };
    })
    .meta({
      missingCode: CODE.InvalidPaymentInformation,
      otherCodes: [CODE.InvalidCcv],
      description: 'A card.',
    });

/** The issue of a Ccv whose length does not fit the card's scheme. */
export function ccvRefused(context: z.RefinementCtx): never {
  return refuseValue(context, `does not fit the card, ${CCV_SHAPE}`, {
    code: CODE.InvalidCcv,
    path: ['Ccv'],
  });
}

/** American Express alone begins with 34 or 37; it has four digits. */
export function ccvMisfits(cardNumber: string, ccv: string | null): boolean {
  if (ccv === null) return false;
  const amex = cardNumber.startsWith('34') || cardNumber.startsWith('37');
  return ccvFault(ccv, amex ? 'AMEX' : 'VISA');
}

/** What a search finds cards by. */
export const optionalLeadingDigits = () =>
  optional(
    readAs(z.string(), (value) => {
      const plain = value.replaceAll(/[ -]/g, '');
      return /^[\d*]{1,19}$/.test(plain)
        ? plain
        : new ValidationError('must be the leading digits of a card number, or its mask');
    }).meta({ pattern: '^[ -]*([\\d*][ -]*){1,19}$' }),
  );
