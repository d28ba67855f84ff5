import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { parseAmount, UNIT_DECIMALS } from '../core/money.js';
import type { PayToData } from '../payment-methods/record.js';
import {
  amountFault,
  digitsOf,
  Fault,
  kindOf,
  type Member,
  optionalMetadata,
  optionalText,
  providerId,
  required,
  text,
} from './fields.js';

/** The members that describe an agreement of PayTo. */

/** The longest name of a payer. */
const PAYER_NAME_MAX = 256;

/** An amount in units of 0.0001: which currency it is of, the charges say. */
const maximum = (): Member<number> =>
  required((value): number | Fault => {
    const digits = digitsOf(value);
    if (digits === undefined) {
      return new Fault(`must be a decimal number or text, not ${kindOf(value)}`, CODE.InvalidAmount);
    }
    const units = parseAmount(digits, UNIT_DECIMALS);
    return typeof units === 'number' ? units : amountFault(units, digits);
  }, '500');

/** What every agreement says, beside the provider that it is made with. */
export const agreementMembers = {
  PayerName: text('"Jo Smith"', PAYER_NAME_MAX),
  PayerPayIdDetails: z.object({ PayId: text('"jo@example.com"'), PayIdType: text('"EMAIL"') }),
  Description: optionalText(),
  MaximumAmount: maximum(),
};

const Agreement = z.object(agreementMembers);

export function agreementOf(body: z.output<typeof Agreement>): PayToData {
  return {
    payerName: body.PayerName,
    payId: body.PayerPayIdDetails.PayId,
    payIdType: body.PayerPayIdDetails.PayIdType,
    description: body.Description,
    maximumUnits: body.MaximumAmount,
  };
}

/** The members of every call that makes an agreement for a method or a token. */
export const payTo = z.object({
  ProviderId: providerId(),
  ...agreementMembers,
  Metadata: optionalMetadata(),
  Ip: optionalText(),
});
