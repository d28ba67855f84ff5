import type { Delivery, JournalEntry, Reconciliation } from '../client/answers.js';
import type { Order } from '../client/asked.js';
import type { Duration } from '../client/words.js';
import type { World } from '../client/world.js';
import type { Deadline } from '../core/time/sleep.js';
import type { CallSite } from './code-line.js';
import { callPoints, namesOnlyCharge, type FaultPoint, webhookPoints } from './points.js';
import type { SweepContext, SweepFlow, SweepOptions, SweptShop } from './public.js';
import { isOverWithFlow, trialScenario, type Trial } from './trial.js';

/** The state of a world after one run. */
export interface ObservedWorld {
  /** Names the world among those of a run. */
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** The number of the last call that the flow itself made. */
  readonly flowEnd: number;
  readonly calls: readonly FaultPoint[];
  readonly deliveries: readonly Delivery[];
  readonly webhooks: readonly FaultPoint[];
  /** Null if the program did not return them. */
  readonly orders: readonly Order[] | null;
  readonly balance: Reconciliation;
  /** Whether a test that used the world failed. */
  readonly testFailed?: boolean;
  /** The rules and policies that matched. */
  readonly acted: ReadonlySet<string | null>;
}

export interface SweepRun {
  readonly worlds: readonly ObservedWorld[];
  /** The message of the exception that ended the flow or the recovery, or how a command failed; null if it went well. */
  readonly failure: string | null;
  /** Whether it did not end in time. */
  readonly isStuck: boolean;
  /** Where the program made its calls, in order, if that is known. */
  readonly callSites?: readonly CallSite[];
}

/** A world that was opened for one run. */
export interface OpenedWorld {
  readonly context: Omit<SweepContext, 'given'>;
  /** Where the program made its calls so far; empty if that cannot be known. */
  readonly callSites: readonly CallSite[];
  /** Resolves when the run has made so many calls that it must be in an endless loop. */
  readonly exhausted: Promise<void>;
  /** Ends the run: its calls are no longer answered, and its webhooks no longer received. A run that is stuck may go on. */
  close(isStuck: boolean): void;
}

/** Where runs take place: in process, on a port, or on a server. */
export interface RunPlace {
  /** Whether clients really wait for late answers. */
  readonly isRemote: boolean;
  /** Opens an empty world, whose clock stands still, for the run of a trial. */
  open(trial: Trial): Promise<OpenedWorld>;
  /** Resolves after real milliseconds, unless it is cancelled before. */
  timer(ms: number): Deadline;
}

/** Signs the webhooks of all runs. */
export const WEBHOOK_SECRET = 'whsec_sweep';
/** The time after the flow in which webhooks are repeated, and by default the time after the recovery. */
const NEXT_HOUR = '1h';
export const NEXT_DAY = '1d';

/** How runs read references: random ones differ from run to run. */
export interface ReferenceReading {
  readonly hasReferences: boolean;
}

export interface RunSettings extends ReferenceReading {
  readonly timeoutMs: number;
  /** The time after the recovery. */
  readonly settle: Duration;
  readonly setup: SweepOptions['setup'];
  /** The orders of the clean run; null if the program does not say, or in the clean run itself. */
  readonly cleanOrders: readonly Order[] | null;
}

/** Runs the flow once, with faults or without, and reads the state of its world. */
export async function runFlow(
  flow: SweepFlow,
  trial: Trial,
  place: RunPlace,
  { hasReferences, timeoutMs, cleanOrders, settle, setup }: RunSettings,
): Promise<SweepRun> {
  const opened = await place.open(trial);
  const { world } = opened.context;
  const prepared = setup === undefined ? NOTHING_PREPARED : await prepareRun(setup, opened);
  const context: SweepContext = { ...opened.context, given: prepared.given };
  // An earlier run may have left its scenario.
  if (trial.length === 0) await world.scenario.clear();
  else await world.scenario.use(trialScenario(trial, place.isRemote && trial.length === 1));
  const timer = place.timer(timeoutMs);
  let isStuck = false;
  try {
    const played = playFlow(flow, context, trial, settle);
    const result = await Promise.race([
      played,
      Promise.race([timer.over, opened.exhausted]).then(() => null),
    ]);
    isStuck = result === null;
    // The later result of a run that is stuck is ignored.
    if (isStuck) played.catch(() => {});
    // If a flow throws, its buyer believes that nothing was paid.
    const unpaid = cleanOrders?.map((order) => ({ ...order, paid: false })) ?? null;
    const orders = result === null ? null : (result.orders ?? unpaid);
    const { flowEnd = 0, failure = null } = result ?? {};
    const observed = await observeWorld(
      world,
      '',
      { orders, flowEnd },
      { hasReferences },
      prepared.deliveries,
    );
    return { worlds: [observed], failure, isStuck, callSites: opened.callSites.slice(prepared.calls) };
  } finally {
    timer.end();
    opened.close(isStuck);
  }
}

/** The state before the flow, which is no part of the run. */
interface PreparedRun {
  readonly given: unknown;
  readonly calls: number;
  readonly deliveries: ReadonlySet<string>;
}

const NOTHING_PREPARED: PreparedRun = { given: undefined, calls: 0, deliveries: new Set() };

/** Runs the setup without faults, and forgets its calls and webhooks. */
async function prepareRun(
  setup: NonNullable<SweepOptions['setup']>,
  { context, callSites }: OpenedWorld,
): Promise<PreparedRun> {
  const { world } = context;
  await world.scenario.clear();
  const given = await setup(context);
  await world.settle();
  await world.journal.clear();
  const sent = await world.deliveries.list();
  return { given, calls: callSites.length, deliveries: new Set(sent.map(({ deliveryId }) => deliveryId)) };
}

interface FlowResult {
  /** The number of the last call of the flow. */
  readonly flowEnd: number;
  readonly orders: readonly Order[] | null;
  readonly failure: string | null;
}

async function playFlow(
  flow: SweepFlow,
  context: SweepContext,
  trial: Trial,
  settle: Duration,
): Promise<FlowResult> {
  const { world } = context;
  let failure: string | null = null;
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      failure ??= error instanceof Error ? error.message : String(error);
      return null;
    }
  };
  const shop: SweptShop = (await attempt(() => flow(context))) ?? {};
  // Only the clean run tells which calls are those of the flow.
  const flowEnd = trial.length === 0 ? await findLastCall(world) : 0;
  if (isOverWithFlow(trial)) await world.scenario.clear();
  await world.settle();
  await world.clock.advance(NEXT_HOUR);
  if (shop.recover !== undefined) {
    await attempt(shop.recover);
    await world.settle();
  }
  await world.clock.advance(settle);
  const orders = shop.orders === undefined ? null : await shop.orders();
  return { flowEnd, orders, failure };
}

/** Reads the state of a world after a run. */
export async function observeWorld(
  world: World,
  name: string,
  { orders, flowEnd }: Pick<ObservedWorld, 'orders' | 'flowEnd'>,
  { hasReferences }: ReferenceReading,
  earlier: ReadonlySet<string> = NOTHING_PREPARED.deliveries,
): Promise<ObservedWorld> {
  const entries = await world.journal.entries({ undone: false });
  const deliveries = (await world.deliveries.list()).filter(({ deliveryId }) => !earlier.has(deliveryId));
  const charges = entries.some(namesOnlyCharge) ? await world.charges() : [];
  const references = new Map(charges.map(({ ChargeId, Reference }) => [ChargeId, Reference]));
  return {
    name,
    entries,
    flowEnd,
    calls: callPoints(entries, hasReferences ? references : null, flowEnd),
    deliveries,
    webhooks: webhookPoints(deliveries, hasReferences),
    orders,
    balance: await world.reconcile(orders ?? []),
    acted: new Set([...entries.map(({ rule }) => rule), ...deliveries.map(({ policy }) => policy)]),
  };
}

async function findLastCall(world: World): Promise<number> {
  return (await world.journal.entries()).at(-1)?.entryId ?? 0;
}
