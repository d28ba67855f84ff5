import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { digits, Invalid, kindOf, optional, readAs, textUpTo } from '../http/field.js';
import {
  AMOUNT_META,
  NO_EFFECT,
  currency,
  optionalAmount,
  optionalCurrency,
  optionalFlag,
  optionalMetadata,
  optionalText,
  providerId,
  text,
} from '../http/fields.js';

/** The longest Type, Name and CardScheme. */
const NAME_MAX = 100;
/** How many rows of CostData a provider has at most: our own limit. */
const COSTS_MAX = 50;

const environment = () =>
  z.enum(['SANDBOX', 'PRODUCTION']).meta({ code: CODE.InvalidEnvironment, sample: 'SANDBOX' });

const optionalName = () =>
  optional(textUpTo(NAME_MAX).refine((value) => value.trim() !== '', { error: 'must not be blank' }));

const COUNTRY_WRONG = 'must be the code of a country such as AUS';

const optionalCountry = () =>
  optional(
    z
      .string()
      .regex(/^[A-Z]{2,3}$/, { error: COUNTRY_WRONG })
      .meta({ code: CODE.InvalidCountry, wrong: COUNTRY_WRONG }),
  );

const decimalWrong = (kind: string): string =>
  `must be a decimal of at most six decimals such as 0.3, not ${kind} like this`;

const optionalDecimal = () =>
  optional(
    readAs(digits(), (value) =>
      /^\d{1,9}(?:\.\d{1,6})?$/.test(String(value))
        ? Number(value)
        : new Invalid(decimalWrong(kindOf(value))),
    ).meta({ wrong: decimalWrong, sent: AMOUNT_META.sent }),
  );

const CostRow = z.object({
  IsInternationalCard: optionalFlag().describe('Whether the row is for cards from abroad.'),
  CardScheme: optionalText(NAME_MAX).describe('A scheme such as VISA.'),
  TransactionCost: optionalDecimal().describe('What each charge costs, in major units.'),
  TransactionPercentage: optionalDecimal().describe('How many percent of the amount it takes.'),
});

/** What need not be said of a provider. */
const more = {
  AuthenticationParameters: optionalMetadata().describe('Credentials at the provider; any will do here.'),
  AdditionalParameters: optionalMetadata().describe(
    'What the provider is set up with, beside its credentials.',
  ),
  ProviderCountry: optionalCountry().describe('Where the provider is.'),
  ThreeDsProviderId: optional(providerId()).describe('The provider for 3-D Secure.'),
  FallbackProviderId: optional(providerId(CODE.InvalidFallbackProviderId)).describe(
    'The provider that is asked where this one fails.',
  ),
  CostData: z.array(CostRow).max(COSTS_MAX).optional().describe('What the provider takes for a charge.'),
};

const More = z.object(more);

function moreOf(body: z.output<typeof More>) {
  return {
    authenticationParameters: body.AuthenticationParameters,
    additionalParameters: body.AdditionalParameters,
    country: body.ProviderCountry,
    threeDsProviderId: body.ThreeDsProviderId,
    fallbackProviderId: body.FallbackProviderId,
    costs:
      body.CostData?.map((row) => ({
        international: row.IsInternationalCard,
        scheme: row.CardScheme,
        transaction: row.TransactionCost,
        percentage: row.TransactionPercentage,
      })) ?? null,
  };
}

export const CreateProvider = z
  .object({
    Type: text('"dummy"', NAME_MAX).describe('What kind of provider it is.'),
    Name: text('"primary"', NAME_MAX).describe('A name.'),
    Environment: environment().describe('Where the provider works.'),
    Currency: currency(),
    ...more,
  })
  .transform((body) => ({
    type: body.Type,
    name: body.Name,
    environment: body.Environment,
    currency: body.Currency,
    ...moreOf(body),
  }));

/** What is left out stays as it is. */
export const UpdateProvider = z
  .object({
    Type: optionalName().describe('What kind of provider it is.'),
    Name: optionalName().describe('A name.'),
    Environment: optional(environment()).describe('Where the provider works.'),
    Currency: optionalCurrency(),
    ...more,
  })
  .transform((body) => ({
    type: body.Type,
    name: body.Name,
    environment: body.Environment,
    currency: body.Currency,
    ...moreOf(body),
  }));

/** What client libraries ask for; no provider here is hidden by an amount or a currency. */
export const AskInfo = z
  .object({
    Amount: optionalAmount().describe(NO_EFFECT),
    Currency: optionalCurrency().describe(NO_EFFECT),
    CardProviderId: optional(providerId()).describe('Whose provider for 3-D Secure is asked for.'),
  })
  .transform((asked) => ({ cardProviderId: asked.CardProviderId }));
