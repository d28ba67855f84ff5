import type { Delivery, JournalEntry, Reconciliation } from '../client/answers.js';
import type { Order } from '../client/asked.js';
import type { World } from '../client/world.js';
import type { CallSite } from './report/code-line.js';
import {
  callPoints,
  type ChargeReferences,
  namesOnlyCharge,
  type FaultPoint,
  webhookPoints,
} from './points.js';
import type { TogetherRun } from './turns.js';

/** The state of a world after one run. */
export interface ObservedWorld {
  /** Names the world among those of a run. */
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** The number of the last call that the flow itself made. */
  readonly flowEnd: number;
  readonly calls: readonly FaultPoint[];
  /** The references of charges that calls name only by their identifiers. */
  readonly references: ChargeReferences;
  readonly deliveries: readonly Delivery[];
  readonly webhooks: readonly FaultPoint[];
  /** Null if the program did not return them. */
  readonly orders: readonly Order[] | null;
  readonly balance: Reconciliation;
  /** The comparison with the orders of `expect`; null without them. */
  readonly agreed: { readonly balance: Reconciliation; readonly hasRefunds: boolean } | null;
  /** How many records of each kind there are, such as `customers`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether a test that used the world failed. */
  readonly testFailed?: boolean;
  /** By the RequestId of a call, the party of `together` that made it. */
  readonly parties?: ReadonlyMap<string, string>;
  /** The rules and policies that matched. */
  readonly acted: ReadonlySet<string | null>;
}

export interface SweepRun {
  readonly worlds: readonly ObservedWorld[];
  /** The message of the exception that ended the flow or the recovery, or how a command failed; null if it went well. */
  readonly failure: string | null;
  /** Whether it did not end in time. */
  readonly isStuck: boolean;
  /** The turns at each `together`. */
  readonly togethers?: readonly TogetherRun[];
  /** Where the program made its calls, in order, if that is known. */
  readonly callSites?: readonly CallSite[];
}

/** How runs read references: random ones differ from run to run. */
export interface ReferenceReading {
  readonly hasReferences: boolean;
}

/** The end of a run: everything but the records of its world. */
export interface RunEnd extends Pick<ObservedWorld, 'orders' | 'flowEnd'> {
  /** The orders of `expect`, for the clean run; null without them. */
  readonly expected: readonly Order[] | null;
}

/** Reads the state of a world after a run. */
export async function observeWorld(
  world: World,
  name: string,
  { orders, flowEnd, expected }: RunEnd,
  { hasReferences }: ReferenceReading,
  earlier: ReadonlySet<string> = new Set(),
): Promise<ObservedWorld> {
  const entries = await world.journal.entries({ undone: false });
  const deliveries = (await world.deliveries.list()).filter(({ deliveryId }) => !earlier.has(deliveryId));
  const charges = entries.some(namesOnlyCharge) ? await world.charges() : [];
  const references = new Map(charges.map(({ ChargeId, Reference }) => [ChargeId, Reference]));
  return {
    name,
    entries,
    flowEnd,
    calls: callPoints(entries, { references, hasReferences, flowEnd, deliveries }),
    references,
    deliveries,
    webhooks: webhookPoints(deliveries, hasReferences),
    orders,
    balance: await world.reconcile(orders ?? []),
    agreed: expected && {
      balance: await world.reconcile(expected),
      hasRefunds: expected.some(({ refunded }) => refunded !== undefined),
    },
    counts: (await world.state()).counts,
    acted: new Set([...entries.map(({ rule }) => rule), ...deliveries.map(({ policy }) => policy)]),
  };
}
