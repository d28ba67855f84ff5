import {
  findPaymentType,
  normaliseProviderType,
  type PaymentType,
  WALLET_TYPES,
} from '../../core/cards/payment-type.js';
import { builtInOrSteady, DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import type { World } from '../../world/world.js';
import { type ProviderAccount, type ConfiguredProvider, DEFAULT_CURRENCY } from '../../records/provider.js';
import type {
  InfoProviderResponse,
  InfoProvidersResponse,
  InfoResponse,
  ProviderResponse,
} from './schema.js';

/** A configured or built-in provider, with all fields that client libraries know. */
export function presentProviderAccount(world: World, provider: ProviderAccount): ProviderResponse {
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
  const { name, type } = resolveAccount(world, providerId);
  return { Id: providerId, Name: name, Type: type, ApplyCurrencyConversion: false };
}

/** A provider that is not configured has the settings of the built-in provider that it behaves like. */
export function resolveAccount(world: World, providerId: string): ProviderAccount {
  const { name, type, features } = builtInOrSteady(providerId);
  return (
    world.providers.findByProviderId(providerId) ?? {
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

/** The data that a client reads before it charges: countries, time zones, currencies and providers. */

export async function presentInfo(): Promise<InfoResponse> {
  const { readTexts } = await import('../../core/texts.js');
  const { countries, currencies, timezones } = (await readTexts()).places;
  return {
    Countries: countries.map(({ name, twoLetterCode, threeLetterCode, numericCode }) => ({
      FriendlyName: name,
      Name: name,
      TwoLetterCode: twoLetterCode,
      ThreeLetterCode: threeLetterCode,
      NumericCode: numericCode,
    })),
    Currencies: currencies.map(({ code, number, name }) => ({
      Id: code,
      CurrencyCode: code,
      CurrencyNumber: number,
      Name: name,
      UseConversion: false,
    })),
    Timezones: [...timezones],
  };
}

/** The available ways to pay. The built-in providers accept cards in every world. */
export function presentInfoProviders(world: World, cardProviderId: string | null): InfoProvidersResponse {
  const live = [...world.providers.listConfigured()];
  const paidWith = (...types: readonly PaymentType[]): readonly ConfiguredProvider[] =>
    live.filter(({ type }) => types.includes(findPaymentType(type)));
  const [paypal, payTo, googlePay, applePay] = [
    paidWith('PAYPAL'),
    paidWith('PAYTO'),
    paidWith('GOOGLEPAY'),
    paidWith('APPLEPAY'),
  ];
  // Every other wallet is a check-out on the page of its provider.
  const bnpl = paidWith(...WALLET_TYPES.filter((type) => type !== 'PAYPAL'));
  const clickToPay = live.find(({ type }) => normaliseProviderType(type) === 'CLICKTOPAY');
  const threeDs = listThreeDsProviders(world, live);
  return {
    PaypalProviders: listProviderIds(paypal),
    HasCardProviders: true,
    HasPaypalProviders: paypal.length > 0,
    Required3dsProvider:
      cardProviderId === null ? null : resolveAccount(world, cardProviderId).threeDsProviderId,
    HasPayToProviders: payTo.length > 0,
    PayToProviders: listProviderIds(payTo),
    PayToProvidersWithOptions: payTo.map(({ providerId, name }) => ({
      ProviderId: providerId,
      // Client libraries expect a number. Every amount is accepted.
      MinimumAmount: 0,
      Description: name,
    })),
    HasBnplProviders: bnpl.length > 0,
    BnplProviders: bnpl.map(({ providerId, type }) => ({
      ProviderId: providerId,
      ProviderType: type,
      Options: {},
    })),
    HasVisaInstallmentsProviders: false,
    VisaInstallmentsProviders: [],
    HasFraudProviders: false,
    FraudProviders: [],
    HasThreeDsProviders: threeDs.length > 0,
    ThreeDsProviders: threeDs,
    AllThreeDsProviders: threeDs,
    HasGooglePayProviders: googlePay.length > 0,
    GooglePayProviders: googlePay.map((provider) => ({
      ProviderId: provider.providerId,
      ...presentGooglePay(provider),
    })),
    HasApplePayProviders: applePay.length > 0,
    ApplePayProviders: applePay.map(presentApplePay),
    ClickToPayEnabled: clickToPay !== undefined,
    ClickToPayOptions: clickToPay === undefined ? null : presentClickToPay(clickToPay),
    HasNetworkTokenProviders: false,
    NetworkTokenProviders: [],
  };
}

/** A setting of a provider, in any letter case, because client libraries change that of the names. */
function findParameter(
  { authenticationParameters, additionalParameters }: ProviderAccount,
  name: string,
): string | undefined {
  const given = [...Object.entries(additionalParameters), ...Object.entries(authenticationParameters)];
  return given.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** By default the values that Google Pay takes in its own test environment. */
function presentGooglePay(provider: ProviderAccount): NonNullable<InfoProviderResponse['GooglePay']> {
  return {
    Gateway: findParameter(provider, 'gateway') ?? 'example',
    GatewayMerchantId: findParameter(provider, 'gatewaymerchantid') ?? 'exampleGatewayMerchantId',
  };
}

export function presentApplePay(
  provider: ProviderAccount,
): InfoProvidersResponse['ApplePayProviders'][number] {
  const { providerId, type, name } = provider;
  return {
    ProviderId: providerId,
    ProviderType: type,
    ClientParameters: {},
    LineItemLabel: findParameter(provider, 'lineitemlabel') ?? name,
    MerchantIdentifier: findParameter(provider, 'merchantidentifier') ?? 'merchant.com.example',
    DomainName: findParameter(provider, 'domainname') ?? 'localhost',
    DisplayName: findParameter(provider, 'displayname') ?? name,
  };
}

function presentClickToPay(provider: ProviderAccount): InfoProvidersResponse['ClickToPayOptions'] {
  return {
    DpaId: findParameter(provider, 'dpaid') ?? provider.providerId,
    DpaName: findParameter(provider, 'dpaname') ?? provider.name,
  };
}

function listProviderIds(providers: readonly ConfiguredProvider[]): string[] {
  return providers.map(({ providerId }) => providerId);
}

/** The providers that others use for 3-D Secure, each once. */
function listThreeDsProviders(
  world: World,
  live: readonly ConfiguredProvider[],
): InfoProvidersResponse['ThreeDsProviders'] {
  const named = new Set(live.flatMap(({ threeDsProviderId: id }) => (id === null ? [] : [id])));
  return Array.from(named, (providerId) => {
    const { name, type } = resolveAccount(world, providerId);
    return { ProviderId: providerId, ProviderName: name, ProviderType: type };
  });
}

export function presentInfoProvider(world: World, provider: ProviderAccount): InfoProviderResponse {
  const { threeDsProviderId, type } = provider;
  return {
    ThreeDsProviderId: threeDsProviderId,
    ThreeDsProviderType: threeDsProviderId === null ? null : resolveAccount(world, threeDsProviderId).type,
    RequiredFields: {},
    ClientParameters: {},
    GooglePay: findPaymentType(type) === 'GOOGLEPAY' ? presentGooglePay(provider) : null,
  };
}

/** The first fallback of a configured provider, or else the first built-in provider. */
export function findDefaultFallback(world: World): ProviderAccount {
  for (const { fallbackProviderId: id } of world.providers.listConfigured()) {
    if (id !== null && (world.providers.findByProviderId(id)?.dateRemoved ?? null) === null)
      return resolveAccount(world, id);
  }
  return resolveAccount(world, DEFAULT_PROVIDER_ID);
}
