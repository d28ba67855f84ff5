import { shortenId } from '../../core/cards/card.js';
import { findCardScheme } from '../../core/cards/card-scheme.js';
import { DELAY_MS_MAX, type DelaySpec } from '../../core/time/delay.js';
import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { dropNulls } from '../../core/given.js';
import { builtInOrSteady, findBuiltIn, DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import type { Override } from '../../outcomes/header.js';
import type { ProviderOperation } from '../../outcomes/magic.js';
import { decideAnswer, type ProviderAnswer } from '../../outcomes/provider.js';
import { findCard, type Source } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import {
  ALL_FEATURES,
  bareProviderId,
  type ConfiguredProvider,
  type ProviderCost,
  type ProviderFeatures,
  type ProviderSettings,
} from '../../records/provider.js';

/** Returns the configured provider of a new call, or null for one without a configuration. Removed or unknown: 400 with code 39. */
export function openProvider(world: World, providerId: string): ConfiguredProvider | null {
  const provider = world.providers.findByProviderId(providerId);
  if (provider !== null && provider.dateRemoved !== null) {
    const detail = `The provider ${providerId} was removed. Configure another one.`;
    refuseField(CODE.InvalidProviderId, 'ProviderId', 'was removed', detail);
  }
  if (provider === null && isUnknownProvider(world, providerId)) {
    const detail = `The provider ${providerId} is neither built in nor configured. Configure it with POST /provider or in a scenario.`;
    refuseField(CODE.InvalidProviderId, 'ProviderId', 'is unknown', detail);
  }
  return provider;
}

/** Whether a well-formed id without a configuration is refused. */
function isUnknownProvider({ script, settings }: World, providerId: string): boolean {
  const isStrict =
    settings.own.knownProvidersOnly ?? script.scenario?.knownProvidersOnly ?? settings.knownProvidersOnly;
  return isStrict && findBuiltIn(providerId) === undefined;
}

export function featuresOf(provider: ConfiguredProvider | null, providerId: string): ProviderFeatures {
  return provider?.behaviour.features ?? builtInOrSteady(providerId).features;
}

/** Asks a provider to keep a source for later charges, or to make a token of it. */
export function askStorage(
  world: World,
  operation: Extract<ProviderOperation, 'card.store' | 'card.tokenise'>,
  providerId: string,
  source: Source,
  override: Override | null,
): ProviderAnswer {
  const configured = openProvider(world, providerId);
  const { trigger } = source;
  const call = { operation, providerId, configured, amountMinor: null, currency: null, trigger, override };
  return decideAnswer(call, world.chance);
}

type ProviderParameters = Readonly<Record<string, string>>;

type RequestSettings = Omit<ProviderSettings, 'behaviour'>;
/** The settings in a request. Null if the request leaves one out. */
type MaybeSettings<S> = { readonly [K in keyof S]: S[K] | null };
type RequiredSetting = 'type' | 'name' | 'environment' | 'currency';

/** Only this type has a latency, which these parameters configure. */
const TYPE_WITH_LATENCY = 'dummy';
const MIN = 'MinMilliseconds';
const MAX = 'MaxMilliseconds';

export function createProvider(
  world: World,
  command: Pick<RequestSettings, RequiredSetting> & MaybeSettings<Omit<RequestSettings, RequiredSetting>>,
): ConfiguredProvider {
  const authenticationParameters = command.authenticationParameters ?? {};
  const latency = readLatency(command.type, authenticationParameters);
  requireFallback(world, command.fallbackProviderId, null);
  world.requireRoom(world.providers, 'providers');
  const id = world.providers.nextId;
  const provider: ConfiguredProvider = {
    ...command,
    id,
    index: world.providers.next,
    providerId: id,
    authenticationParameters,
    additionalParameters: command.additionalParameters ?? {},
    costs: command.costs ?? [],
    behaviour: { latency, outcomes: [], fails: null, features: ALL_FEATURES },
    dateAdded: world.now,
    dateRemoved: null,
    scripted: false,
  };
  world.providers.add(provider);
  return provider;
}

/** Changes the fields that are not null. Behaviour that a scenario configured is kept. */
export function updateProvider(
  world: World,
  id: string,
  command: MaybeSettings<RequestSettings>,
): ConfiguredProvider {
  const found = requireProvider(world, id);
  const changed: ConfiguredProvider = { ...found, ...dropNulls(command) };
  const givenLatency = readLatency(changed.type, changed.authenticationParameters);
  const latency = givenLatency ?? (found.scripted ? found.behaviour.latency : null);
  requireFallback(world, command.fallbackProviderId, found);
  const after = { ...changed, behaviour: { ...found.behaviour, latency } };
  world.providers.replace(after);
  return after;
}

/** Removes a provider. Its charges stay, but it accepts no new ones. */
export function removeProvider(world: World, id: string): ConfiguredProvider {
  const found = requireProvider(world, id);
  world.providers.replace({ ...found, dateRemoved: world.now });
  return found;
}

/** Returns a configured provider. Unknown or removed: 404 with code 65. */
export function requireProvider(world: World, id: string): ConfiguredProvider {
  const found = world.providers.findByProviderId(id);
  if (found !== null && found.dateRemoved === null) return found;
  if (found !== null) return refuse(CODE.NoProviderFound, `The provider ${shortenId(id)} was removed.`);
  const builtIn = findBuiltIn(id);
  if (builtIn === undefined)
    return refuseUnknownId(CODE.NoProviderFound, id, 'configured provider', 'ProviderId');
  const detail = `The provider ${builtIn.name} is built in and cannot be changed. Configure one with POST /provider.`;
  return refuse(CODE.NoProviderFound, detail);
}

/** A fallback must be another provider that was not removed. Otherwise 400 with code 117. */
function requireFallback(world: World, fallback: string | null, own: ConfiguredProvider | null): void {
  const reason = fallback === null ? null : whyNoFallback(world, fallback, own);
  if (reason !== null) refuseField(CODE.InvalidFallbackProviderId, 'FallbackProviderId', reason);
}

function whyNoFallback(world: World, fallback: string, own: ConfiguredProvider | null): string | null {
  if (own !== null && bareProviderId(fallback) === own.providerId) return 'must be another provider';
  const named = world.providers.findByProviderId(fallback);
  if (named === null) return isUnknownProvider(world, fallback) ? 'is an unknown provider' : null;
  return named.dateRemoved === null ? null : 'is a provider that was removed';
}

/** The latency in the parameters of a dummy provider; null: none. */
function readLatency(type: string, parameters: ProviderParameters): DelaySpec | null {
  if (type.toLowerCase() !== TYPE_WITH_LATENCY) return null;
  const [min, max] = [readMilliseconds(parameters, MIN), readMilliseconds(parameters, MAX)];
  if (min === null && max === null) return null;
  const [minMs, maxMs] = [min ?? 0, max ?? min ?? 0];
  if (minMs > maxMs) refuseParameter(MIN, `must be at most ${maxMs}, the value of ${MAX}, not ${minMs}`);
  return { kind: 'uniform', minMs, maxMs };
}

function readMilliseconds(parameters: ProviderParameters, name: string): number | null {
  const [, value] =
    Object.entries(parameters).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (value === undefined) return null;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) : Infinity;
  if (ms <= DELAY_MS_MAX) return ms;
  return refuseParameter(name, `must be a whole number from 0 to ${DELAY_MS_MAX} such as "250"`);
}

function refuseParameter(name: string, reason: string): never {
  return refuseField(CODE.ValidationError, `AuthenticationParameters.${name}`, reason);
}

interface CostQuery {
  readonly card: { readonly pan: string };
  /** A decimal text in major units. */
  readonly amount: string;
  /** Whether the charge is captured at once. Not every provider can only authorise. */
  readonly capture: boolean;
}

/** Costs are compared in millionths of a major unit, so that equal sums compare as equal. */
const COST_UNITS = 1_000_000;

/**
 * Returns the configured provider with the lowest fee for a charge, the first of several with the same fee. If no fee is
 * configured, it is the first built-in provider. Currencies are not converted: each provider uses that of the charge.
 */
export function findCheapestProvider(world: World, query: CostQuery): string {
  let cheapest = { providerId: DEFAULT_PROVIDER_ID, cost: Infinity };
  const scheme = findCardScheme(query.card.pan);
  for (const { providerId, costs, behaviour } of world.providers.listConfigured()) {
    if (!query.capture && !behaviour.features.authorise) continue;
    const cost = computeCost(costs, scheme, Number(query.amount));
    if (cost < cheapest.cost) cheapest = { providerId, cost };
  }
  return cheapest.providerId;
}

/** The maximum number of decimals of an estimated cost: our choice. */
const ESTIMATE_DECIMALS = 4;

/** The provider's fee for a charge by its present costs, in major units. Null if no configured cost applies. */
export function estimateCost(
  world: World,
  providerId: string,
  source: Source,
  amount: number,
): number | null {
  const costs = world.providers.findByProviderId(providerId)?.costs ?? [];
  if (costs.length === 0) return null;
  const cost = computeCost(costs, findCard(source)?.scheme ?? '', amount) / COST_UNITS;
  return Number.isFinite(cost) ? Number(cost.toFixed(ESTIMATE_DECIMALS)) : null;
}

/** The cost of an amount, in millionths of a major unit, by the first row for the card; Infinity if there is none. */
function computeCost(costs: readonly ProviderCost[], scheme: string, amount: number): number {
  const row = costs.find((cost) => costApplies(cost, scheme));
  if (row === undefined) return Infinity;
  const share = (amount * (row.percentage ?? 0)) / 100;
  return Math.round(((row.transaction ?? 0) + share) * COST_UNITS);
}

/** No card of the sandbox is an international one. */
function costApplies(cost: ProviderCost, scheme: string): boolean {
  return cost.international !== true && (cost.scheme?.toUpperCase() ?? scheme) === scheme;
}
