import type { Batch } from '../records/batch.js';
import type { ClockMode } from '../core/time/clock.js';
import type { QueuedJobs } from '../core/time/jobs.js';
import type { SeedWords } from '../core/ids/random.js';
import type { Rows } from '../core/store/store.js';
import type { BranchPoint } from '../journal/branch.js';
import type { AllGivenIds, AllRows } from './tables.js';
import type { ScriptData } from '../scenarios/script/script.js';
import type { WorldSettings } from './settings.js';
import type { World } from './world.js';
import type { Worlds } from './worlds.js';

/** The whole state of a world at an instant. Records are immutable, so the world and its snapshots share them. */
export interface Snapshot extends AllRows {
  readonly settings: WorldSettings;
  readonly base: SeedWords;
  readonly givenIds: AllGivenIds;
  readonly counts: readonly (readonly [counter: string, count: number])[];
  readonly clock: { readonly instant: number; readonly mode: ClockMode; readonly rate: number };
  /** The calls in the current second, for the key sk_test_limited. */
  readonly rate: { readonly second: number; readonly calls: number };
  readonly jobs: QueuedJobs;
  readonly script: ScriptData | null;
  /** Null if it does not come from the journal of its world. */
  readonly branch: BranchPoint | null;
}

export function takeSnapshot(world: World): Snapshot {
  const { mode, rate } = world.clock;
  const rows = world.rows();
  const { nextId: next, branch } = world.journal;
  return {
    settings: world.settings,
    base: world.chance.base,
    givenIds: world.givenIds(),
    counts: world.chance.counts(),
    clock: { instant: world.now, mode, rate },
    rate: { ...world.rate },
    ...rows,
    batches: detachBatches(rows.batches),
    jobs: world.jobs.snapshot(),
    script: world.script.snapshot(),
    branch: { next, undone: branch.undone },
  };
}

/** Copies the results of running batches, which change them in place. */
function detachBatches(batches: Rows<Batch>): Rows<Batch> {
  return batches.map((batch) => (batch && !isBatchFinished(batch) ? copyBatchResults(batch) : batch));
}

function isBatchFinished({ status }: Batch): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}

function copyBatchResults(batch: Batch): Batch {
  const { outcome, charge, failures } = batch.rows;
  const rows = {
    ...batch.rows,
    outcome: outcome.slice(),
    charge: charge.slice(),
    failures: [...failures],
  };
  return { ...batch, rows };
}

/**
 * Replaces the world of a key by a snapshot, which may come from another key. The clock goes back to the time of the snapshot.
 * Requests that wait in the replaced world are refused.
 */
export function restoreSnapshot(worlds: Worlds, key: string, snapshot: Snapshot): World {
  const world = worlds.build(key, snapshot.settings, snapshot.base);
  const steps = fillInSteps(world, snapshot);
  while (steps.next().done !== true);
  return replaceWorld(worlds, world, snapshot);
}

/** Like `restoreSnapshot`, but yields; the old world runs until then. Throws (503, code 37) if it was replaced meanwhile. */
export async function restoreInTurns(worlds: Worlds, old: World, snapshot: Snapshot): Promise<World> {
  const world = await rebuildWorld(worlds, old.key, snapshot);
  old.requireOpen();
  return replaceWorld(worlds, world, snapshot);
}

/** A new world with the records of a snapshot, which no call can find yet. */
export async function rebuildWorld(worlds: Worlds, key: string, snapshot: Snapshot): Promise<World> {
  const world = worlds.build(key, snapshot.settings, snapshot.base);
  const steps = fillInSteps(world, snapshot);
  while (steps.next().done !== true) await world.host.pause();
  return world;
}

function fillInSteps(world: World, snapshot: Snapshot): Generator<void, void> {
  world.giveIds(snapshot.givenIds);
  return world.loadInSteps({ ...snapshot, batches: detachBatches(snapshot.batches) });
}

function replaceWorld(worlds: Worlds, world: World, snapshot: Snapshot): World {
  restoreProgress(world, snapshot, worlds.find(world.key)?.clock.ahead);
  worlds.replace(world);
  world.journal.branch.returnTo(snapshot.branch, world.journal);
  // Jobs must run even if no request comes.
  world.armTimer();
  return world;
}

/** Sets the clock, the draws, the jobs and the script of a rebuilt world to those of its snapshot; `ahead` as in {@link Clock}. */
export function restoreProgress(world: World, snapshot: Snapshot, ahead = 0): void {
  const { instant, mode, rate } = snapshot.clock;
  world.chance.load(snapshot.counts);
  world.clock.restore(instant, { mode, rate }, ahead);
  world.now = instant;
  world.rate = { ...snapshot.rate };
  world.jobs.load(snapshot.jobs);
  if (snapshot.script !== null) world.script.restore(snapshot.script);
  world.webhooks.resume();
}
