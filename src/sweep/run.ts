import type { Order } from '../client/asked.js';
import type { Duration } from '../client/words.js';
import type { World } from '../client/world.js';
import { describeType } from '../core/text/text.js';
import type { Deadline } from '../core/time/sleep.js';
import type { CallSite } from './report/code-line.js';
import type { SweepContext, SweepFlow, SweepOptions, SweptShop } from './public.js';
import { RULE_PREFIX } from './points.js';
import { isOverWithFlow, trialScenario, type Trial } from './trial.js';
import { type SweepRun, type ReferenceReading, observeWorld } from './observed.js';

/** A program in one run. */
export interface RunningProgram {
  /** The argument of the flow. After a restart it is another one. */
  readonly context: Omit<SweepContext, 'given'>;
  /** Whether the program has crashed, and was not started again. */
  readonly isDown: boolean;
  /** Has the program do something. Resolves with null if it crashes meanwhile: then nothing else happens to it. */
  live<T>(work: () => Promise<T>): Promise<T | null>;
  /** Begins another life of the program, in the same world and with the same disk. */
  restart(): Promise<void>;
}

/** A world that was opened for one run. */
export interface OpenedWorld {
  /** The handle for the sweep. That of the program is of no use after a crash. */
  readonly world: World;
  readonly program: RunningProgram;
  /** Where the program made its calls so far; empty if that cannot be known. */
  readonly callSites: readonly CallSite[];
  /** Resolves when the run can end no more: it made so many calls that it must be in an endless loop, or waits only for one that hangs. */
  readonly exhausted: Promise<void>;
  /** Lets a call arrive that is still in flight when the flow has ended. */
  arrive(): Promise<void>;
  /** The turns at each `together`, and the party that made each call. */
  readonly parties: Required<Pick<SweepRun, 'togethers'>> & {
    readonly byRequestId: ReadonlyMap<string, string>;
  };
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
export const NEXT_HOUR = '1h';
export const NEXT_DAY = '1d';

export interface RunSettings extends ReferenceReading {
  readonly timeoutMs: number;
  /** The time after the recovery. */
  readonly settle: Duration;
  readonly setup: SweepOptions['setup'];
  /** The orders of the clean run; null if the program does not say, or in the clean run itself. */
  readonly cleanOrders: readonly Order[] | null;
  /** The orders of `expect`, for the clean run; null without them. */
  readonly expected: readonly Order[] | null;
}

/** Runs the flow once, with faults or without, and reads the state of its world. */
export async function runFlow(
  flow: SweepFlow,
  trial: Trial,
  place: RunPlace,
  { hasReferences, timeoutMs, cleanOrders, expected, settle, setup }: RunSettings,
): Promise<SweepRun> {
  const opened = await place.open(trial);
  const { world } = opened;
  const prepared = setup === undefined ? NOTHING_PREPARED : await prepareRun(setup, opened);
  const scenarioPlace = place.isRemote && trial.length === 1 ? 'over HTTP' : 'in process';
  // An earlier run may have left its scenario.
  if (trial.length === 0) await world.scenario.clear();
  else await world.scenario.use(trialScenario(trial, scenarioPlace));
  const timer = place.timer(timeoutMs);
  let isStuck = false;
  try {
    const played = playFlow(
      (context) => flow(Object.assign(context, { given: prepared.given })),
      opened,
      trial,
      settle,
    );
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
    const at = { orders, flowEnd, expected };
    const observed = await observeWorld(world, '', at, { hasReferences }, prepared.deliveries);
    const { togethers, byRequestId: parties } = opened.parties;
    const callSites = opened.callSites.slice(prepared.calls);
    return { worlds: [{ ...observed, parties }], failure, isStuck, togethers, callSites };
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
  { world, program, callSites }: OpenedWorld,
): Promise<PreparedRun> {
  await world.scenario.clear();
  const given = await setup(program.context);
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

/** Checks what a flow returned, since many are written in JavaScript. */
function requireShop(returned: SweptShop | void): SweptShop {
  const shop = returned ?? {};
  for (const name of ['orders', 'recover'] as const)
    if (!['function', 'undefined'].includes(typeof shop[name]))
      throw new TypeError(`the flow must return ${name} as a function, not ${describeType(shop[name])}`);
  return shop;
}

async function playFlow(
  flow: (context: RunningProgram['context']) => ReturnType<SweepFlow>,
  opened: OpenedWorld,
  trial: Trial,
  settle: Duration,
): Promise<FlowResult> {
  const { world, program } = opened;
  let failure: string | null = null;
  let shop: SweptShop = {};
  let flowEnd = 0;
  let orders: readonly Order[] | null = null;
  const attempt = <T>(work: () => T | Promise<T>): Promise<T | null> =>
    program.live(async () => {
      try {
        return await work();
      } catch (error) {
        failure ??= error instanceof Error ? error.message : String(error);
        return null;
      }
    });
  await playSteps(program, [
    async () => void (shop = (await attempt(async () => requireShop(await flow(program.context)))) ?? {}),
    async () => {
      // Only the clean run tells which calls are those of the flow.
      if (trial.length === 0) flowEnd = await findLastCall(world);
      if (isOverWithFlow(trial)) await world.scenario.clear();
      await opened.arrive();
      await world.settle();
    },
    () => world.clock.advance(NEXT_HOUR),
    async () => {
      const { recover } = shop;
      if (recover === undefined) return;
      const hits = await countHits(world);
      await attempt(recover);
      await world.settle();
      if (program.isDown || (await countHits(world)) <= hits) return;
      // The fault hit the job itself, which comes again.
      await world.clock.advance(NEXT_HOUR);
      await attempt(recover);
      await world.settle();
    },
    () => world.clock.advance(settle),
    async () => void (orders = await program.live(async () => (await shop.orders?.()) ?? null)),
  ]);
  return { flowEnd, orders, failure };
}

/** After a crash in any step, the program is started again, and has the same time as before. */
async function playSteps(program: RunningProgram, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step();
    if (!program.isDown) continue;
    await program.restart();
    return playSteps(program, steps);
  }
}

async function findLastCall(world: World): Promise<number> {
  return (await world.journal.entries()).at(-1)?.entryId ?? 0;
}

/** How many calls had a fault so far. */
export async function countHits(world: World): Promise<number> {
  const entries = await world.journal.entries();
  return entries.filter(({ rule }) => rule?.startsWith(RULE_PREFIX)).length;
}
