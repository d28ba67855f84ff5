import * as z from 'zod';

import { currencyExponent } from '../core/money.js';
import {
  ALL_FEATURES,
  bareProviderId,
  type BroughtProvider,
  type Cost,
  DEFAULT_CURRENCY,
  type OutcomeShare,
  PROVIDER_NAME,
} from '../providers/record.js';
import { isProviderId, isReservedProviderId } from '../outcomes/built-in.js';
import { OUTCOMES } from '../outcomes/outcomes.js';
import * as m from './members.js';
import type { ValidationError } from '../core/validation-error.js';
import { refused } from './members.js';
import { BUILT_IN_NAMES, type ProviderNames } from './provider-names.js';
import { Delay, OutcomeName, refuseTogether } from './then.js';
import { providerMember } from './when.js';

/** The providers that a scenario brings along, as they are written in its file. */

/** How many there are at most: our own limit. */
export const PROVIDERS_MAX = 100;

const TYPE_LENGTH_MAX = 64;
const SCHEME_LENGTH_MAX = 32;
const WEIGHT_MAX = 1_000_000;
const EVERY_MAX = 1_000_000_000;
const COST_MAX = 1_000_000;

const NAME_TAKES = 'a name of 1 to 64 characters of ASCII without * and ?';

const Name = m.member({ type: 'string', maxLength: 64 }, (value): string | ValidationError => {
  const isName = typeof value === 'string' && PROVIDER_NAME.test(value) && value.trim() === value;
  if (!isName || /[*?]/.test(value) || isProviderId(value)) {
    return refused(value, `${NAME_TAKES}${m.quotesHint(value)}`);
  }
  return BUILT_IN_NAMES.has(value) ? refused(value, `${NAME_TAKES} that no built-in provider has`) : value;
});

const ID_TAKES = 'a ProviderId of 32 hex digits or a UUID, but not that of an unknown provider (…dead)';

const ProviderId = m.member({ type: 'string', description: ID_TAKES }, (value): string | ValidationError => {
  if (typeof value === 'string' && isProviderId(value) && !isReservedProviderId(value)) {
    return bareProviderId(value);
  }
  return refused(value, `${ID_TAKES}${m.quotesHint(value)}`);
});

const CURRENCY_TAKES = 'the currency of charges that name none, an ISO 4217 code such as AUD';

const Currency = m.member(
  { type: 'string', description: CURRENCY_TAKES },
  (value): string | ValidationError =>
    typeof value === 'string' && currencyExponent(value) !== undefined
      ? value
      : refused(value, CURRENCY_TAKES),
);

const COUNTRY_TAKES = 'the code of a country such as AUS';

const Country = m.member({ type: 'string', description: COUNTRY_TAKES }, (value): string | ValidationError =>
  typeof value === 'string' && /^[A-Z]{2,3}$/.test(value) ? value : refused(value, COUNTRY_TAKES),
);

const Outcomes = m
  .named(
    m.number(0, WEIGHT_MAX, 'its share among the others'),
    (name) => (OUTCOMES.has(name) ? null : `is no outcome${m.didYouMean(name, OUTCOMES.keys())}`),
    'outcomes and their shares such as {approve: 9, insufficient_funds: 1}',
  )
  .transform((shares, context): readonly OutcomeShare[] => {
    const listed = Object.entries(shares).map(([outcome, weight]) => ({ outcome, weight }));
    if (listed.some(({ weight }) => weight > 0)) return listed;
    return refuseTogether(context, 'has no outcome with a share above zero');
  });

const Fails = m
  .object({
    every: m.whole(1, EVERY_MAX, 'every so-manieth call of any operation'),
    outcome: OutcomeName.optional(),
  })
  .transform(({ every, outcome }) => ({ every, outcome: outcome ?? 'provider_unavailable' }));

const able = (what: string) => m.oneOf([true, false], what).optional();

const Features = m
  .object({
    authorise: able('false: Capture false is refused with code 71'),
    partialCapture: able('false: captures of less than the authorisation are refused with code 78'),
    partialRefund: able('false: refunds of less than the charge are refused with code 32'),
  })
  .transform((features) => ({
    authorise: features.authorise ?? ALL_FEATURES.authorise,
    partialCapture: features.partialCapture ?? ALL_FEATURES.partialCapture,
    partialRefund: features.partialRefund ?? ALL_FEATURES.partialRefund,
  }));

const CostMember = m
  .object({
    scheme: m.textUpTo(SCHEME_LENGTH_MAX, 'a card scheme such as VISA; left out: any').optional(),
    fixed: m.number(0, COST_MAX, 'for each charge, in major units').optional(),
    percentage: m.number(0, 100, 'of the amount').optional(),
  })
  .transform(({ scheme, fixed, percentage }, context): Cost => {
    if (fixed === undefined && percentage === undefined) {
      return refuseTogether(context, 'has neither fixed nor percentage');
    }
    return {
      international: null,
      scheme: scheme ?? null,
      transaction: fixed ?? null,
      percentage: percentage ?? null,
    };
  });

const providerOf = (names: ProviderNames) =>
  m
    .object({
      name: Name,
      providerId: ProviderId,
      type: m.textUpTo(TYPE_LENGTH_MAX, 'its Type in answers; dummy unless told otherwise').optional(),
      currency: Currency.optional(),
      country: Country.optional(),
      latency: Delay.optional(),
      outcomes: Outcomes.optional(),
      fails: Fails.optional(),
      features: Features.optional(),
      costs: m.oneOrMany(CostMember).optional(),
      fallback: providerMember(names).optional(),
      threeDs: providerMember(names).optional(),
    })
    .transform((given): BroughtProvider => ({
      providerId: given.providerId,
      name: given.name,
      type: given.type ?? 'dummy',
      environment: 'SANDBOX',
      currency: given.currency ?? DEFAULT_CURRENCY,
      authenticationParameters: {},
      additionalParameters: {},
      country: given.country ?? null,
      threeDsProviderId: given.threeDs ?? null,
      fallbackProviderId: given.fallback ?? null,
      costs: given.costs ?? [],
      behaviour: {
        latency: given.latency ?? null,
        outcomes: given.outcomes ?? [],
        fails: given.fails ?? null,
        features: given.features ?? ALL_FEATURES,
      },
    }));

/** No two providers share a name or an identifier. */
function requireDistinct(providers: readonly BroughtProvider[], context: z.RefinementCtx): void {
  for (const member of ['name', 'providerId'] as const) {
    const places = new Map<string, number>();
    for (const [index, { [member]: value }] of providers.entries()) {
      const earlier = places.get(value);
      const message = `is that of provider ${(earlier ?? 0) + 1} as well; each takes one of its own`;
      if (earlier !== undefined) {
        context.issues.push({ code: 'custom', message, input: value, path: [index, member] });
      }
      places.set(value, index);
    }
  }
}

/** The list of providers; they may name each other. */
export const providersMember = (names: ProviderNames) =>
  z
    .array(providerOf(names), { error: (issue) => refused(issue.input, 'a list of providers').message })
    .max(PROVIDERS_MAX, { error: `is a list of more than ${PROVIDERS_MAX}, which is the most` })
    .transform((providers, context) => {
      requireDistinct(providers, context);
      return providers;
    });
