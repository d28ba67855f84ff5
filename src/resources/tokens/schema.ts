import * as z from 'zod';

import { currencyExponent, parseAmount } from '../../core/money.js';
import * as answers from '../../http/answers/answers.js';
import { paymentInformationField } from '../../http/fields/card-fields.js';
import { type FieldsOutput, refuseValue, requestSchema } from '../../http/fields/field.js';
import { requiredAmount, toAmountError, optionalCurrency } from '../../http/fields/amount-fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import { optionalGeolocation, optionalOrder } from '../../http/fields/order-fields.js';
import * as lists from '../../http/fields/list-fields.js';
import { toAgreement, payToFields } from '../../http/fields/source-fields.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { vaultFields, toVaultRequest } from '../vault/schema.js';
import { TOKEN_STATUSES } from '../../records/token.js';
import type { TokeniseCommand } from './service.js';

const tokenCardFields = () => ({
  PaymentInformation: paymentInformationField(),
  ...vaultFields(),
  Ip: fields.optionalText().describe('The payer’s IP address.'),
  Metadata: optionalMetadata(),
  CreateNetworkToken: fields
    .optionalFlag()
    .describe('Whether to create a network token of the card as well, for POST /charge/network_token.'),
  ClickToPay: fields
    .ignoredValue()
    .describe('Anything but false: the card comes from Click to Pay. Answers then have ClickToPay.'),
  BillingAddress: fields.optionalAddress(),
  // Accepted so that pages that send them are not refused. They have no effect.
  Verify: fields.optionalFlag().describe(fields.NO_EFFECT),
  FraudCheck: fields.ignoredValue(),
  VisaInstallments: fields.ignoredValue(),
  UserAgent: fields.optionalText().describe(fields.NO_EFFECT),
  FirstName: fields.optionalText(),
  LastName: fields.optionalText(),
  Order: optionalOrder(),
  Geolocation: optionalGeolocation(),
});

/** The data of a new token. The provider is not in the body; the route replaces this one. */
function toTokeniseCommand(body: FieldsOutput<typeof tokenCardFields>): TokeniseCommand {
  return {
    providerId: DEFAULT_PROVIDER_ID,
    card: body.PaymentInformation,
    vault: toVaultRequest(body),
    ip: body.Ip,
    metadata: body.Metadata,
    wantsNetworkToken: body.CreateNetworkToken === true,
    clickToPay: body.ClickToPay ? { billingAddress: fields.readAddress(body.BillingAddress) } : null,
  };
}

export const TokeniseCard = requestSchema(tokenCardFields, toTokeniseCommand);

/** A token that will be charged with an amount. The cheapest provider for it is used. */
export const TokeniseLeastCost = requestSchema(
  () => ({ Amount: requiredAmount(), Currency: optionalCurrency(), ...tokenCardFields() }),
  (body, context): TokeniseCommand & { amount: string } => {
    requireFittingAmount(body, context);
    return { amount: body.Amount, ...toTokeniseCommand(body) };
  },
);

/** How many decimals are allowed depends on the currency. Without one, the charge checks it. */
function requireFittingAmount(
  { Amount, Currency }: { Amount: string; Currency: string | null },
  context: z.RefinementCtx,
): void {
  if (Currency === null) return;
  const minor = parseAmount(Amount, currencyExponent(Currency) ?? 0);
  if (typeof minor === 'number') return;
  const { message, code } = toAmountError(minor, Amount);
  refuseValue(context, message, { code, path: ['Amount'] });
}

export const CreatePayToToken = requestSchema(payToFields, (body) => ({
  providerId: body.ProviderId,
  agreement: toAgreement(body),
  ip: body.Ip,
  metadata: body.Metadata,
}));

export const SearchTokens = requestSchema(
  () => ({
    ProviderId: lists.optionalQueryProviderId().describe('Only records of this provider.'),
    Status: lists.optionalQueryWord(TOKEN_STATUSES).describe('Only records with this status.'),
    ...lists.dateFields(),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date'),
  }),
  lists.toListing,
);

const NetworkTokenAnswer = answers.component('NetworkToken', () => ({
  NetworkTokenId: answers.id('For POST /charge/network_token, as often as you like.'),
  SchemeTokenId: answers.never(),
  ProviderId: answers.providerId(),
  ProviderType: z.string(),
  Status: z.literal('ACTIVE'),
  DateAdded: answers.instant(),
  SchemeTokenData: answers.never(),
  AuthenticationMethod: answers.never(),
}));

const ClickToPayAnswer = answers.component('ClickToPay', () => ({
  BillingAddress: answers.PostalAddress.nullable(),
  CardData: z.strictObject({
    PanBin: z.string(),
    PanLastFour: z.string(),
    Scheme: z.string(),
    PaymentCardType: z.string(),
  }),
}));

const tokenAnswer = () => ({
  TokenId: answers.id(),
  ProviderId: answers.providerId(),
  DateAdded: answers.instant(),
  VaultId: answers.maybeId(),
  Type: answers.sourceType(),
  PayToStatus: answers.payToStatus(),
  Ip: answers.text(),
  Metadata: answers.metadata(),
  ClickToPay: ClickToPayAnswer.nullable(),
  NetworkTokenAuthenticateUrl: answers.never(),
  NetworkToken: NetworkTokenAnswer.nullable(),
  NetworkTokenData: answers.never(),
  GatewayTokenData: answers.never(),
  Card: answers.Card.nullable(),
});

/** The response to a page. */
export const TokenResponse = answers.component('Token', tokenAnswer);
export type TokenResponse = z.output<typeof TokenResponse>;

/** The control API also returns when the token expires. */
export const TokenWithExpiryResponse = answers.component('TokenWithExpiry', () => ({
  ...tokenAnswer(),
  ExpiresAt: answers.instant(),
}));
export type TokenWithExpiryResponse = z.output<typeof TokenWithExpiryResponse>;

/** The response to a back end. */
export const TokenDataResponse = answers.component('TokenData', () => ({
  TokenId: z.string().describe('The identifier, or the text of a magic token.'),
  GatewayTokenId: answers.never(),
  AccountId: answers.never(),
  UserId: answers.never(),
  Type: answers.sourceType(),
  Card: answers.Card.nullable(),
  Provider: answers.ProviderName,
  DateAdded: answers.instant(),
  DateUsed: answers.maybeInstant(),
  PayToStatus: answers.payToStatus(),
  Metadata: answers.metadata(),
  ClickToPay: ClickToPayAnswer.nullable(),
}));
export type TokenDataResponse = z.output<typeof TokenDataResponse>;
