import * as z from 'zod';

import { bankPaymentInformation } from '../http/bank-fields.js';
import { agreementOf, payTo } from '../http/pay-to-fields.js';
import { providerTokenMembers } from '../http/provider-token-fields.js';
import { ignoredValue, optionalFlag, optionalMetadata, optionalText, providerId } from '../http/fields.js';

/** The members of payment methods that are no cards. */

const bankAccount = z.object({
  ProviderId: providerId(),
  BankPaymentInformation: bankPaymentInformation(),
  Metadata: optionalMetadata(),
  // Taken so that a program that sends them is not refused: the account has a name of its own.
  FirstName: optionalText(),
  LastName: optionalText(),
});

function bankAccountCommand(body: z.output<typeof bankAccount>) {
  return {
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    metadata: body.Metadata,
  };
}

function payToCommand(body: z.output<typeof payTo>) {
  return { providerId: body.ProviderId, agreement: agreementOf(body), metadata: body.Metadata };
}

/** What makes an added method the default of its customer; without one it has no effect. */
const setDefault = { SetDefault: optionalFlag() };
const noDefault = { SetDefault: ignoredValue() };

export const CreateFromBankAccount = bankAccount.extend(noDefault).transform(bankAccountCommand);

/** The same for a customer that is there already. */
export const AddBankAccount = bankAccount
  .extend(setDefault)
  .transform((body) => ({ ...bankAccountCommand(body), setDefault: body.SetDefault ?? false }));

export const CreateFromPayTo = payTo.extend(noDefault).transform(payToCommand);

/** The same for a customer that is there already. */
export const AddPayTo = payTo
  .extend(setDefault)
  .transform((body) => ({ ...payToCommand(body), setDefault: body.SetDefault ?? false }));

const createFromProviderToken = (singleUse: boolean) =>
  z
    .object({ ...providerTokenMembers, Email: optionalText(), Metadata: optionalMetadata() })
    .transform((body) => ({
      providerId: body.ProviderId,
      origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: body.Email },
      metadata: body.Metadata,
    }));

export const CreateFromProviderToken = createFromProviderToken(false);
export const CreateFromSingleUseToken = createFromProviderToken(true);
