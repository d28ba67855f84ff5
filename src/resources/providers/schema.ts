import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { CODE } from '../../core/errors.js';
import { ValidationError } from '../../core/validation-error.js';
import {
  digitsField,
  type FieldsOutput,
  optionalField,
  convertField,
  toCamelCase,
  requestSchema,
  cappedText,
} from '../../http/fields/field.js';
import { requiredCurrency, optionalCurrency } from '../../http/fields/amount-fields.js';
import { optionalMetadata } from '../../http/fields/metadata-fields.js';
import * as fields from '../../http/fields/fields.js';
import * as lists from '../../http/fields/list-fields.js';

/** The maximum length of Type, Name and CardScheme. */
const NAME_MAX = 100;
/** The maximum number of rows in CostData: our own limit. */
const COSTS_MAX = 50;

const environmentField = () =>
  z.enum(['SANDBOX', 'PRODUCTION']).meta({ code: CODE.InvalidEnvironment, sample: 'SANDBOX' });

const optionalName = () =>
  optionalField(cappedText(NAME_MAX).refine((value) => value.trim() !== '', { error: 'must not be blank' }));

const COUNTRY_WRONG = 'must be a country code such as AUS';

const optionalCountry = () =>
  optionalField(
    z
      .string()
      .regex(/^[A-Z]{2,3}$/, { error: COUNTRY_WRONG })
      .meta({ code: CODE.InvalidCountry, wrong: COUNTRY_WRONG }),
  );

const DECIMAL_WRONG = 'must be a number of 0 or more with at most nine digits and six decimals, such as 0.3';

const optionalDecimal = () =>
  optionalField(
    convertField(digitsField(), (value) =>
      /^\d{1,9}(?:\.\d{1,6})?$/.test(String(value)) ? Number(value) : new ValidationError(DECIMAL_WRONG),
    ).meta({
      wrong: (kind) => `${DECIMAL_WRONG}, not ${kind}`,
      sent: {
        type: ['string', 'number'],
        pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
        minimum: 0,
        exclusiveMaximum: 1e9,
      },
    }),
  );

const costRow = () =>
  z.object({
    IsInternationalCard: fields.optionalFlag().describe('Whether this row is for international cards.'),
    CardScheme: fields.optionalText(NAME_MAX).describe('A scheme such as VISA.'),
    TransactionCost: optionalDecimal().describe('The fixed fee of each charge, in major units.'),
    TransactionPercentage: optionalDecimal().describe('The fee as a percentage of the amount.'),
  });

const settingFields = () => ({
  AuthenticationParameters: optionalMetadata().describe(
    'The credentials of the account at the provider. The sandbox accepts any.',
  ),
  AdditionalParameters: optionalMetadata().describe('Further settings of the provider.'),
  ProviderCountry: optionalCountry().describe('The country of the provider, such as AU.'),
  ThreeDsProviderId: optionalField(fields.requiredProviderId()).describe('The provider used for 3-D Secure.'),
  FallbackProviderId: optionalField(fields.requiredProviderId(CODE.InvalidFallbackProviderId)).describe(
    'The provider that is used if this one fails.',
  ),
  CostData: z.array(costRow()).max(COSTS_MAX).optional().describe('What the provider charges in fees.'),
});

function readSettings<B extends FieldsOutput<typeof settingFields>>({
  ProviderCountry,
  CostData,
  ...body
}: B) {
  const costs = CostData?.map((row) => ({
    international: row.IsInternationalCard,
    scheme: row.CardScheme,
    transaction: row.TransactionCost,
    percentage: row.TransactionPercentage,
  }));
  return { ...toCamelCase(body), country: ProviderCountry, costs: costs ?? null };
}

export const CreateProvider = requestSchema(
  () => ({
    Type: fields
      .requiredText('"dummy"', NAME_MAX)
      .describe(
        'The kind of provider. A wallet such as googlepay decides the payment type of its check-outs.',
      ),
    Name: fields.requiredText('"primary"', NAME_MAX).describe('The name of the provider.'),
    Environment: environmentField().describe('Whether the provider account is for tests or production.'),
    Currency: requiredCurrency(),
    ...settingFields(),
  }),
  readSettings,
);

/** Fields that are left out stay unchanged. */
export const UpdateProvider = requestSchema(
  () => ({
    Type: optionalName().describe('The kind of provider.'),
    Name: optionalName().describe('The name of the provider.'),
    Environment: optionalField(environmentField()).describe(
      'Whether the provider account is for tests or production.',
    ),
    Currency: optionalCurrency(),
    ...settingFields(),
  }),
  readSettings,
);

/** Client libraries send an amount and a currency. They have no effect: all providers are listed. */
export const InfoQuery = requestSchema(
  () => ({
    Amount: lists.optionalCartAmount().describe(fields.NO_EFFECT),
    Currency: lists.optionalCartCurrency().describe(fields.NO_EFFECT),
    CardProviderId: optionalField(fields.requiredProviderId()).describe(
      'The card provider whose 3-D Secure provider is wanted.',
    ),
  }),
  (body) => ({ cardProviderId: body.CardProviderId }),
);

const Cost = answers.component('Cost', () => ({
  IsInternationalCard: z.boolean().nullable(),
  CardScheme: answers.text(),
  TransactionCost: answers.maybeAmount(),
  TransactionPercentage: answers.maybeAmount(),
}));

const fallbackAnswer = () =>
  z.strictObject({
    Id: z.string(),
    Name: z.string(),
    Type: z.string(),
    ApplyCurrencyConversion: z.literal(false),
  });

const emptyList = () => z.array(z.never()).max(0);

export const ProviderResponse = answers.component('Provider', () => ({
  ProviderId: answers.providerId(),
  Type: z.string(),
  Name: z.string(),
  Environment: z.enum(['SANDBOX', 'PRODUCTION']),
  AuthenticationParameters: answers.metadata(),
  AdditionalParameters: answers.metadata(),
  ProviderCountry: answers.text(),
  CostData: z.array(Cost),
  HideConfiguration: emptyList(),
  RequireConfiguration: emptyList(),
  FallbackProviderId: answers.text(),
  FallbackProvider: fallbackAnswer().nullable(),
  Currency: answers.currency(),
  MaxCapability: answers.never(),
  HasPartialRefund: z.boolean(),
  ThreeDsProviderId: answers.text(),
  HasThreeDsCapability: z.boolean(),
}));
export type ProviderResponse = z.output<typeof ProviderResponse>;

const countryAnswer = () =>
  z.strictObject({
    FriendlyName: z.string(),
    Name: z.string(),
    TwoLetterCode: z.string(),
    ThreeLetterCode: z.string(),
    NumericCode: z.string(),
  });

const currencyAnswer = () =>
  z.strictObject({
    Id: z.string(),
    CurrencyCode: z.string(),
    CurrencyNumber: z.string(),
    Name: z.string(),
    UseConversion: z.literal(false),
  });

export const InfoResponse = answers.component('Info', () => ({
  Countries: z.array(countryAnswer()),
  Currencies: z.array(currencyAnswer()),
  Timezones: z.array(z.unknown()),
}));
export type InfoResponse = z.output<typeof InfoResponse>;

const threeDsProviderAnswer = () =>
  z.strictObject({
    ProviderId: answers.providerId(),
    ProviderName: z.string(),
    ProviderType: z.string(),
  });

const googlePayFields = () => ({ Gateway: z.string(), GatewayMerchantId: z.string() });

export const InfoProvidersResponse = answers.component('InfoProviders', () => ({
  PaypalProviders: z.array(z.string()),
  HasCardProviders: z.boolean(),
  HasPaypalProviders: z.boolean(),
  Required3dsProvider: answers.text(),
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
  VisaInstallmentsProviders: emptyList(),
  HasFraudProviders: z.literal(false),
  FraudProviders: emptyList(),
  HasThreeDsProviders: z.boolean(),
  ThreeDsProviders: z.array(threeDsProviderAnswer()),
  AllThreeDsProviders: z.array(threeDsProviderAnswer()),
  HasGooglePayProviders: z.boolean(),
  GooglePayProviders: z.array(z.strictObject({ ProviderId: z.string(), ...googlePayFields() })),
  HasApplePayProviders: z.boolean(),
  ApplePayProviders: z.array(
    z.strictObject({
      ProviderId: answers.providerId(),
      ProviderType: z.string(),
      ClientParameters: z.strictObject({}),
      LineItemLabel: z.string(),
      MerchantIdentifier: z.string(),
      DomainName: z.string(),
      DisplayName: z.string(),
    }),
  ),
  ClickToPayEnabled: z.boolean(),
  ClickToPayOptions: z.strictObject({ DpaId: z.string(), DpaName: z.string() }).nullable(),
  HasNetworkTokenProviders: z.literal(false),
  NetworkTokenProviders: emptyList(),
}));
export type InfoProvidersResponse = z.output<typeof InfoProvidersResponse>;

export const InfoProviderResponse = answers.component('InfoProvider', () => ({
  ThreeDsProviderId: answers.text(),
  ThreeDsProviderType: answers.text(),
  RequiredFields: z.strictObject({}),
  ClientParameters: z.strictObject({}),
  GooglePay: z.strictObject(googlePayFields()).nullable(),
}));
export type InfoProviderResponse = z.output<typeof InfoProviderResponse>;
