import type { Batch } from './batches/record.js';
import type { ClockMode } from './core/clock.js';
import type { QueuedJobs } from './core/jobs.js';
import type { Words } from './core/random.js';
import type { Rows } from './core/store.js';
import type { AllRows, AllGivenIds } from './records.js';
import type { ScriptData } from './scenarios/script.js';
import type { World, WorldSettings } from './world.js';

/** All that a world is at one instant, as data. Records are immutable, so the world and its snapshots share them. */
export interface Snapshot extends AllRows {
  readonly settings: WorldSettings;
  /** What identifiers and draws are made from. */
  readonly base: Words;
  /** Identifiers that are not made from it. */
  readonly givenIds: AllGivenIds;
  readonly counts: readonly (readonly [counter: string, count: number])[];
  readonly clock: { readonly instant: number; readonly mode: ClockMode; readonly rate: number };
  /** Calls in the current second, for the key that is limited. */
  readonly rate: { readonly second: number; readonly calls: number };
  readonly jobs: QueuedJobs;
  /** What the world was told to answer; null: nothing. */
  readonly script: ScriptData | null;
}

/** Takes down a world as it stands; the world goes on unharmed. */
export function takeSnapshot(world: World): Snapshot {
  const { mode, rate } = world.clock;
  const rows = world.rows();
  return {
    settings: world.settings,
    base: world.chance.base,
    givenIds: world.givenIds(),
    counts: world.chance.counts(),
    clock: { instant: world.now, mode, rate },
    rate: { ...world.rate },
    ...rows,
    batches: detached(rows.batches),
    jobs: world.jobs.snapshot(),
    script: world.script.snapshot(),
  };
}

/** The batches with results of their own: those of a batch under way are written in place. */
export function detached(batches: Rows<Batch>): Rows<Batch> {
  return batches.map((batch) => (batch && !hasEnded(batch) ? withOwnResults(batch) : batch));
}

function hasEnded({ status }: Batch): boolean {
  return status === 'SUCCESS' || status === 'FAILED';
}

function withOwnResults(batch: Batch): Batch {
  const { outcome, charge, failures } = batch.rows;
  const rows = {
    ...batch.rows,
    outcome: outcome.slice(),
    charge: charge.slice(),
    failures: [...failures],
  };
  return { ...batch, rows };
}
