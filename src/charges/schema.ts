import * as z from 'zod';

import { DEFAULT_DIALECT } from '../core/dialect.js';
import { ValidationError } from '../core/validation-error.js';
import * as answers from '../http/answers.js';
import { bankPaymentInformation } from '../http/source-fields.js';
import { paymentInformation } from '../http/card-fields.js';
import { type FieldValues, optional, readAs, renamed, request } from '../http/field.js';
import * as fields from '../http/fields.js';
import * as lists from '../http/list-fields.js';
import { optionalWebhook, webhookOf } from '../http/webhook-fields.js';
import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import { CHARGE_STATUSES } from './record.js';
import type { ChargeDetails } from './service.js';

/** The optional fields that every charge takes. */
const details = () => ({
  Currency: fields.optionalCurrency(),
  Reference: fields.optionalText().describe('Your reference.'),
  Capture: fields.optionalFlag().describe('False: only authorise. True unless told otherwise.'),
  Initiator: fields.optionalWord('CUSTOMER', 'MERCHANT').describe('Who began the charge.'),
  Descriptor: fields.optionalText().describe('What the payer’s statement says.'),
  Metadata: fields.optionalMetadata(),
  Webhook: optionalWebhook(),
  ThreeDSNotificationUrl: fields
    .optionalText()
    .describe(
      'Where the payer goes after a challenge of 3-D Secure. Without it, a charge that needs one is declined.',
    ),
  ThreeDSServerTransID: fields
    .optionalText()
    .describe(
      'The transaction of 3-D Secure that authenticated the card; that of the token unless told otherwise.',
    ),
  // Taken so that a program that sends them is not refused; nothing depends on them.
  Ip: fields.optionalText().describe('The payer’s address.'),
  Address: fields.optionalAddress(),
  Order: fields.ignoredObject(),
  CustomerCode: fields.optionalText().describe(fields.NO_EFFECT),
  InvoiceNumber: fields.optionalText().describe(fields.NO_EFFECT),
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
  Email: fields.optionalText(),
  Phone: fields.optionalText(),
  Geolocation: fields.ignoredObject(),
  Recurring: fields.ignoredValue(),
});

/** What a charge says of 3-D Secure. Where the sandbox is reached, the route knows. */
function authenticationOf({
  ThreeDSNotificationUrl: notificationUrl,
  ThreeDSServerTransID: id,
}: FieldValues<typeof details>): ChargeDetails['authentication'] {
  return notificationUrl === null && id === null ? null : { id, notificationUrl, origin: '' };
}

/** The details of a charge with these fields. */
function detailsOf(body: FieldValues<typeof details>): ChargeDetails {
  return {
    currency: body.Currency,
    reference: body.Reference,
    capture: body.Capture ?? true,
    email: body.Email,
    initiator: body.Initiator,
    descriptor: body.Descriptor,
    metadata: body.Metadata,
    webhook: webhookOf(body.Webhook),
    subscription: null,
    // Its route sets that of the request.
    dialect: DEFAULT_DIALECT,
    authentication: authenticationOf(body),
  };
}

export const ChargeCard = request(
  () => ({
    Amount: fields.amount(),
    ProviderId: fields.providerId(),
    PaymentInformation: paymentInformation(),
    ...details(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    card: body.PaymentInformation,
    details: detailsOf(body),
  }),
);

/** A charge of a card that names no provider: it is chosen by its cost, where providers say what they take. */
export const ChargeLeastCost = request(
  () => ({ Amount: fields.amount(), PaymentInformation: paymentInformation(), ...details() }),
  (body) => ({
    amount: body.Amount,
    providerId: DEFAULT_PROVIDER_ID,
    card: body.PaymentInformation,
    details: detailsOf(body),
  }),
);

export const ChargeToken = request(
  () => ({
    Amount: fields.amount(),
    Token: fields.text('"tok_approve"').describe('A token of a card; it is spent by its first use.'),
    ...details(),
  }),
  (body) => ({ amount: body.Amount, token: body.Token, details: detailsOf(body) }),
);

export const ChargeNetworkToken = request(
  () => ({
    Amount: fields.amount(),
    ProviderId: fields.providerId(),
    NetworkTokenId: fields
      .text('"tok_approve"')
      .describe('A network token. Nothing here makes one: magic tokens stand for them.'),
    ...details(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    token: body.NetworkTokenId,
    details: detailsOf(body),
  }),
);

/** The longest of the texts that Apple encrypts or signs. */
const APPLE_TEXT_MAX = 16_384;

/** What Apple Pay gives to a page. Nothing here can decrypt it. */
const appleToken = () =>
  z.object({
    PaymentData: z.object({
      Data: fields.text('"AbCd…"', APPLE_TEXT_MAX).describe('The encrypted card; it is not looked into.'),
      Signature: fields.optionalText(APPLE_TEXT_MAX),
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

/** The provider stands in a header: the row puts it into the place of this one. */
export const ChargeApple = request(
  () => ({
    Amount: fields.amount(),
    Token: appleToken().describe('The token of Apple Pay.'),
    UserAgent: fields.optionalText().describe(fields.NO_EFFECT),
    ...details(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: DEFAULT_PROVIDER_ID,
    network: body.Token.PaymentMethod?.Network ?? null,
    details: detailsOf(body),
  }),
);

export const ChargeCustomer = request(
  () => ({
    Amount: fields.amount(),
    ProviderId: fields.optionalInSdk(fields.providerId()),
    CustomerId: fields.text('the CustomerId of a stored customer').describe('A stored customer.'),
    ...details(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    customerId: body.CustomerId,
    details: detailsOf(body),
  }),
);

export const ChargePaymentMethod = request(
  () => ({
    Amount: fields.amount(),
    PaymentMethodId: fields
      .text('the PaymentMethodId of a stored payment method')
      .describe('A stored payment method.'),
    ...details(),
    Currency: fields.optionalInSdk(fields.currency()),
  }),
  (body) => ({
    amount: body.Amount,
    paymentMethodId: body.PaymentMethodId,
    details: detailsOf(body),
  }),
);

export const ChargeBankAccount = request(
  () => ({
    Amount: fields.amount(),
    ProviderId: fields.providerId(),
    BankPaymentInformation: bankPaymentInformation().describe('A bank account.'),
    ...details(),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    account: body.BankPaymentInformation,
    details: detailsOf(body),
  }),
);

export const CaptureCharge = request(() => ({ Amount: fields.optionalInSdk(fields.amount()) }), renamed);

/** What a refund may say, in the query or in a body. */
export const RefundCharge = request(
  () => ({
    Amount: fields.optionalAmount().describe('How much; all that is left unless told otherwise.'),
    Comment: fields.optionalText().describe('Why the money goes back.'),
  }),
  renamed,
);

const leadingDigits = () =>
  optional(
    readAs(z.string(), (value) => {
      const plain = value.replaceAll(/[ -]/g, '');
      return /^[\d*]{1,19}$/.test(plain)
        ? plain
        : new ValidationError('must be the leading digits of a card number, or its mask');
    }),
  );

export const SearchCharges = request(
  () => ({
    Reference: fields
      .optionalText()
      .meta({ description: 'With exactly this reference.', specified: 'reference' }),
    ProviderId: lists.optionalQueryProviderId().describe('Of this provider.'),
    CustomerId: fields.optionalText().describe('Of this customer.'),
    PaymentMethodId: fields.optionalText().describe('Of this payment method.'),
    // Client libraries write AUTHORISE.
    Status: lists
      .optionalQueryWord(CHARGE_STATUSES, { authorise: 'Authorised' })
      .describe('With this status.'),
    Currency: lists.optionalQueryCurrency().describe('Of this currency.'),
    AmountGreaterThan: lists.optionalQueryBound().describe('Of more than this.'),
    AmountLessThan: lists.optionalQueryBound().describe('Of less than this.'),
    ...lists.dateFields(),
    CardNumber: leadingDigits().describe('The leading digits of the card number, or its mask.'),
    CardType: fields.optionalText().describe('The scheme, such as VISA.'),
    Cardholder: fields.optionalText().describe('The name on the card.'),
    PaymentType: fields.optionalText().describe('The way of paying: CARD, BANK_ACCOUNT or PAYTO.'),
    BatchId: fields.optionalText().describe('Made by this batch.'),
    SubscriptionId: fields.optionalText().describe('Made by this subscription.'),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date', 'Amount'),
  }),
  lists.listed,
);

/** What every operation on a charge answers. */
export const ChargeResponse = answers.component('Charge', () => ({
  ChargeId: answers.id(),
  ProviderChargeId: answers.text(),
  ProviderId: z.string(),
  Amount: answers.amount('What was charged or authorised; once captured, what was captured.'),
  Currency: answers.currency(),
  Status: z.enum(CHARGE_STATUSES).describe('The sdk dialect writes AUTHORISE for Authorised.'),
  Reference: answers.text(),
  AuthorisationAmount: answers.maybeAmount(),
  RefundedAmount: answers.maybeAmount(),
  Refunds: z.array(Refund),
  EstimatedCost: answers
    .maybeAmount()
    .describe('What the provider takes, by its CostData; null where none fits, or the charge failed.'),
  EstimatedCostCurrency: answers.text(),
  CustomerId: answers.maybeId(),
  Customer: answers.CustomerSummary.nullable(),
  Provider: answers.ProviderName,
  PaymentInformation: PaidWith,
  DateAdded: answers.instant(),
  SuccessDate: answers.maybeInstant(),
  VoidDate: answers.maybeInstant(),
  FailedAttempts: z.array(FailedAttempt),
  Initiator: answers.text(),
  Descriptor: answers.text(),
  PaymentTokenId: answers.text(),
  BatchId: answers.maybeId(),
  SubscriptionId: answers.maybeId(),
  ThreeDSServerTransID: answers.maybeId(),
  ThreeDsVerified: z.boolean().describe('Whether 3-D Secure was passed.'),
  ThreeDsRedirectUrl: answers
    .text()
    .describe('Where the payer answers the challenge that the charge waits for.'),
  Metadata: answers.metadata(),
}));
export type ChargeResponse = z.output<typeof ChargeResponse>;

const Refund = answers.component('Refund', () => ({
  Amount: answers.amount(),
  DateAdded: answers.instant(),
  Comment: answers.text(),
}));

const FailedAttempt = answers.component('FailedAttempt', () => ({
  ProviderId: z.string(),
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
