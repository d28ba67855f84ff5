import { shortenText } from '../../core/cards/card.js';
import { CODE } from '../../core/errors.js';
import { CURRENCY_CODE, currencyExponent, parseAmount } from '../../core/money.js';
import { ValidationError } from '../../core/validation-error.js';
import { AMOUNT_SENT, CURRENCY_SENT } from '../body/sent-schemas.js';
import { cappedText, convertField, digitsField, optionalField } from './field.js';
import { TEXT_MAX } from './fields.js';

/** Amounts and currencies of requests. */

const DECIMALS_MAX = 4;

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
