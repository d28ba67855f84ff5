import * as z from 'zod';

import { currencyExponent } from '../../core/money.js';
import { didYouMean } from '../../core/text/nearest.js';
import {
  ALL_FEATURES,
  bareProviderId,
  type ProviderAccount,
  DEFAULT_CURRENCY,
  PROVIDER_NAME,
} from '../../records/provider.js';
import { isUuid } from '../../core/text/text.js';
import { isReservedProviderId } from '../../outcomes/built-in.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';
import * as f from './field.js';
import { refuseInput, refuseTogether, refuseDuplicates } from './field.js';
import { BUILT_IN_NAMES, type ProviderNames } from './provider-names.js';
import { whyNoOutcome } from '../script/reach.js';
import { Delay, OutcomeName } from './effects.js';
import { requireChargeOutcome } from './then.js';
import { providerField } from './when.js';

/** Our own limit. */
export const PROVIDERS_MAX = 100;

const TYPE_LENGTH_MAX = 64;
const SCHEME_LENGTH_MAX = 32;
const WEIGHT_MAX = 1_000_000;
const EVERY_MAX = 1_000_000_000;
const COST_MAX = 1_000_000;

const NAME_ACCEPTED = '1 to 64 ASCII characters without * and ?';

const isName = (text: string): boolean =>
  PROVIDER_NAME.test(text) && text.trim() === text && !/[*?]/.test(text) && !isUuid(text);

const Name = f
  .textThat(NAME_ACCEPTED, isName)
  .refine((name) => !BUILT_IN_NAMES.has(name), f.mustBe('a name that no built-in provider has'))
  .meta({ maxLength: 64 });

const ProviderId = f.encodedText(
  z.string(),
  'a ProviderId (32 hexadecimal digits or a UUID) other than the reserved …dead',
  {
    read: (id) => (isUuid(id) && !isReservedProviderId(id) ? bareProviderId(id) : undefined),
    write: (id) => id,
  },
  f.hintQuotes,
);

export const currencyField = () =>
  f.textThat(
    'an ISO 4217 code such as AUD',
    (code) => currencyExponent(code) !== undefined,
    () => '',
  );

const Country = f.textThat(
  'a country code such as AUS',
  (code) => /^[A-Z]{2,3}$/.test(code),
  () => '',
);

const Outcomes = f
  .namedValues(
    f.number(0, WEIGHT_MAX).describe('its share'),
    (name) => (OUTCOMES.has(name) ? null : `is not an outcome${didYouMean(name, OUTCOMES.keys())}`),
    'an object of outcomes and their shares such as {approve: 9, insufficient_funds: 1}',
  )
  .superRefine((shares, context) => {
    for (const name of Object.keys(shares)) {
      const why = whyNoOutcome(name, ['charge.create']);
      if (why !== null) refuseInput(context, `has no effect: ${why}`, undefined, name);
    }
    if (Object.values(shares).some((weight) => weight > 0)) return;
    refuseTogether(context, 'must have an outcome with a share greater than 0');
  });

const Fails = f.object({
  every: f.whole(1, EVERY_MAX).describe('every n-th call of any operation'),
  outcome: OutcomeName.default('provider_unavailable').superRefine(requireChargeOutcome),
});

const featureField = () => f.choice([true, false]);

const Features = f.object({
  authorise: featureField()
    .describe('false: Capture false is refused with code 71')
    .default(ALL_FEATURES.authorise),
  partialCapture: featureField()
    .describe('false: captures of less than the authorisation are refused with code 78')
    .default(ALL_FEATURES.partialCapture),
  partialRefund: featureField()
    .describe('false: refunds of less than the charge are refused with code 32')
    .default(ALL_FEATURES.partialRefund),
});

const Cost = f
  .object({
    scheme: f.orNull(f.textWithin(SCHEME_LENGTH_MAX).describe('a card scheme such as VISA; any by default')),
    fixed: f.orNull(f.number(0, COST_MAX).describe('for each charge, in major units')),
    percentage: f.orNull(f.number(0, 100).describe('of the amount')),
  })
  .superRefine(({ fixed, percentage }, context) => {
    if (fixed === null && percentage === null) refuseTogether(context, 'must have fixed or percentage');
  });

const providerShape = (names: ProviderNames) =>
  f.object({
    name: Name.describe('1 to 64 ASCII characters. Required.'),
    providerId: ProviderId.describe('32 hexadecimal digits or a UUID, in quotes. Required.'),
    type: f
      .textWithin(TYPE_LENGTH_MAX)
      .describe('The `Type` in responses. Default: `dummy`.')
      .default('dummy'),
    currency: currencyField()
      .describe('The currency of charges without one. Default: `AUD`.')
      .default(DEFAULT_CURRENCY),
    country: f.orNull(Country).describe('A country code such as `AUS`.'),
    latency: f
      .orNull(Delay)
      .describe(
        'How long it takes to answer: like the `delay` of a rule, but on the world’s clock. A faster clock shortens it, a manual clock skips it.',
      ),
    outcomes: Outcomes.optional().describe(
      'The shares of the outcomes of charges, such as `{ approve: 9, insufficient_funds: 1 }`, drawn from the seed. By default all charges are approved.',
    ),
    fails: f
      .orNull(Fails)
      .describe(
        '`{ every: 3 }`: every third call of any operation is `provider_unavailable`, or another `outcome`, as in `{ every: 3, outcome: do_not_honor }`.',
      ),
    features: Features.default(ALL_FEATURES).describe(
      '`{ authorise: false }` refuses `Capture: false` (code 71), `{ partialCapture: false }` partial captures (78), `{ partialRefund: false }` partial refunds (32). Default: all `true`.',
    ),
    costs: f
      .oneOrMany(Cost)
      .optional()
      .describe(
        '`{ fixed: 0.3, percentage: 1.75 }`, or a list with a `scheme` such as `VISA` each. `POST /charge/card/least_cost` uses the cheapest provider.',
      ),
    fallback: f
      .orNull(providerField(names))
      .describe('The provider at which charges go on that this one cannot take.'),
    threeDs: f
      .orNull(providerField(names))
      .describe('The provider for 3-D Secure, as `/provider` and `/info` return it.'),
  });

const providerCodec = (names: ProviderNames) =>
  z.codec(providerShape(names), z.custom<ProviderAccount>(), {
    decode: ({
      latency,
      outcomes = {},
      fails,
      features,
      costs = [],
      fallback,
      threeDs,
      ...rest
    }): ProviderAccount => ({
      ...rest,
      environment: 'SANDBOX',
      authenticationParameters: {},
      additionalParameters: {},
      threeDsProviderId: threeDs,
      fallbackProviderId: fallback,
      costs: costs.map(({ fixed, ...cost }) => ({ ...cost, international: null, transaction: fixed })),
      behaviour: {
        latency,
        outcomes: Object.entries(outcomes).map(([outcome, weight]) => ({ outcome, weight })),
        fails,
        features,
      },
    }),
    encode: ({ name, providerId, type, currency: code, country, behaviour, costs, ...more }) => {
      const { outcomes, ...rest } = behaviour;
      const shares = outcomes.map(({ outcome, weight }) => [outcome, weight] as const);
      const given = costs.map(({ scheme, transaction, percentage }) => ({
        scheme,
        fixed: transaction,
        percentage,
      }));
      return {
        name,
        providerId,
        type,
        currency: code,
        country,
        ...rest,
        outcomes: shares.length === 0 ? undefined : Object.fromEntries(shares),
        costs: given.length === 0 ? undefined : given,
        fallback: more.fallbackProviderId,
        threeDs: more.threeDsProviderId,
      };
    },
  });

export const providersField = (names: ProviderNames) =>
  f
    .list(providerCodec(names), 'a list of providers', PROVIDERS_MAX)
    .superRefine((providers, context) => {
      for (const field of ['name', 'providerId'] as const)
        refuseDuplicates(providers, field, 'provider', context);
    })
    .default([]);
