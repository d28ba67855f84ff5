import type { Charge } from '../charges/record.js';
import { recordsIn, whole } from '../core/search.js';
import type { World } from '../world.js';
import { type Settlement, SETTLEMENTS_MAX, SETTLES_AFTER_DAYS } from './record.js';

const DAY_MS = 86_400_000;

/** The requested days by their starts, both included; null: until now. */
export interface SettlementDays {
  readonly first: number;
  readonly last: number | null;
}

/** The settlements of some days up to now, latest first, and their total number. */
export function settlementsOf(
  world: World,
  { first, last }: SettlementDays,
): { readonly found: readonly Settlement[]; readonly count: number } {
  const end = Math.min(last ?? Infinity, world.now);
  const latest = new Latest();
  for (const charge of recordsIn(whole(world.charges))) {
    // Charges are in order of date, so no later one can have settled by then.
    if (settlementDate(charge.dateAdded) > end) break;
    for (const one of settlementsFor(charge)) if (one.date >= first && one.date <= end) latest.add(one);
  }
  return { found: latest.found(), count: latest.count };
}

/** Keeps only the settlements that are returned. */
class Latest {
  #kept: Settlement[] = [];
  count = 0;

  add(settlement: Settlement): void {
    this.count++;
    if (this.#kept.push(settlement) >= 2 * SETTLEMENTS_MAX) this.#kept = [...this.found()];
  }

  found(): readonly Settlement[] {
    this.#kept.sort(
      (a, b) => b.created - a.created || b.charge.index - a.charge.index || order(b) - order(a),
    );
    return this.#kept.slice(0, SETTLEMENTS_MAX);
  }
}

function settlementsFor(charge: Charge): Settlement[] {
  const { providerId, currency, amountMinor, successDate, more } = charge;
  if (successDate === null) return [];
  const settled = (refund: number | null, created: number, amount: number): Settlement => ({
    charge,
    refund,
    providerId,
    amountMinor: amount,
    currency,
    created,
    date: settlementDate(created),
  });
  return [
    settled(null, successDate, amountMinor),
    ...more.refunds.map((refund, i) => settled(i, refund.dateAdded, -refund.amountMinor)),
  ];
}

/** A charge comes before its refunds. */
function order({ refund }: Settlement): number {
  return refund ?? -1;
}

function settlementDate(instant: number): number {
  return (Math.floor(instant / DAY_MS) + SETTLES_AFTER_DAYS) * DAY_MS;
}
