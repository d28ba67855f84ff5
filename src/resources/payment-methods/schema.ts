import * as z from 'zod';

import { PAYMENT_TYPES } from '../../core/cards/payment-type.js';
import * as answers from '../../http/answers/answers.js';
import {
  toAgreement,
  bankPaymentInformation,
  payToFields,
  providerTokenFields,
} from '../../http/fields/source-fields.js';
import {
  optionalCardholder,
  optionalCcv,
  optionalExpiry,
  paymentInformationField,
} from '../../http/fields/card-fields.js';
import { type FieldsOutput, oneGiven, requestSchema, toCamelCase } from '../../http/fields/field.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import {
  dateFields,
  toListing,
  optionalQueryProviderId,
  optionalQueryWord,
  pageFields,
  sortOrder,
} from '../../http/fields/list-fields.js';
import { vaultFields, toVaultRequest } from '../vault/schema.js';
import type { MethodChange } from './service.js';

const methodCardFields = () => ({
  ProviderId: fields.requiredProviderId(),
  PaymentInformation: paymentInformationField(),
  ...vaultFields(),
  SkipExpiryDateValidation: fields.optionalFlag().describe('Whether to accept an expired card.'),
  Metadata: optionalMetadata(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
});

function toCardCommand(body: FieldsOutput<typeof methodCardFields>) {
  return {
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: toVaultRequest(body),
    metadata: body.Metadata,
  };
}

export const CreateFromCard = requestSchema(methodCardFields, toCardCommand);

/** A card for an existing customer. */
export const AddCard = requestSchema(
  () => ({ ...methodCardFields(), SetDefault: fields.setDefaultFlag() }),
  (body) => ({ ...toCardCommand(body), setDefault: body.SetDefault ?? false }),
);

const methodTokenFields = () => ({
  Token: fields
    .requiredText('"tok_approve"')
    .describe('A single-use token of a card or PayTo agreement, or a magic token.'),
  ...vaultFields(),
  // Has an effect only for the method of a customer.
  SetDefault: fields.setDefaultFlag(),
  Metadata: optionalMetadata(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
});

function toTokenCommand(body: FieldsOutput<typeof methodTokenFields>) {
  return { token: body.Token, vault: toVaultRequest(body), metadata: body.Metadata };
}

export const CreateFromToken = requestSchema(methodTokenFields, toTokenCommand);

/** The card of a token, for an existing customer. */
export const AddToken = requestSchema(methodTokenFields, (body) => ({
  ...toTokenCommand(body),
  setDefault: body.SetDefault ?? false,
}));

export const CreateFromVault = requestSchema(
  () => ({
    ProviderId: fields.requiredProviderId(),
    PaymentMethodId: fields.optionalText().describe('The identifier of a stored payment method.'),
    VaultId: fields
      .optionalText()
      .describe('The identifier of a vault entry. Send it with ExpiryDate instead of PaymentMethodId.'),
    ExpiryDate: optionalExpiry(),
    Ccv: optionalCcv(),
    Metadata: optionalMetadata(),
  }),
  (body) => ({
    providerId: body.ProviderId,
    source: { paymentMethodId: body.PaymentMethodId, vaultId: body.VaultId, expiry: body.ExpiryDate },
    ccv: body.Ccv,
    metadata: body.Metadata,
  }),
).meta(oneGiven(['PaymentMethodId'], ['VaultId', 'ExpiryDate']));

const methodAccountFields = () => ({
  ProviderId: fields.requiredProviderId(),
  BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
  Metadata: optionalMetadata(),
  // Accepted so that programs that send them are not refused. The account has its own name.
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
});

function toAccountCommand(body: FieldsOutput<typeof methodAccountFields>) {
  return {
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    metadata: body.Metadata,
  };
}

export const CreateFromBankAccount = requestSchema(
  () => ({ ...methodAccountFields(), SetDefault: fields.ignoredValue() }),
  toAccountCommand,
);

/** A bank account for an existing customer. */
export const AddBankAccount = requestSchema(
  () => ({ ...methodAccountFields(), SetDefault: fields.setDefaultFlag() }),
  (body) => ({ ...toAccountCommand(body), setDefault: body.SetDefault ?? false }),
);

function toPayToCommand(body: FieldsOutput<typeof payToFields>) {
  return { providerId: body.ProviderId, agreement: toAgreement(body), metadata: body.Metadata };
}

export const CreateFromPayTo = requestSchema(
  () => ({ ...payToFields(), SetDefault: fields.ignoredValue() }),
  toPayToCommand,
);

/** An agreement for an existing customer. */
export const AddPayTo = requestSchema(
  () => ({ ...payToFields(), SetDefault: fields.setDefaultFlag() }),
  (body) => ({ ...toPayToCommand(body), setDefault: body.SetDefault ?? false }),
);

const methodFromProviderToken = (singleUse: boolean) =>
  z
    .object({ ...providerTokenFields(), Email: fields.optionalText(), Metadata: optionalMetadata() })
    .transform((body) => ({
      providerId: body.ProviderId,
      origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: body.Email },
      metadata: body.Metadata,
    }));

export const CreateFromProviderToken = z.lazy(() => methodFromProviderToken(false));
export const CreateFromSingleUseToken = z.lazy(() => methodFromProviderToken(true));

/** The fields that can be changed. A field that is left out stays unchanged. */
export const UpdateMethod = requestSchema(
  () => ({
    Card: z
      .object({ ExpiryDate: optionalExpiry(), Cardholder: optionalCardholder() })
      .meta(oneGiven(['ExpiryDate'], ['Cardholder']))
      .optional()
      .describe('The new details of the card.'),
  }),
  ({ Card }): MethodChange => ({
    expiry: Card?.ExpiryDate ?? null,
    cardholder: Card?.Cardholder ?? null,
  }),
).meta({ required: ['Card'] });

export const TokeniseMethod = requestSchema(
  () => ({
    PaymentMethodId: fields
      .requiredText('the PaymentMethodId of a stored payment method')
      .describe('The identifier of a stored payment method.'),
    Ccv: optionalCcv().describe('The Ccv that the payer typed again.'),
    Ip: fields.optionalText().describe('The payer’s IP address.'),
    Metadata: optionalMetadata(),
  }),
  toCamelCase,
);

export const SearchMethods = requestSchema(
  () => ({
    ProviderId: optionalQueryProviderId().describe('Only records of this provider.'),
    CustomerId: fields.optionalText().describe('Only records of this customer.'),
    PaymentType: optionalQueryWord(PAYMENT_TYPES).describe('Only records of this payment type.'),
    CardType: fields.optionalText().describe('The card scheme, such as VISA.'),
    Search: fields.optionalText().describe('A part of any name, address or reference.'),
    ...dateFields(),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  }),
  toListing,
);

const methodAnswer = () => ({
  PaymentMethodId: answers.id(),
  CustomerId: answers.maybeId(),
  Type: answers.sourceType(),
  Card: answers.Card.nullable(),
  BankPayment: answers.BankPayment.nullable(),
  PayTo: answers.PayTo.nullable(),
  PayToStatus: answers.payToStatus(),
  ProviderId: answers.providerId(),
  ProviderType: z.string(),
  VaultId: answers.maybeId(),
  DateAdded: answers.instant(),
  DateRemoved: answers.maybeInstant(),
  Email: answers.text(),
  ProviderPaymentMethodId: answers.text(),
  ProviderPaymentMethodData: answers.metadata(),
  Metadata: answers.metadata(),
});

/** A payment method inside its customer. */
export const PaymentMethodSummary = answers.component('PaymentMethodSummary', methodAnswer);
export type PaymentMethodSummary = z.output<typeof PaymentMethodSummary>;

export const PaymentMethodResponse = answers.component('PaymentMethod', () => ({
  ...methodAnswer(),
  Provider: answers.ProviderName,
  Customer: answers.CustomerSummary.nullable(),
}));
export type PaymentMethodResponse = z.output<typeof PaymentMethodResponse>;
