import * as z from 'zod';

import { CODE } from '../core/errors.js';
import {
  currency,
  digitsOf,
  Fault,
  kindOf,
  type Member,
  optional,
  optionalAmount,
  optionalCurrency,
  optionalFlag,
  optionalMetadata,
  optionalText,
  readProviderId,
  readText,
  required,
  text,
} from '../http/fields.js';
import type { Environment } from './record.js';

/** The longest Type, Name and CardScheme. */
const NAME_MAX = 100;
/** How many rows of CostData a provider has at most: our own limit. */
const COSTS_MAX = 50;

const ENVIRONMENTS: readonly Environment[] = ['SANDBOX', 'PRODUCTION'];

function readEnvironment(value: unknown): Environment | Fault {
  const known = ENVIRONMENTS.find((one) => one === value);
  return known ?? new Fault(`must be one of ${ENVIRONMENTS.join(', ')}`, CODE.InvalidEnvironment);
}

const optionalName = (): Member<string | null> =>
  optional((value) => {
    const read = readText(value, NAME_MAX);
    return typeof read === 'string' && read.trim() === '' ? new Fault('must not be blank') : read;
  });

const optionalCountry = (): Member<string | null> =>
  optional((value) =>
    typeof value === 'string' && /^[A-Z]{2,3}$/.test(value)
      ? value
      : new Fault('must be the code of a country such as AUS', CODE.InvalidCountry),
  );

const optionalProviderId = (): Member<string | null> => optional(readProviderId);

const optionalFallback = (): Member<string | null> =>
  optional((value) => {
    const read = readProviderId(value);
    return read instanceof Fault ? new Fault(read.message, CODE.InvalidFallbackProviderId) : read;
  });

const optionalDecimal = (): Member<number | null> =>
  optional((value) => {
    const digits = digitsOf(value) ?? '';
    if (/^\d{1,9}(?:\.\d{1,6})?$/.test(digits)) return Number(digits);
    return new Fault(`must be a decimal of at most six decimals such as 0.3, not ${kindOf(value)} like this`);
  });

const CostRow = z.object({
  IsInternationalCard: optionalFlag(),
  CardScheme: optionalText(NAME_MAX),
  TransactionCost: optionalDecimal(),
  TransactionPercentage: optionalDecimal(),
});

/** What need not be said of a provider. */
const more = {
  AuthenticationParameters: optionalMetadata(),
  AdditionalParameters: optionalMetadata(),
  ProviderCountry: optionalCountry(),
  ThreeDsProviderId: optionalProviderId(),
  FallbackProviderId: optionalFallback(),
  CostData: z.array(CostRow).max(COSTS_MAX).optional(),
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
    Type: text('"dummy"', NAME_MAX),
    Name: text('"primary"', NAME_MAX),
    Environment: required(readEnvironment, 'SANDBOX'),
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
    Type: optionalName(),
    Name: optionalName(),
    Environment: optional(readEnvironment),
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
  .object({ Amount: optionalAmount(), Currency: optionalCurrency(), CardProviderId: optionalProviderId() })
  .transform((asked) => ({ cardProviderId: asked.CardProviderId }));
