import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import type { ConfiguredProvider, Cost } from './record.js';

/** What a provider is chosen for. */
export interface CostQuery {
  /** Such as VISA. */
  readonly scheme: string;
  /** A decimal text in major units. */
  readonly amount: string;
  /** Whether the charge is captured at once; not every provider can do the other. */
  readonly capture: boolean;
}

/** Costs are compared in millionths of a major unit, so that sums which are equal on paper are equal here. */
const COST_UNITS = 1_000_000;

/**
 * The configured provider that takes least for a charge; of equal ones the first, and the first built-in one where none
 * says what it takes. Currencies are not converted: each provider charges in that of the charge.
 */
export function cheapestProvider(world: World, query: CostQuery): string {
  let cheapest = { providerId: DEFAULT_PROVIDER_ID, cost: Infinity };
  for (const provider of world.providers.configured()) {
    const cost = costOf(provider, query);
    if (cost < cheapest.cost) cheapest = { providerId: provider.providerId, cost };
  }
  return cheapest.providerId;
}

/** What a provider takes, by the first row that fits the card; Infinity: no row does, or it cannot do the charge. */
function costOf({ costs, behaviour }: ConfiguredProvider, { scheme, amount, capture }: CostQuery): number {
  const row = costs.find((one) => fits(one, scheme));
  if (row === undefined || !(capture || behaviour.features.authorise)) return Infinity;
  const share = (Number(amount) * (row.percentage ?? 0)) / 100;
  return Math.round(((row.transaction ?? 0) + share) * COST_UNITS);
}

/** No card of the sandbox is an international one. */
function fits(cost: Cost, scheme: string): boolean {
  return cost.international !== true && (cost.scheme?.toUpperCase() ?? scheme) === scheme;
}
