import * as z from 'zod';
import { parseAccount } from '../../core/cards/account.js';
import { CODE } from '../../core/errors.js';
import { parseAmount, UNIT_DECIMALS } from '../../core/money.js';
import { ValidationError } from '../../core/validation-error.js';
import type { BankAccountData, PayToData } from '../../records/payment-method.js';
import { digitsField, type FieldsOutput, convertField, toCamelCase } from './field.js';
import { AMOUNT_META, toAmountError } from './amount-fields.js';
import { optionalMetadata } from './metadata-fields.js';
import * as fields from './fields.js';

const ACCOUNT_NAME_MAX = 256;
/** A code of a bank: BSB, sort code, routing number, IFSC or BIC. */
const BANK_CODE = /^[\dA-Z](?:[ -]?[\dA-Z]){2,10}$/i;

/** A text whose value must not appear in messages. */
function secretDetail(
  sample: string,
  takes: string,
  pattern: string,
  read: (text: string) => string | undefined,
) {
  return convertField(
    z.string(),
    (value) => (value.length > fields.TEXT_MAX ? undefined : read(value)) ?? new ValidationError(takes),
  ).meta({ code: CODE.InvalidPaymentDetails, sample, wrong: takes, pattern });
}

const bankCodeField = () =>
  secretDetail(
    '"062-000"',
    'must be 3 to 11 letters or digits, such as the BSB 062-000',
    '^[0-9A-Za-z]([ -]?[0-9A-Za-z]){2,10}$',
    (given) => (BANK_CODE.test(given) ? given : undefined),
  );

const accountNumberField = () =>
  secretDetail(
    '"000123456"',
    'must be 4 to 34 letters or digits, such as 000123456',
    '^[0-9A-Za-z]([ -]?[0-9A-Za-z]){3,33}$',
    parseAccount,
  );

export const bankPaymentInformation = () =>
  z
    .object({
      BankCode: bankCodeField().describe(
        'A BSB, sort code, routing number, IFSC or BIC: 3 to 11 letters or digits.',
      ),
      AccountNumber: accountNumberField().describe('4 to 34 letters or digits.'),
      AccountName: fields
        .requiredText('"Jo Smith"', ACCOUNT_NAME_MAX)
        .describe('The name of the account holder.'),
    })
    .transform((body): BankAccountData => toCamelCase(body))
    .meta({ description: 'A bank account.' });

const PAYER_NAME_MAX = 256;

/** An amount in units of 0.0001. The charges determine its currency. */
const maximumAmount = () =>
  convertField(digitsField(), (value): number | ValidationError => {
    const units = parseAmount(String(value), UNIT_DECIMALS);
    return typeof units === 'number' ? units : toAmountError(units, String(value));
  }).meta({ ...AMOUNT_META, sample: '500' });

/** The fields of every agreement, without its provider. */
export const agreementFields = () => ({
  PayerName: fields.requiredText('"Jo Smith"', PAYER_NAME_MAX).describe('The payer’s name.'),
  PayerPayIdDetails: z
    .object({
      PayId: fields
        .requiredText('"jo@example.com"')
        .describe('The PayID of the payer’s account, such as an e-mail address.'),
      PayIdType: fields.requiredText('"EMAIL"').describe('The kind of PayId, such as EMAIL.'),
    })
    .describe('The payer’s PayId.'),
  Description: fields.optionalText().describe('A description of your own.'),
  MaximumAmount: maximumAmount().describe('The most that one charge may take.'),
});

export function toAgreement(body: FieldsOutput<typeof agreementFields>): PayToData {
  return {
    payerName: body.PayerName,
    payId: body.PayerPayIdDetails.PayId,
    payIdType: body.PayerPayIdDetails.PayIdType,
    description: body.Description,
    maximumUnits: body.MaximumAmount,
  };
}

export const payToFields = () => ({
  ProviderId: fields.requiredProviderId(),
  ...agreementFields(),
  Metadata: optionalMetadata(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
});

/** The fields of a source that the provider already stores, under the provider's own identifier. */
export const providerTokenFields = () => ({
  ProviderId: fields.requiredProviderId(),
  ProviderToken: fields.requiredText('"pm_1a2b3c"').describe('The provider’s identifier of the source.'),
  ProviderTokenData: optionalMetadata().describe('The provider’s data about the source.'),
  // Ignored: the provider is always asked.
  Verify: fields
    .optionalFlag()
    .describe('Accepted, but has no effect: the provider always verifies the source.'),
});

/** The maximum length of the texts that Apple encrypts or signs. */
const WALLET_TEXT_MAX = 16_384;

/** The token that a page gets from Apple Pay. The sandbox cannot decrypt it. */
export const appleToken = () =>
  z.object({
    PaymentData: z.object({
      Data: fields
        .requiredText('"AbCd…"', WALLET_TEXT_MAX)
        .describe('The encrypted card. It is not decrypted.'),
      Signature: fields.optionalText(WALLET_TEXT_MAX),
      Header: z
        .object({
          PublicKeyHash: fields.optionalText(),
          EphemeralPublicKey: fields.optionalText(),
          TransactionId: fields.optionalText(),
        })
        .optional(),
      Version: fields.optionalText(),
    }),
    PaymentMethod: z
      .object({
        DisplayName: fields.optionalText(),
        Network: fields.optionalText().describe('The scheme of the card, such as Visa.'),
        Type: fields.optionalText(),
      })
      .optional(),
  });

/** The `PaymentData` that Google Pay gives a page, in our letter case. */
export const googleToken = () =>
  z.object({
    PaymentMethodData: z.object({
      Type: fields.optionalText(),
      Description: fields.optionalText(),
      Info: z
        .object({
          CardNetwork: fields.optionalText().describe('The scheme of the card, such as VISA.'),
          CardDetails: fields.optionalText(),
        })
        .optional(),
      TokenizationData: z.object({
        Type: fields.optionalText(),
        Token: fields
          .requiredText('"{…}"', WALLET_TEXT_MAX)
          .describe('The encrypted card. It is not decrypted.'),
      }),
    }),
  });
