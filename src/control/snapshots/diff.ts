import { sourceCodec } from '../../payment-methods/record.js';
import { type TableName, TABLES } from '../../records.js';
import type { Snapshot } from '../../snapshot.js';
import type { World } from '../../world.js';
import { codecOf, linksWritten } from './state-links.js';

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
  const rowsNow = world.rows();
  const linksBefore = linksWritten(snapshot, sourceCodec.write);
  const linksNow = linksWritten(
    { ...rowsNow, base: world.chance.base, givenIds: world.givenIds() },
    sourceCodec.write,
  );
  const compare = (table: TableName): ChangeCounts => {
    const counts: ChangeCounts = { added: 0, changed: 0, removed: 0 };
    // An imported record is another object: what it says counts. How far a batch came says what its rows are.
    const [before, now] = [codecOf(table, linksBefore), codecOf(table, linksNow)];
    const differs = (one: object, other: object): boolean =>
      JSON.stringify(before.write(one)) !== JSON.stringify(now.write(other));
    for (let n = 0; n < Math.max(snapshot[table].length, rowsNow[table].length); n++) {
      const change = changeOf(snapshot[table].at(n), rowsNow[table].at(n), differs);
      if (change === null) continue;
      counts[change]++;
      if (listed.length < LISTED_MAX) listed.push({ table, n, change });
    }
    return counts;
  };
  const counts = Object.fromEntries(TABLES.map((table) => [table, compare(table)]));
  return { counts: counts as Record<TableName, ChangeCounts>, listed };
}

function changeOf(
  before: object | undefined,
  now: object | undefined,
  differs: (before: object, now: object) => boolean,
): Change | null {
  // Most records are the same object: they are immutable, and the world shares them with its snapshots.
  if (before === now) return null;
  if (before === undefined) return 'added';
  if (now === undefined) return 'removed';
  return differs(before, now) ? 'changed' : null;
}
