import * as z from 'zod';

import { CCV_DIGITS, CCV_MISFIT, acceptsCcv, parsePan, shortenText } from '../../core/cards/card.js';
import { CODE } from '../../core/errors.js';
import { explainTooLong } from '../../core/text/text.js';
import { EXPIRY_SHAPE, isExpiry } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import type { CardData } from '../../records/payment-method.js';
import { optionalField, convertField, refuseValue, cappedText } from './field.js';
import { optionalText, TEXT_MAX } from './fields.js';

const CARDHOLDER_MAX = 256;

export const optionalCardholder = () =>
  optionalText(CARDHOLDER_MAX).meta({ description: 'The name on the card.' });

function readPan(value: string): string | ValidationError {
  const parsed = parsePan(value);
  if (parsed.pan !== undefined) return parsed.pan;
  return parsed.fault === 'length'
    ? new ValidationError('has the wrong length; it must have 12 to 19 digits', CODE.InvalidCardLength)
    : new ValidationError(
        'is not a valid card number; it must consist of digits, the last of which is the correct check digit',
      );
}

export const requiredPan = () =>
  convertField(cappedText(TEXT_MAX), readPan).meta({
    code: CODE.InvalidCardNumber,
    otherCodes: [CODE.InvalidCardLength],
    // An example would be masked on its way out.
    missing: 'is required; GET /_sandbox/triggers lists test cards',
    description:
      '12 to 19 digits with a valid check digit. Digits may be separated by single spaces or hyphens.',
    pattern: '^\\d([ -]?\\d){11,18}$',
    'x-server-checks': 'The last digit must be the correct check digit.',
  });

/** Accepts three or four digits. Which of them is correct depends on the scheme. */
function readCcv(value: string): string | ValidationError {
  if (value.length > TEXT_MAX)
    return new ValidationError(`${explainTooLong(value, TEXT_MAX)}; it ${CCV_DIGITS}`);
  const fits = acceptsCcv('VISA', value) || acceptsCcv('AMEX', value);
  return fits ? value : new ValidationError(CCV_DIGITS);
}

export const optionalCcv = () =>
  optionalField(
    convertField(z.string(), readCcv).meta({
      code: CODE.InvalidCcv,
      wrong: (kind) => `must be a string, not ${kind}, and ${CCV_DIGITS}`,
      description: 'Three digits, or four for American Express.',
      pattern: '^\\d{3,4}$',
      'x-server-checks': 'Four digits are accepted for American Express only.',
    }),
  );

function readExpiry(value: string): string | ValidationError {
  if (value.length > TEXT_MAX)
    return new ValidationError(`${explainTooLong(value, TEXT_MAX)}; it ${EXPIRY_SHAPE}`);
  return isExpiry(value)
    ? value
    : new ValidationError(`is ${JSON.stringify(shortenText(value, 10))}; it ${EXPIRY_SHAPE}`);
}

export const requiredExpiry = () =>
  convertField(z.string(), readExpiry).meta({
    code: CODE.InvalidExpiryDate,
    sample: '"10/30"',
    wrong: (kind) => `must be a string, not ${kind}, and ${EXPIRY_SHAPE}`,
    description: 'As MM/YY, such as 10/30.',
    pattern: '^(0[1-9]|1[0-2])/\\d\\d$',
    'x-server-checks':
      'The month must not have ended by the world’s clock, unless the request has SkipExpiryDateValidation.',
  });
export const optionalExpiry = () => optionalField(requiredExpiry());

export const paymentInformationField = () =>
  z
    .object({
      CardNumber: requiredPan(),
      ExpiryDate: requiredExpiry(),
      Ccv: optionalCcv(),
      Cardholder: optionalCardholder(),
    })
    .transform(({ CardNumber, ExpiryDate, Ccv, Cardholder }, context): CardData => {
      if (isWrongCcv(CardNumber, Ccv)) return refuseCcv(context);
      return { pan: CardNumber, expiry: ExpiryDate, ccv: Ccv, cardholder: Cardholder };
    })
    .meta({
      missingCode: CODE.InvalidPaymentInformation,
      otherCodes: [CODE.InvalidCcv],
      description: 'A card.',
    });

/** Refuses a Ccv whose length does not fit the card's scheme. */
export function refuseCcv(context: z.RefinementCtx): never {
  return refuseValue(context, CCV_MISFIT, { code: CODE.InvalidCcv, path: ['Ccv'] });
}

/** Only American Express cards begin with 34 or 37, and have four digits. */
export function isWrongCcv(cardNumber: string, ccv: string | null): boolean {
  if (ccv === null) return false;
  const amex = cardNumber.startsWith('34') || cardNumber.startsWith('37');
  return !acceptsCcv(amex ? 'AMEX' : 'VISA', ccv);
}

const LEADING_DIGITS_WRONG = 'must be the first digits of a card number, or a masked card number';

/** The first digits of a card number, as a filter. */
export const optionalLeadingDigits = () =>
  optionalField(
    convertField(z.string(), (value) => {
      const plain = value.replaceAll(/[ -]/g, '');
      // Not repeated in the message, since it may be a card number.
      return /^[\d*]{1,19}$/.test(plain) ? plain : new ValidationError(LEADING_DIGITS_WRONG);
    }).meta({
      pattern: '^[ -]*([\\d*][ -]*){1,19}$',
    }),
  );
