import * as z from 'zod';

import { bankPaymentInformation } from '../http/bank-fields.js';
import { agreementOf, payTo } from '../http/pay-to-fields.js';
import { providerTokenFields } from '../http/provider-token-fields.js';
import { ignoredValue, optionalMetadata, optionalText, providerId, setDefault } from '../http/fields.js';

/** The members of payment methods that are no cards. */

const bankAccount = z.object({
  ProviderId: providerId(),
  BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
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
const withDefault = { SetDefault: setDefault() };
const noDefault = { SetDefault: ignoredValue() };

export const CreateFromBankAccount = bankAccount.extend(noDefault).transform(bankAccountCommand);

/** The same for a customer that is there already. */
export const AddBankAccount = bankAccount
  .extend(withDefault)
  .transform((body) => ({ ...bankAccountCommand(body), setDefault: body.SetDefault ?? false }));

export const CreateFromPayTo = payTo.extend(noDefault).transform(payToCommand);

/** The same for a customer that is there already. */
export const AddPayTo = payTo
  .extend(withDefault)
  .transform((body) => ({ ...payToCommand(body), setDefault: body.SetDefault ?? false }));

const createFromProviderToken = (singleUse: boolean) =>
  z
    .object({ ...providerTokenFields, Email: optionalText(), Metadata: optionalMetadata() })
    .transform((body) => ({
      providerId: body.ProviderId,
      origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: body.Email },
      metadata: body.Metadata,
    }));

export const CreateFromProviderToken = createFromProviderToken(false);
export const CreateFromSingleUseToken = createFromProviderToken(true);
