import { DAY_MS } from '../../core/time/time.js';
import type { Charge } from '../../records/charge.js';
import { listRecords, allRecords } from '../../core/store/search.js';
import type { World } from '../../world/world.js';
import { type Settlement, SETTLEMENTS_MAX, SETTLES_AFTER_DAYS } from '../../records/settlement.js';

/** The first and the last day to return, by the instants at which they begin. `last` is null for all days until now. */
export interface SettlementDays {
  readonly first: number;
  readonly last: number | null;
}

/** The settlements of some days up to now, latest first, and their total number. */
export function listSettlements(
  world: World,
  { first, last }: SettlementDays,
): { readonly found: readonly Settlement[]; readonly count: number } {
  const end = Math.min(last ?? Infinity, world.now);
  const latest = new LatestSettlements();
  for (const charge of listRecords(allRecords(world.charges))) {
    // Charges are in order of date, so no later one can have settled by then.
    if (settlementDate(charge.dateAdded) > end) break;
    for (const settlement of buildSettlements(world, charge))
      if (settlement.date >= first && settlement.date <= end) latest.add(settlement);
  }
  return { found: latest.found(), count: latest.count };
}

/** Keeps only the settlements that are returned. */
class LatestSettlements {
  #kept: Settlement[] = [];
  count = 0;

  add(settlement: Settlement): void {
    this.count++;
    if (this.#kept.push(settlement) >= 2 * SETTLEMENTS_MAX) this.#kept = [...this.found()];
  }

  found(): readonly Settlement[] {
    // Settlements of a charge at the same instant keep their order.
    this.#kept.sort((a, b) => b.created - a.created || b.charge.index - a.charge.index);
    return this.#kept.slice(0, SETTLEMENTS_MAX);
  }
}

/** The settlements of a charge, its refunds and its transfers, in the opposite order to that in which they were made. */
function buildSettlements(world: World, charge: Charge): Settlement[] {
  const { providerId, currency, amountMinor, successDate, more } = charge;
  if (successDate === null) return [];
  const settled = (part: string, created: number, amount: number): Settlement => ({
    charge,
    part,
    providerId,
    amountMinor: amount,
    currency,
    created,
    date: settlementDate(created),
  });
  const transfers = [...listRecords(world.transfers.by('charge', charge.id))];
  return [
    settled('charge', successDate, amountMinor),
    ...more.refunds.map((refund, i) => settled(String(i), refund.dateAdded, -refund.amountMinor)),
    ...transfers.map((transfer) => settled(transfer.id, transfer.dateAdded, -transfer.amountMinor)),
  ].toReversed();
}

function settlementDate(instant: number): number {
  return (Math.floor(instant / DAY_MS) + SETTLES_AFTER_DAYS) * DAY_MS;
}
