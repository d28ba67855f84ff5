import { findCardScheme } from '../../core/cards/card-scheme.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { bareProviderId, type ConfiguredProvider } from '../../records/provider.js';
import type { World } from '../../world/world.js';
import { computeCost } from './service.js';

/** A charge without a ProviderId. */
interface RoutedCharge {
  readonly card: { readonly pan: string };
  /** A decimal text in major units. */
  readonly amount: string;
  /** Whether the charge is captured at once. Not every provider can only authorise. */
  readonly capture: boolean;
}

/** The provider of a charge without a ProviderId. */
interface ChosenProvider {
  readonly providerId: string;
  /** How it was chosen, such as `routing:lowestCost`; null if none is configured for such charges. */
  readonly routedBy: string | null;
}

/** How many charges of a provider say something about it, as the service documents. */
export const SAMPLES_MIN = 50;
/** The share of the rate of approvals in a score, as the service documents. */
const DEFAULT_WEIGHT = 0.5;
/** How many charges of the world count, the latest: our own limit. */
export const SAMPLED_CHARGES_MAX = 1000;

/**
 * Chooses the provider as the scenario says, by default the one with the lowest fee. Without one, it is the first built-in provider.
 * Currencies are not converted: each provider uses that of the charge.
 */
export function chooseProvider(world: World, charge: RoutedCharge): ChosenProvider {
  const able = [...world.providers.listConfigured()].filter(
    ({ behaviour }) => charge.capture || behaviour.features.authorise,
  );
  const { mode = 'lowestCost', weight } = world.script.scenario?.routing ?? {};
  const chosen =
    mode === 'success'
      ? chooseBySuccess(world, able, charge, weight ?? DEFAULT_WEIGHT)
      : chooseByCost(able, charge, mode);
  return chosen ?? { providerId: DEFAULT_PROVIDER_ID, routedBy: null };
}

/** The cheapest, or without routing the first one. */
function chooseByCost(
  able: readonly ConfiguredProvider[],
  charge: RoutedCharge,
  mode: 'off' | 'lowestCost',
): ChosenProvider | null {
  const cost = (provider: ConfiguredProvider): number => (mode === 'off' ? 0 : computeFee(provider, charge));
  const best = findLowest(able, cost);
  return best && cost(best) < Infinity ? { providerId: best.providerId, routedBy: `routing:${mode}` } : null;
}

/** The best by its approvals and its fee. Those with too few charges are tried first, in an order that is drawn. */
function chooseBySuccess(
  world: World,
  able: readonly ConfiguredProvider[],
  charge: RoutedCharge,
  weight: number,
): ChosenProvider | null {
  const samples = countSamples(world);
  const countTried = ({ id }: ConfiguredProvider): number => samples.get(id)?.tried ?? 0;
  const untried = able.filter((provider) => countTried(provider) < SAMPLES_MIN);
  if (untried.length > 0) {
    const drawn = untried[Math.floor(world.chance.draw('routing') * untried.length)];
    return drawn ? { providerId: drawn.providerId, routedBy: 'routing:success, too few charges' } : null;
  }
  const lowest = Math.min(...able.map((provider) => computeFee(provider, charge)));
  const score = (provider: ConfiguredProvider): number => {
    const fee = computeFee(provider, charge);
    const rate = (samples.get(provider.id)?.approved ?? 0) / countTried(provider);
    return weight * rate + (1 - weight) * (fee === lowest ? 1 : lowest / fee);
  };
  const best = findLowest(able, (provider) => -score(provider));
  return (
    best && { providerId: best.providerId, routedBy: `routing:success, score ${score(best).toFixed(2)}` }
  );
}

/** The first of those with the lowest value. */
function findLowest<T>(all: readonly T[], value: (one: T) => number): T | null {
  return all.reduce<T | null>((best, one) => (best === null || value(one) < value(best) ? one : best), null);
}

function computeFee({ costs }: ConfiguredProvider, { card, amount }: RoutedCharge): number {
  return computeCost(costs, findCardScheme(card.pan), Number(amount));
}

interface Samples {
  readonly tried: number;
  readonly approved: number;
}

/** The latest charges by provider. One that went on elsewhere also counts as tried by those that did not take it. */
function countSamples({ charges }: World): ReadonlyMap<string, Samples> {
  const samples = new Map<string, Samples>();
  const note = (providerId: string, isApproved: boolean): void => {
    const id = bareProviderId(providerId);
    const { tried, approved } = samples.get(id) ?? { tried: 0, approved: 0 };
    samples.set(id, { tried: tried + 1, approved: approved + (isApproved ? 1 : 0) });
  };
  for (let i = Math.max(0, charges.next - SAMPLED_CHARGES_MAX); i < charges.next; i++) {
    const charge = charges.at(i);
    if (charge === undefined) continue;
    for (const { providerId } of charge.more.failedAttempts)
      if (providerId !== charge.providerId) note(providerId, false);
    note(charge.providerId, charge.status !== 'FAILED');
  }
  return samples;
}
