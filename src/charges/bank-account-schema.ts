import * as z from 'zod';

import { bankPaymentInformation } from '../http/bank-fields.js';
import { amount, providerId } from '../http/fields.js';
import { common, detailsOf } from './schema.js';

export const ChargeBankAccount = z
  .object({
    Amount: amount(),
    ProviderId: providerId(),
    BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
    ...common,
  })
  .transform((body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    details: detailsOf(body),
  }));
