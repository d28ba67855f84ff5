import * as z from 'zod';

import { PAYMENT_TYPES, type PaymentType } from '../../core/cards/payment-type.js';
import { DEFAULT_DIALECT } from '../../core/dialect/dialect.js';
import { CODE } from '../../core/errors.js';
import * as answers from '../../http/answers/answers.js';
import { appleToken, googleToken, bankPaymentInformation } from '../../http/fields/source-fields.js';
import { optionalLeadingDigits, paymentInformationField } from '../../http/fields/card-fields.js';
import {
  type FieldsOutput,
  toCamelCase,
  requestSchema,
  optionalField,
  optionalInSdk,
} from '../../http/fields/field.js';
import {
  amountWith,
  requiredCurrency,
  optionalCurrency,
  requiredAmount,
  optionalAmount,
} from '../../http/fields/amount-fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import { optionalGeolocation, optionalOrder } from '../../http/fields/order-fields.js';
import * as lists from '../../http/fields/list-fields.js';
import { optionalWebhook, toWebhook } from '../../http/fields/webhook-fields.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { CHARGE_STATUSES, INITIATORS, OTHER_STATUS_WORDS } from '../../records/charge.js';
import { CHARGE_STATUS } from '../../records/field-values.js';
import type { WalletCharge } from './instruments.js';
import type { ChargeDetails } from './service.js';

/** The optional fields that every charge takes. */
export const detailFields = () => ({
  Currency: optionalCurrency(),
  Reference: fields.optionalText().describe('Your reference.'),
  Capture: fields
    .optionalFlag()
    .describe('Whether to capture the amount immediately. Default: true. With false it is only authorised.'),
  Initiator: fields.optionalWord(...INITIATORS).describe('Who initiated the charge.'),
  Descriptor: fields.optionalText().describe('The text on the payer’s statement.'),
  Metadata: optionalMetadata(),
  Webhook: optionalWebhook(),
  ThreeDSNotificationUrl: fields
    .optionalText()
    .describe(
      'Where the payer is sent after a 3-D Secure challenge. Without it, a charge that needs a challenge is declined.',
    ),
  ThreeDSServerTransID: fields
    .optionalText()
    .describe('The 3-D Secure transaction that authenticated the card. Default: that of the token.'),
  // Accepted so that programs that send them are not refused. They have no effect.
  Ip: fields.optionalText().describe('The payer’s IP address.'),
  Address: fields.optionalAddress(),
  Order: optionalOrder(),
  CustomerCode: fields.optionalText().describe(fields.NO_EFFECT),
  InvoiceNumber: fields.optionalText().describe(fields.NO_EFFECT),
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
  Email: fields.optionalText(),
  Phone: fields.optionalText(),
  Geolocation: optionalGeolocation(),
  Recurring: fields.ignoredValue(),
});

/** The 3-D Secure fields of a charge. The route adds the sandbox's own address. */
function toAuthenticationInput({
  ThreeDSNotificationUrl: notificationUrl,
  ThreeDSServerTransID: id,
}: FieldsOutput<typeof detailFields>): ChargeDetails['authentication'] {
  return notificationUrl === null && id === null ? null : { id, notificationUrl, origin: '' };
}

export function readDetails(
  body: FieldsOutput<typeof detailFields>,
  transfer: ChargeDetails['transfer'] = null,
): ChargeDetails {
  return {
    currency: body.Currency,
    reference: body.Reference,
    capture: body.Capture ?? true,
    email: body.Email,
    initiator: body.Initiator,
    descriptor: body.Descriptor,
    metadata: body.Metadata,
    webhook: toWebhook(body.Webhook),
    subscription: null,
    checkout: null,
    // The route sets the dialect of the request.
    dialect: DEFAULT_DIALECT,
    authentication: toAuthenticationInput(body),
    routedBy: null,
    transfer,
  };
}

export const ChargeCard = requestSchema(
  () => ({
    Amount: requiredAmount(),
    ProviderId: fields.requiredProviderId(),
    PaymentInformation: paymentInformationField(),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    details: readDetails(body),
  }),
);

/** A charge of a card without a provider. The cheapest configured provider is used. */
export const ChargeLeastCost = requestSchema(
  () => ({
    Amount: requiredAmount(),
    PaymentInformation: paymentInformationField(),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: DEFAULT_PROVIDER_ID,
    card: body.PaymentInformation,
    details: readDetails(body),
  }),
);

export const ChargeToken = requestSchema(
  () => ({
    Amount: requiredAmount(),
    Token: fields
      .requiredText('"tok_approve"')
      .describe('A single-use token of a card or PayTo agreement, or a magic token.'),
    Transfer: optionalField(
      z.object({
        Account: fields.requiredText('"acct-1"').describe('The account that receives the money.'),
        Amount: amountWith(CODE.InvalidTransferAmount),
      }),
    ).describe('A part of the amount that is transferred to an account when the charge succeeds.'),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    token: body.Token,
    details: readDetails(body, body.Transfer && toCamelCase(body.Transfer)),
  }),
);

export const ChargeNetworkToken = requestSchema(
  () => ({
    Amount: requiredAmount(),
    ProviderId: fields.requiredProviderId(),
    NetworkTokenId: fields
      .requiredText('"tok_approve"')
      .describe('The NetworkTokenId of a token that was created with CreateNetworkToken, or a magic token.'),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    token: body.NetworkTokenId,
    details: readDetails(body),
  }),
);

const walletFields = () => ({
  Amount: requiredAmount(),
  UserAgent: fields.optionalText().describe(fields.NO_EFFECT),
  ...detailFields(),
});

/** The payment of a wallet. The provider is in a header; the route replaces this one. */
function toWalletCharge(
  body: FieldsOutput<typeof walletFields>,
  type: PaymentType,
  network: string | null | undefined,
): WalletCharge {
  const { Amount: amount } = body;
  const details = readDetails(body);
  return { amount, providerId: DEFAULT_PROVIDER_ID, type, trigger: null, network: network ?? null, details };
}

export const ChargeApple = requestSchema(
  () => ({ Token: appleToken().describe('The Apple Pay token.'), ...walletFields() }),
  (body) => toWalletCharge(body, 'APPLEPAY', body.Token.PaymentMethod?.Network),
);

export const ChargeGoogle = requestSchema(
  () => ({ Token: googleToken().describe('The payment data of Google Pay.'), ...walletFields() }),
  (body) => toWalletCharge(body, 'GOOGLEPAY', body.Token.PaymentMethodData.Info?.CardNetwork),
);

/** Sent by the page script before the sheet of Apple Pay appears. */
export const ValidateApple = requestSchema(
  () => ({
    ValidationUrl: fields
      .optionalText()
      .describe('The address that Safari names. The sandbox does not call it.'),
    DomainName: fields.optionalText().describe('The domain of the page. Default: that of the provider.'),
    DisplayName: fields.optionalText().describe('The name of the shop. Default: that of the provider.'),
  }),
  (body) => ({ ...toCamelCase(body), providerId: DEFAULT_PROVIDER_ID }),
);
export type AppleSessionCommand = z.output<typeof ValidateApple>;

/** A merchant session, which Apple Pay treats as opaque. */
export const AppleSessionResponse = answers.component('AppleSession', () => ({
  EpochTimestamp: answers.count(),
  ExpiresAt: answers.count(),
  MerchantSessionIdentifier: z.string(),
  Nonce: z.string(),
  MerchantIdentifier: z.string(),
  DomainName: z.string(),
  DisplayName: z.string(),
  Signature: z.string(),
}));
export type AppleSessionResponse = z.output<typeof AppleSessionResponse>;

export const ChargeCustomer = requestSchema(
  () => ({
    Amount: requiredAmount(),
    ProviderId: optionalInSdk(fields.requiredProviderId()),
    CustomerId: fields
      .requiredText('the CustomerId of a stored customer')
      .describe('The identifier of a stored customer.'),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    customerId: body.CustomerId,
    details: readDetails(body),
  }),
);

export const ChargePaymentMethod = requestSchema(
  () => ({
    Amount: requiredAmount(),
    PaymentMethodId: fields
      .requiredText('the PaymentMethodId of a stored payment method')
      .describe('The identifier of a stored payment method.'),
    ...detailFields(),
    Currency: optionalInSdk(requiredCurrency()),
  }),
  (body) => ({
    amount: body.Amount,
    paymentMethodId: body.PaymentMethodId,
    details: readDetails(body),
  }),
);

export const ChargeBankAccount = requestSchema(
  () => ({
    Amount: requiredAmount(),
    ProviderId: fields.requiredProviderId(),
    BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
    ...detailFields(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    details: readDetails(body),
  }),
);

export const CaptureCharge = requestSchema(() => ({ Amount: optionalInSdk(requiredAmount()) }), toCamelCase);

/** The fields of a refund, in the query or in the body. */
export const RefundCharge = requestSchema(
  () => ({
    Amount: optionalAmount().describe(
      'The amount to refund. Default: everything that has not been refunded yet.',
    ),
    Comment: fields.optionalText().describe('The reason for the refund.'),
  }),
  toCamelCase,
);

export const SearchCharges = requestSchema(
  () => ({
    Reference: fields
      .optionalText()
      .meta({ description: 'Only with exactly this reference.', specified: 'reference' }),
    ProviderId: lists.optionalQueryProviderId().describe('Only records of this provider.'),
    CustomerId: fields.optionalText().describe('Only records of this customer.'),
    PaymentMethodId: fields.optionalText().describe('Only records of this payment method.'),
    Status: lists
      .optionalQueryWord(CHARGE_STATUSES, OTHER_STATUS_WORDS)
      .describe('Only records with this status.'),
    Currency: lists.optionalQueryCurrency().describe('Only records in this currency.'),
    AmountGreaterThan: lists.optionalQueryBound().describe('Only records whose amount is greater than this.'),
    AmountLessThan: lists.optionalQueryBound().describe('Only records whose amount is less than this.'),
    ...lists.dateFields(),
    CardNumber: optionalLeadingDigits().describe(
      'The first digits of the card number, or the masked card number.',
    ),
    CardType: fields.optionalText().describe('The card scheme, such as VISA.'),
    Cardholder: fields.optionalText().describe('The name on the card.'),
    PaymentType: lists.optionalQueryWord(PAYMENT_TYPES).describe('Only records of this payment type.'),
    BatchId: fields.optionalText().describe('Only charges of this batch.'),
    SubscriptionId: fields.optionalText().describe('Only charges of this subscription.'),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date', 'Amount'),
  }),
  lists.toListing,
);

export const ChargeResponse = answers.component('Charge', () => ({
  ChargeId: answers.id(),
  ProviderChargeId: answers.text(),
  ProviderId: answers.providerId(),
  Amount: answers.amount('The amount that was charged or authorised; after a capture, the captured amount.'),
  Currency: answers.currency(),
  Status: z
    .enum(CHARGE_STATUSES)
    .meta({ description: 'In the sdk dialect, Authorised is AUTHORISE.', values: CHARGE_STATUS }),
  Reference: answers.text(),
  AuthorisationAmount: answers.maybeAmount(),
  RefundedAmount: answers.maybeAmount(),
  Refunds: z.array(Refund),
  // A fee may be 0, unlike an amount.
  EstimatedCost: z
    .number()
    .nullable()
    .describe('The fee according to the provider’s CostData, if a row matches and the charge did not fail.'),
  EstimatedCostCurrency: answers.currency().nullable(),
  CustomerId: answers.maybeId(),
  Customer: answers.CustomerSummary.nullable(),
  Provider: answers.ProviderName,
  PaymentInformation: PaidWith,
  DateAdded: answers.instant(),
  SuccessDate: answers.maybeInstant(),
  VoidDate: answers.maybeInstant(),
  FailedAttempts: z.array(FailedAttempt),
  Initiator: z.enum(INITIATORS).nullable(),
  Descriptor: answers.text(),
  PaymentTokenId: answers.text(),
  BatchId: answers.maybeId(),
  SubscriptionId: answers.maybeId(),
  CheckoutId: answers.maybeId(),
  ThreeDSServerTransID: answers.maybeId(),
  ThreeDsVerified: z.boolean().describe('Whether the payer passed 3-D Secure.'),
  ThreeDsRedirectUrl: answers
    .text()
    .describe('Where to send the payer for the 3-D Secure challenge that the charge waits for.'),
  Metadata: answers.metadata(),
}));
export type ChargeResponse = z.output<typeof ChargeResponse>;

const Refund = answers.component('Refund', () => ({
  Amount: answers.amount(),
  DateAdded: answers.instant(),
  Comment: answers.text(),
}));

const FailedAttempt = answers.component('FailedAttempt', () => ({
  ProviderId: answers.providerId(),
  DateAttempted: answers.instant(),
  ErrorMessage: z.string(),
  GatewayCode: answers.text(),
  GatewayMessage: answers.text(),
}));

const PaidWith = answers.component('PaidWith', () => ({
  Type: answers.sourceType(),
  PaymentMethodId: answers.maybeId(),
  Card: answers.Card.nullable(),
  BankPayment: answers.BankPayment.nullable(),
  PayTo: answers.PayTo.nullable(),
  Email: answers.text(),
}));
