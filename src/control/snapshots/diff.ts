import type { Batch } from '../../batches/record.js';
import type { Rows } from '../../core/store.js';
import { type TableName, TABLES } from '../../records.js';
import type { Snapshot } from '../../snapshot.js';
import type { World } from '../../world.js';
import { type Placed, placeWritten } from './state-places.js';
import { type PlainTable, recordShapes } from './state-records.js';
import { misfit, type Shape } from './state-shape.js';
import { source } from './state-sources.js';

/** How many changes are listed; the others are only counted. */
const LISTED_MAX = 100;

export type Change = 'added' | 'changed' | 'removed';

/** One record that the world and a snapshot do not have alike. */
export interface Difference {
  readonly table: TableName;
  readonly n: number;
  readonly change: Change;
}

/** How many records of a kind differ, by the way they do. */
export type ChangeCounts = Record<Change, number>;

export interface Diff {
  readonly counts: Readonly<Record<TableName, ChangeCounts>>;
  /** The first ones: by kind, then by number. */
  readonly listed: readonly Difference[];
}

/** What a world has now beyond a snapshot of it: the snapshot is the older side. */
export function diffSnapshot(world: World, snapshot: Snapshot): Diff {
  const listed: Difference[] = [];
  const compare = <R>(table: TableName, rows: Rows<R>, now: Listed<R>, differs: Differs<R>): ChangeCounts => {
    const counts: ChangeCounts = { added: 0, changed: 0, removed: 0 };
    for (let n = 0; n < Math.max(rows.length, now.next); n++) {
      const change = changeOf(rows.at(n), now.at(n), differs);
      if (change === null) continue;
      counts[change]++;
      if (listed.length < LISTED_MAX) listed.push({ table, n, change });
    }
    return counts;
  };
  const before = shapesOf(snapshot);
  const now = shapesOf({ ...world.rows(), base: world.chance.base, givenIds: world.givenIds() });
  const compared = TABLES.map((table) => {
    const differs =
      table === 'batches' ? (batchDiffers as Differs<unknown>) : written(before[table], now[table]);
    return [table, compare<unknown>(table, snapshot[table], world[table], differs)];
  });
  const counts = Object.fromEntries(compared) as Record<TableName, ChangeCounts>;
  return { counts, listed };
}

interface Listed<R> {
  readonly next: number;
  at(n: number): R | undefined;
}

type Differs<R> = (before: R, now: R) => boolean;

function changeOf<R>(before: R | undefined, now: R | undefined, differs: Differs<R>): Change | null {
  // Most records are the same object: they are immutable, and the world shares them with its snapshots.
  if (before === now) return null;
  if (before === undefined) return 'added';
  if (now === undefined) return 'removed';
  return differs(before, now) ? 'changed' : null;
}

/** How the records of each table stand in a document. */
function shapesOf(rows: Placed) {
  return recordShapes(wholeSource, placeWritten(rows)) as Readonly<Record<PlainTable, Shape<unknown>>>;
}

/** An imported record is another object: what it says counts. */
function written(before: Shape<unknown>, now: Shape<unknown>): Differs<unknown> {
  return (one, other) => JSON.stringify(before.write(one)) !== JSON.stringify(now.write(other));
}

const wholeSource: typeof source = { read: () => misfit('is only compared'), write: source.write };

/** How far a batch came says what its rows are; a fork may have other rows under the same number. */
function batchDiffers(before: Batch, now: Batch): boolean {
  const scalar = ({ status, done, success, dateAdded, description }: Batch): string =>
    JSON.stringify([status, done, success, dateAdded, description]);
  return scalar(before) !== scalar(now);
}
