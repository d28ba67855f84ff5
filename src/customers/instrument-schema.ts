import * as z from 'zod';

import { bankPaymentInformation } from '../http/bank-fields.js';
import { providerId } from '../http/fields.js';
import { agreementFields, agreementOf } from '../http/pay-to-fields.js';
import { providerTokenFields } from '../http/provider-token-fields.js';
import { detailsOf, person } from './schema.js';

/** The members of customers whose first payment method is no card. */

export const CreateFromBankAccount = z
  .object({ ProviderId: providerId(), BankPaymentInformation: bankPaymentInformation(), ...person })
  .transform((body) => ({
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    details: detailsOf(body),
  }));

export const CreateFromPayTo = z
  .object({
    PayToAgreement: z
      .object({ ProviderId: providerId(), ...agreementFields })
      .describe('The agreement that the payer is asked for.'),
    ...person,
  })
  .transform((body) => ({
    providerId: body.PayToAgreement.ProviderId,
    agreement: agreementOf(body.PayToAgreement),
    details: detailsOf(body),
  }));

const createFromProviderToken = (singleUse: boolean) =>
  z.object({ ...providerTokenFields, ...person }).transform((body) => ({
    providerId: body.ProviderId,
    // The customer has the address.
    origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: null },
    details: detailsOf(body),
  }));

export const CreateFromProviderToken = createFromProviderToken(false);
export const CreateFromSingleUseToken = createFromProviderToken(true);
