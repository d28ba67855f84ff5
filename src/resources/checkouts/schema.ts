import * as z from 'zod';

import { PAYMENT_TYPES } from '../../core/cards/payment-type.js';
import * as answers from '../../http/answers/answers.js';
import { optionalAmount, optionalCurrency, requiredAmount } from '../../http/fields/amount-fields.js';
import { type FieldsOutput, optionalField, requestSchema, toCamelCase } from '../../http/fields/field.js';
import * as fields from '../../http/fields/fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import { CHARGE_STATUSES } from '../../records/charge.js';
import { CHECKOUT_STATUSES } from '../../records/checkout.js';
import { ChargeResponse, detailFields, readDetails } from '../charges/schema.js';

/** The fields of a new check-out, whichever call begins it. */
const newFields = () => ({
  ProviderType: fields
    .optionalText()
    .describe(
      'The wallet, such as paypal, or the brand of a pay-later provider. Default: the type of the provider.',
    ),
  RedirectUrl: fields.optionalWebAddress().describe('Where the payer is sent after the decision.'),
});

export const CreateCheckout = requestSchema(
  () => ({
    Amount: requiredAmount(),
    Currency: optionalCurrency(),
    ProviderId: fields.requiredProviderId(),
    ...newFields(),
  }),
  toCamelCase,
);

/** The two names of a check-out. */
const namingFields = () => ({
  CheckoutId: fields.optionalText().describe('The check-out.'),
  ExternalId: fields
    .optionalText()
    .describe('The wallet’s identifier of the check-out. It is enough without CheckoutId.'),
});

const readNames = ({ CheckoutId, ExternalId }: FieldsOutput<typeof namingFields>) => ({
  names: { checkoutId: CheckoutId, externalId: ExternalId },
});

export const ChargeCheckout = requestSchema(
  () => ({
    ...namingFields(),
    Amount: optionalAmount().describe('The amount of the check-out. Required only to begin one.'),
    ProviderId: optionalField(fields.requiredProviderId()).describe('Required only to begin a check-out.'),
    ...newFields(),
    FraudCheck: fields.ignoredValue(),
    ...detailFields(),
  }),
  (body) => ({
    ...readNames(body),
    amount: body.Amount,
    providerId: body.ProviderId,
    providerType: body.ProviderType,
    redirectUrl: body.RedirectUrl,
    details: readDetails(body),
  }),
);

export const StoreCheckout = requestSchema(
  () => ({ ...namingFields(), FraudCheck: fields.ignoredValue(), Metadata: optionalMetadata() }),
  (body) => ({ ...readNames(body), metadata: body.Metadata }),
);

export const CheckoutResponse = answers.component('Checkout', () => ({
  CheckoutId: answers.id(),
  ExternalId: answers.id('The wallet’s identifier of the check-out.'),
  ProviderId: answers.providerId(),
  Type: z.enum(PAYMENT_TYPES),
  Amount: answers.amount(),
  Currency: answers.currency(),
  Status: z
    .enum(CHECKOUT_STATUSES)
    .describe('PENDING: the payer has not decided. CANCELLED: the shop voided its charge.'),
  Url: answers.text().describe('The page on which the payer decides; null when it is decided.'),
  RedirectUrl: answers.text(),
  ChargeId: answers.maybeId(),
  PaymentMethodId: answers.maybeId(),
  DateAdded: answers.instant(),
  ExpiresAt: answers.instant(),
  DateEnded: answers.maybeInstant(),
}));
export type CheckoutResponse = z.output<typeof CheckoutResponse>;

export const CheckoutChargeResponse = answers.component('CheckoutCharge', () => ({
  ...ChargeResponse.unwrap().shape,
  Checkout: CheckoutResponse,
}));

/** A check-out for the page of its wallet. */
export const DecisionResponse = answers.component('CheckoutDecision', () => ({
  Status: z.enum(CHECKOUT_STATUSES),
  ChargeStatus: z.enum(CHARGE_STATUSES).nullable(),
  ReturnUrl: answers.text().describe('RedirectUrl with the identifiers in its query.'),
  Fields: z.strictObject({
    checkoutId: answers.id(),
    externalId: answers.id(),
    chargeId: answers.maybeId(),
  }),
}));
export type DecisionResponse = z.output<typeof DecisionResponse>;
