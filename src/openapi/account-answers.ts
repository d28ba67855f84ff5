import * as z from 'zod';

import { SUBSCRIPTION_TRANSITIONS } from '../subscriptions/record.js';
import { TRANSFER_TRANSITIONS } from '../transfers/record.js';
import { TOPICS } from '../webhook-subscriptions/record.js';
import {
  amount,
  count,
  currency,
  id,
  instant,
  maybeAmount,
  maybeInstant,
  metadata,
  never,
  text,
} from '../http/answers.js';

/** What the operations on providers, subscriptions, payment links, transfers and settlements answer. */

const Cost = z
  .strictObject({
    IsInternationalCard: z.boolean().nullable(),
    CardScheme: text(),
    TransactionCost: maybeAmount(),
    TransactionPercentage: maybeAmount(),
  })
  .meta({ id: 'Cost' });

const Fallback = z.strictObject({
  Id: z.string(),
  Name: z.string(),
  Type: z.string(),
  ApplyCurrencyConversion: z.literal(false),
});

const nothing = () => z.array(z.never()).max(0);

export const Provider = z
  .strictObject({
    ProviderId: z.string(),
    Type: z.string(),
    Name: z.string(),
    Environment: z.enum(['SANDBOX', 'PRODUCTION']),
    AuthenticationParameters: metadata(),
    AdditionalParameters: metadata(),
    ProviderCountry: text(),
    CostData: z.array(Cost),
    HideConfiguration: nothing(),
    RequireConfiguration: nothing(),
    FallbackProviderId: text(),
    FallbackProvider: Fallback.nullable(),
    Currency: currency(),
    MaxCapability: never(),
    HasPartialRefund: z.boolean(),
    ThreeDsProviderId: text(),
    HasThreeDsCapability: z.boolean(),
  })
  .meta({ id: 'Provider' });

const Country = z.strictObject({
  FriendlyName: z.string(),
  Name: z.string(),
  TwoLetterCode: z.string(),
  ThreeLetterCode: z.string(),
  NumericCode: z.string(),
});

const Currency = z.strictObject({
  Id: z.string(),
  CurrencyCode: z.string(),
  CurrencyNumber: z.string(),
  Name: z.string(),
  UseConversion: z.literal(false),
});

export const Info = z
  .strictObject({
    Countries: z.array(Country),
    Currencies: z.array(Currency),
    Timezones: z.array(z.unknown()),
  })
  .meta({ id: 'Info' });

const ThreeDsProvider = z.strictObject({
  ProviderId: z.string(),
  ProviderName: z.string(),
  ProviderType: z.string(),
});

export const InfoProviders = z
  .strictObject({
    PaypalProviders: z.array(z.string()),
    HasCardProviders: z.boolean(),
    HasPaypalProviders: z.boolean(),
    Required3dsProvider: text(),
    HasPayToProviders: z.boolean(),
    PayToProviders: z.array(z.string()),
    PayToProvidersWithOptions: z.array(
      z.strictObject({ ProviderId: z.string(), MinimumAmount: z.literal(0), Description: z.string() }),
    ),
    HasBnplProviders: z.boolean(),
    BnplProviders: z.array(
      z.strictObject({ ProviderId: z.string(), ProviderType: z.string(), Options: z.strictObject({}) }),
    ),
    HasVisaInstallmentsProviders: z.literal(false),
    VisaInstallmentsProviders: nothing(),
    HasFraudProviders: z.literal(false),
    FraudProviders: nothing(),
    HasThreeDsProviders: z.boolean(),
    ThreeDsProviders: z.array(ThreeDsProvider),
    AllThreeDsProviders: z.array(ThreeDsProvider),
    HasGooglePayProviders: z.literal(false),
    GooglePayProviders: nothing(),
    HasApplePayProviders: z.literal(false),
    ApplePayProviders: nothing(),
    ClickToPayEnabled: z.literal(false),
    ClickToPayOptions: never(),
    HasNetworkTokenProviders: z.literal(false),
    NetworkTokenProviders: nothing(),
  })
  .meta({ id: 'InfoProviders' });

export const InfoProvider = z
  .strictObject({
    ThreeDsProviderId: text(),
    ThreeDsProviderType: text(),
    RequiredFields: z.strictObject({}),
    ClientParameters: z.strictObject({}),
    GooglePay: never(),
  })
  .meta({ id: 'InfoProvider' });

export const WebhookSubscription = z
  .strictObject({
    WebhookSubscriptionId: id(),
    AccountId: id(),
    Url: z.string(),
    Authorization: text().describe('Its scheme alone; what follows is never shown again.'),
    Types: z.array(z.enum(TOPICS)),
    CreatedDate: instant(),
    DateRemoved: maybeInstant(),
  })
  .meta({ id: 'WebhookSubscription' });

export const WebhookSubscriptions = z.strictObject({
  Count: count(),
  WebhookSubscriptions: z.array(WebhookSubscription),
});

const words = (table: object) => z.enum(Object.keys(table) as [string, ...string[]]);

export const Subscription = z
  .strictObject({
    SubscriptionId: id(),
    PaymentMethodId: id(),
    Amount: amount(),
    Currency: currency(),
    Interval: z.enum(['Day', 'Week', 'Month', 'Year']),
    Frequency: z.int(),
    CreatedDate: instant(),
    StartDate: maybeInstant(),
    EndAfter: z
      .strictObject({ Count: z.int().nullable(), Amount: maybeAmount(), Date: maybeInstant() })
      .nullable(),
    Retry: z
      .strictObject({
        Maximum: z.int().nullable(),
        Interval: z.enum(['Hour', 'Day']),
        Frequency: z.int().nullable(),
      })
      .nullable(),
    Webhook: z.strictObject({ Url: z.string(), Authorization: text() }).nullable(),
    Status: words(SUBSCRIPTION_TRANSITIONS),
    Metadata: metadata(),
  })
  .meta({ id: 'Subscription' });

export const PaymentLink = z
  .strictObject({
    Url: z.string().describe('The page on which it is paid.'),
    PaymentLinkId: id(),
    DateAdded: instant(),
    AccountId: id(),
    PublicKey: never(),
    Title: z.string(),
    Amount: maybeAmount(),
    Currency: currency(),
    AllowedPaymentTypes: z.array(z.string()),
    Description: text(),
    Image: text(),
    ConfirmationMessage: text(),
    RedirectUrl: text(),
    CallToAction: z.enum(['Pay', 'Donate']),
    LimitPayments: z.int().nullable(),
    CountPayments: count(),
    InvoiceId: text(),
    Metadata: metadata(),
  })
  .meta({ id: 'PaymentLink' });

export const PaymentLinks = z.strictObject({ PaymentLinks: z.array(PaymentLink), Count: count() });

export const Payment = z
  .strictObject({
    ChargeId: id(),
    Status: z.string(),
    Amount: amount(),
    Currency: currency(),
    ConfirmationMessage: text(),
    RedirectUrl: text(),
  })
  .meta({ id: 'Payment' });

export const Transfer = z
  .strictObject({
    TransferId: id(),
    Status: words(TRANSFER_TRANSITIONS),
    Reference: text(),
    GroupReference: z.string(),
    DateAdded: instant(),
    TotalAmount: amount(),
    ProviderId: z.string(),
    Amount: amount(),
    Currency: currency(),
    Account: z.string(),
    ChargeId: id(),
  })
  .meta({ id: 'Transfer' });

export const Settlement = z
  .strictObject({
    SettlementId: id(),
    SettlementDate: instant(),
    CreatedDate: instant(),
    ProviderId: z.string(),
    ProviderName: z.string(),
    ChargeId: id(),
    Amount: amount(),
  })
  .meta({ id: 'Settlement' });

export const Version = z.strictObject({ Version: z.string(), Released: instant(), Region: z.string() });
