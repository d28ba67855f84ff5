import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import {
  agreementOf,
  bankPaymentInformation,
  payToFields,
  providerTokenFields,
} from '../../http/fields/source-fields.js';
import {
  optionalCardholder,
  optionalCcv,
  optionalExpiry,
  paymentInformation,
} from '../../http/fields/card-fields.js';
import { type FieldValues, oneGiven, request } from '../../http/fields/field.js';
import * as fields from '../../http/fields/fields.js';
import {
  dateFields,
  listed,
  optionalQueryProviderId,
  pageFields,
  sortOrder,
} from '../../http/fields/list-fields.js';
import { vaultFields, vaultWishOf } from '../vault/schema.js';
import type { MethodChange } from './service.js';

const cardFields = () => ({
  ProviderId: fields.providerId(),
  PaymentInformation: paymentInformation(),
  ...vaultFields(),
  SkipExpiryDateValidation: fields.optionalFlag().describe('Whether to accept an expired card.'),
  Metadata: fields.optionalMetadata(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
});

function cardCommandOf(body: FieldValues<typeof cardFields>) {
  return {
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    skipExpiry: body.SkipExpiryDateValidation ?? false,
    vault: vaultWishOf(body),
    metadata: body.Metadata,
  };
}

export const CreateFromCard = request(cardFields, cardCommandOf);

/** A card for an existing customer. */
export const AddCard = request(
  () => ({ ...cardFields(), SetDefault: fields.setDefault() }),
  (body) => ({ ...cardCommandOf(body), setDefault: body.SetDefault ?? false }),
);

const tokenFields = () => ({
  Token: fields
    .text('"tok_approve"')
    .describe('A single-use token of a card or PayTo agreement, or a magic token.'),
  ...vaultFields(),
  // Has an effect only for the method of a customer.
  SetDefault: fields.setDefault(),
  Metadata: fields.optionalMetadata(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
});

function tokenCommandOf(body: FieldValues<typeof tokenFields>) {
  return { token: body.Token, vault: vaultWishOf(body), metadata: body.Metadata };
}

export const CreateFromToken = request(tokenFields, tokenCommandOf);

/** The card of a token, for an existing customer. */
export const AddToken = request(tokenFields, (body) => ({
  ...tokenCommandOf(body),
  setDefault: body.SetDefault ?? false,
}));

export const CreateFromVault = request(
  () => ({
    ProviderId: fields.providerId(),
    PaymentMethodId: fields.optionalText().describe('The identifier of a stored payment method.'),
    VaultId: fields
      .optionalText()
      .describe('The identifier of a vault entry. Send it with ExpiryDate instead of PaymentMethodId.'),
    ExpiryDate: optionalExpiry(),
    Ccv: optionalCcv(),
    Metadata: fields.optionalMetadata(),
  }),
  (body) => ({
    providerId: body.ProviderId,
    source: { paymentMethodId: body.PaymentMethodId, vaultId: body.VaultId, expiry: body.ExpiryDate },
    ccv: body.Ccv,
    metadata: body.Metadata,
  }),
).meta(oneGiven(['PaymentMethodId'], ['VaultId', 'ExpiryDate']));

const bankAccountFields = () => ({
  ProviderId: fields.providerId(),
  BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
  Metadata: fields.optionalMetadata(),
  // Accepted so that programs that send them are not refused. The account has its own name.
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
});

function bankAccountCommandOf(body: FieldValues<typeof bankAccountFields>) {
  return {
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    metadata: body.Metadata,
  };
}

export const CreateFromBankAccount = request(
  () => ({ ...bankAccountFields(), SetDefault: fields.ignoredValue() }),
  bankAccountCommandOf,
);

/** A bank account for an existing customer. */
export const AddBankAccount = request(
  () => ({ ...bankAccountFields(), SetDefault: fields.setDefault() }),
  (body) => ({ ...bankAccountCommandOf(body), setDefault: body.SetDefault ?? false }),
);

function payToCommandOf(body: FieldValues<typeof payToFields>) {
  return { providerId: body.ProviderId, agreement: agreementOf(body), metadata: body.Metadata };
}

export const CreateFromPayTo = request(
  () => ({ ...payToFields(), SetDefault: fields.ignoredValue() }),
  payToCommandOf,
);

/** An agreement for an existing customer. */
export const AddPayTo = request(
  () => ({ ...payToFields(), SetDefault: fields.setDefault() }),
  (body) => ({ ...payToCommandOf(body), setDefault: body.SetDefault ?? false }),
);

const createFromProviderToken = (singleUse: boolean) =>
  z
    .object({ ...providerTokenFields(), Email: fields.optionalText(), Metadata: fields.optionalMetadata() })
    .transform((body) => ({
      providerId: body.ProviderId,
      origin: { token: body.ProviderToken, data: body.ProviderTokenData, singleUse, email: body.Email },
      metadata: body.Metadata,
    }));

export const CreateFromProviderToken = z.lazy(() => createFromProviderToken(false));
export const CreateFromSingleUseToken = z.lazy(() => createFromProviderToken(true));

/** The fields that can be changed. A field that is left out stays unchanged. */
export const UpdateMethod = request(
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

export const SearchMethods = request(
  () => ({
    ProviderId: optionalQueryProviderId().describe('Only records of this provider.'),
    CustomerId: fields.optionalText().describe('Only records of this customer.'),
    PaymentType: fields.optionalText().describe('The payment type: CARD, BANK_ACCOUNT or PAYTO.'),
    CardType: fields.optionalText().describe('The card scheme, such as VISA.'),
    Search: fields.optionalText().describe('A part of any name, address or reference.'),
    ...dateFields(),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  }),
  listed,
);

const methodFields = () => ({
  PaymentMethodId: answers.id(),
  CustomerId: answers.maybeId(),
  Type: answers.sourceType(),
  Card: answers.Card.nullable(),
  BankPayment: answers.BankPayment.nullable(),
  PayTo: answers.PayTo.nullable(),
  PayToStatus: answers.payToStatus(),
  ProviderId: z.string(),
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
export const PaymentMethodSummary = answers.component('PaymentMethodSummary', methodFields);
export type PaymentMethodSummary = z.output<typeof PaymentMethodSummary>;

export const PaymentMethodResponse = answers.component('PaymentMethod', () => ({
  ...methodFields(),
  Provider: answers.ProviderName,
  Customer: answers.CustomerSummary.nullable(),
}));
export type PaymentMethodResponse = z.output<typeof PaymentMethodResponse>;
