import type { Batch } from './batches/model.js';
import type { Charge } from './charges/model.js';
import type { ClockMode } from './core/clock.js';
import type { QueuedJobs } from './core/jobs.js';
import type { Words } from './core/random.js';
import { Vector } from './core/vector.js';
import type { Customer } from './customers/model.js';
import type { PaymentMethod } from './payment-methods/model.js';
import type { ScriptData } from './scenarios/script.js';
import type { Token } from './tokens/model.js';
import type { VaultEntry } from './vault/model.js';
import type { World, WorldSettings } from './world.js';
import type { Worlds } from './worlds.js';

/** The records of a kind by their numbers; a removed one is undefined. */
export type Rows<R> = Vector<R | undefined>;

/** All that a world is at one instant, as data. Records are immutable, so the world and its snapshots share them. */
export interface Snapshot {
  readonly settings: WorldSettings;
  /** What identifiers and draws are made from. */
  readonly base: Words;
  readonly counts: readonly (readonly [counter: string, count: number])[];
  readonly clock: { readonly instant: number; readonly mode: ClockMode; readonly rate: number };
  /** Calls in the current second, for the key that is limited. */
  readonly rate: { readonly second: number; readonly calls: number };
  readonly charges: Rows<Charge>;
  readonly customers: Rows<Customer>;
  readonly paymentMethods: Rows<PaymentMethod>;
  readonly vault: Rows<VaultEntry>;
  readonly tokens: Rows<Token>;
  readonly batches: Rows<Batch>;
  readonly jobs: QueuedJobs;
  /** What the world was told to answer; null: nothing. */
  readonly script: ScriptData | null;
}

/** The kinds of records, as a snapshot and a world name their tables. */
export const TABLES = ['charges', 'customers', 'paymentMethods', 'vault', 'tokens', 'batches'] as const;
export type TableName = (typeof TABLES)[number];

/** Takes down a world as it stands; the world goes on unharmed. */
export function takeSnapshot(world: World): Snapshot {
  const { mode, rate } = world.clock;
  return {
    settings: world.settings,
    base: world.chance.base,
    counts: world.chance.counts(),
    clock: { instant: world.now, mode, rate },
    rate: { ...world.rate },
    charges: world.charges.rows(),
    customers: world.customers.rows(),
    paymentMethods: world.paymentMethods.rows(),
    vault: world.vault.rows(),
    tokens: world.tokens.rows(),
    batches: detached(world.batches.rows()),
    jobs: world.jobs.snapshot(),
    script: world.script.snapshot(),
  };
}

/**
 * Puts a world as it was taken down into the place of the world of a key, which need not be the key that it was
 * taken from. The clock goes back; requests that wait in the replaced world are refused.
 */
export function restoreSnapshot(worlds: Worlds, key: string, snapshot: Snapshot): World {
  const { instant, mode, rate } = snapshot.clock;
  const world = worlds.build(key, snapshot.settings, snapshot.base);
  world.chance.load(snapshot.counts);
  world.clock.restore(instant, { mode, rate });
  world.now = instant;
  world.rate = { ...snapshot.rate };
  world.charges.load(snapshot.charges);
  world.customers.load(snapshot.customers);
  world.paymentMethods.load(snapshot.paymentMethods);
  world.vault.load(snapshot.vault);
  world.tokens.load(snapshot.tokens);
  world.batches.load(detached(snapshot.batches));
  world.jobs.load(snapshot.jobs);
  if (snapshot.script !== null) world.script.restore(snapshot.script);
  worlds.replace(world);
  // Nobody may ask for a while, and jobs are due all the same.
  world.armTimer();
  return world;
}

/** The batches with results of their own: those of a batch under way are written in place. */
function detached(batches: Rows<Batch>): Rows<Batch> {
  const copies: Rows<Batch> = new Vector();
  for (let n = 0; n < batches.length; n++) {
    const batch = batches.at(n);
    copies.push(batch && !hasEnded(batch) ? withOwnResults(batch) : batch);
  }
  return copies;
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
