import { sourceCodec } from '../../records/payment-method.js';
import { KINDS, type TableName, TABLES } from '../../world/tables.js';
import type { Snapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import { listChangedFields } from './changed-fields.js';
import type { DiffResponse } from './schema.js';
import { recordCodec, readableLinks, buildWriteLinks } from './state-links.js';

const LISTED_MAX = 100;

type ChangeKind = DiffResponse['Changes'][number]['Change'];

/** The changes of a world from a snapshot to a later one, or until now. The first ones are listed, by kind and number. */
export function diffSnapshot(
  world: World,
  snapshot: Snapshot,
  later: Snapshot | null,
): Pick<DiffResponse, 'Counts' | 'Changes'> {
  const Changes: DiffResponse['Changes'] = [];
  const rowsNow = later ?? world.rows();
  const linksBefore = buildWriteLinks(snapshot, sourceCodec.write);
  const linksNow = buildWriteLinks(
    later ?? { ...world.rows(), base: world.chance.base, givenIds: world.givenIds() },
    sourceCodec.write,
  );
  const compare = (table: TableName): DiffResponse['Counts'][string] => {
    const counts = { Added: 0, Changed: 0, Removed: 0 };
    // An imported record is a different object, so compare the contents. The rows of a batch follow from its progress.
    const [before, now] = [recordCodec(table, linksBefore), recordCodec(table, linksNow)];
    const differs = (older: object, newer: object): boolean =>
      JSON.stringify(before.write(older)) !== JSON.stringify(now.write(newer));
    const shown = recordCodec(table, readableLinks);
    const fields = (one: object | undefined, other: object | undefined) =>
      one === undefined || other === undefined
        ? NO_FIELDS
        : listChangedFields(
            { compared: before.write(one), shown: shown.write(one) },
            { compared: now.write(other), shown: shown.write(other) },
          );
    for (let n = 0; n < Math.max(snapshot[table].length, rowsNow[table].length); n++) {
      const [one, other] = [snapshot[table].at(n), rowsNow[table].at(n)];
      const change = findChange(one, other, differs);
      if (change === null) continue;
      counts[COUNTED_AS[change]]++;
      if (Changes.length === LISTED_MAX) continue;
      const id = world[table].at(n)?.id ?? world[table].idAt(n);
      Changes.push({ Kind: KINDS[table].kind, Id: id, Change: change, ...fields(one, other) });
    }
    return counts;
  };
  const Counts = Object.fromEntries(TABLES.map((table) => [KINDS[table].counted, compare(table)]));
  return { Counts, Changes };
}

const NO_FIELDS = { Fields: [], MoreFields: 0 };

const COUNTED_AS = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const;

function findChange(
  before: object | undefined,
  now: object | undefined,
  differs: (before: object, now: object) => boolean,
): ChangeKind | null {
  // Most records are the same object: they are immutable, and the world shares them with its snapshots.
  if (before === now) return null;
  if (before === undefined) return 'added';
  if (now === undefined) return 'removed';
  return differs(before, now) ? 'changed' : null;
}
