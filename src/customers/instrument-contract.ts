import * as z from 'zod';

import { bankPaymentInformation } from '../wire/bank-fields.js';
import { providerId } from '../wire/fields.js';
import { agreementMembers, agreementOf } from '../wire/pay-to-fields.js';
import { providerTokenMembers } from '../wire/provider-token-fields.js';
import { detailsOf, person } from './contract.js';

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
    PayToAgreement: z.object({ ProviderId: providerId(), ...agreementMembers }),
    ...person,
  })
  .transform((body) => ({
    providerId: body.PayToAgreement.ProviderId,
    agreement: agreementOf(body.PayToAgreement),
    details: detailsOf(body),
  }));

const createFromProviderToken = (singleUse: boolean) =>
  z.object({ ...providerTokenMembers, ...person }).transform((body) => ({
    providerId: body.ProviderId,
    // The customer has the address.
    origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: null },
    details: detailsOf(body),
  }));

export const CreateFromProviderToken = createFromProviderToken(false);
export const CreateFromSingleUseToken = createFromProviderToken(true);
