import { builtInFor } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import { type BroughtProvider, DEFAULT_CURRENCY } from './record.js';
import type { ProviderResponse } from './schema.js';

/** The answer for a provider, also for a built-in one, with all members that client libraries know. */
export function presentAccount(world: World, provider: BroughtProvider): ProviderResponse {
  return {
    ProviderId: provider.providerId,
    Type: provider.type,
    Name: provider.name,
    Environment: provider.environment,
    AuthenticationParameters: provider.authenticationParameters,
    AdditionalParameters: provider.additionalParameters,
    ProviderCountry: provider.country,
    CostData: provider.costs.map((cost) => ({
      IsInternationalCard: cost.international,
      CardScheme: cost.scheme,
      TransactionCost: cost.transaction,
      TransactionPercentage: cost.percentage,
    })),
    HideConfiguration: [],
    RequireConfiguration: [],
    FallbackProviderId: provider.fallbackProviderId,
    FallbackProvider: presentFallback(world, provider.fallbackProviderId),
    Currency: provider.currency,
    MaxCapability: null,
    HasPartialRefund: provider.behaviour.features.partialRefund,
    ThreeDsProviderId: provider.threeDsProviderId,
    HasThreeDsCapability: provider.threeDsProviderId !== null,
  };
}

function presentFallback(world: World, providerId: string | null): ProviderResponse['FallbackProvider'] {
  if (providerId === null) return null;
  const { name, type } = settingsOf(world, providerId);
  return { Id: providerId, Name: name, Type: type, ApplyCurrencyConversion: false };
}

/** The provider of a well-formed id as it is configured; one that nobody configured is as the built-in one it behaves like. */
export function settingsOf(world: World, providerId: string): BroughtProvider {
  const { name, type, features } = builtInFor(providerId);
  return (
    world.providers.named(providerId) ?? {
      providerId,
      type,
      name,
      environment: 'SANDBOX',
      currency: DEFAULT_CURRENCY,
      authenticationParameters: {},
      additionalParameters: {},
      country: null,
      threeDsProviderId: null,
      fallbackProviderId: null,
      costs: [],
      behaviour: { latency: null, outcomes: [], fails: null, features },
    }
  );
}
