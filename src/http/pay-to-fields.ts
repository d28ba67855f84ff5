import * as z from 'zod';

import { parseAmount, UNIT_DECIMALS } from '../core/money.js';
import type { PayToData } from '../payment-methods/record.js';
import { digits, type FieldValues, type Invalid, readAs } from './field.js';
import { AMOUNT_META, amountFault, optionalMetadata, optionalText, providerId, text } from './fields.js';

/** The fields that describe an agreement of PayTo. */

/** The longest name of a payer. */
const PAYER_NAME_MAX = 256;

/** An amount in units of 0.0001: which currency it is of, the charges say. */
const maximum = () =>
  readAs(digits(), (value): number | Invalid => {
    const units = parseAmount(String(value), UNIT_DECIMALS);
    return typeof units === 'number' ? units : amountFault(units, String(value));
  }).meta({ ...AMOUNT_META, sample: '500' });

/** What every agreement says, beside the provider that it is made with. */
export const agreementFields = () => ({
  PayerName: text('"Jo Smith"', PAYER_NAME_MAX).describe('The payer’s name.'),
  PayerPayIdDetails: z
    .object({
      PayId: text('"jo@example.com"').describe('What the payer’s bank knows the account by.'),
      PayIdType: text('"EMAIL"').describe('What kind of PayId it is, such as EMAIL.'),
    })
    .describe('The payer’s PayId.'),
  Description: optionalText().describe('In your words.'),
  MaximumAmount: maximum().describe('The most that one charge may take.'),
});

export function agreementOf(body: FieldValues<typeof agreementFields>): PayToData {
  return {
    payerName: body.PayerName,
    payId: body.PayerPayIdDetails.PayId,
    payIdType: body.PayerPayIdDetails.PayIdType,
    description: body.Description,
    maximumUnits: body.MaximumAmount,
  };
}

/** The fields of every call that makes an agreement for a method or a token. */
export const payToFields = () => ({
  ProviderId: providerId(),
  ...agreementFields(),
  Metadata: optionalMetadata(),
  Ip: optionalText().describe('The payer’s address.'),
});
