import { sourceCodec } from '../../records/payment-method.js';
import { KINDS, type TableName, TABLES } from '../../world/tables.js';
import type { Snapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import type { DiffResponse } from './schema.js';
import { recordCodec, readableLinks, buildWriteLinks } from './state-links.js';
import { isObject } from '../../core/text/text.js';
import { formatInstant } from '../../core/time/time.js';
import { maskBody } from '../../journal/mask.js';
import { isDate } from '../../journal/mask-values.js';

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

/** How many fields of a record are listed, and how many characters of a value: our own limits. */
const FIELDS_MAX = 20;
const VALUE_LENGTH_MAX = 200;

type ChangedField = DiffResponse['Changes'][number]['Fields'][number];
type DiffValue = ChangedField['Before'];

/** A record twice: as it is compared, with positions of other records, and as it is shown, with their identifiers. */
export interface WrittenRecord {
  readonly compared: unknown;
  readonly shown: unknown;
}

/** The fields of a record that changed, such as `Status` or `Refunds.0.Amount`, with both values masked as in the journal. */
export function listChangedFields(
  before: WrittenRecord,
  now: WrittenRecord,
): Pick<DiffResponse['Changes'][number], 'Fields' | 'MoreFields'> {
  const found: ChangedField[] = [];
  collectChanges(maskWritten(before), maskWritten(now), [], found);
  return { Fields: found.slice(0, FIELDS_MAX), MoreFields: Math.max(0, found.length - FIELDS_MAX) };
}

function maskWritten({ compared, shown }: WrittenRecord): WrittenRecord {
  return { compared, shown: maskBody(shown) };
}

function collectChanges(
  before: WrittenRecord,
  now: WrittenRecord,
  path: readonly string[],
  found: ChangedField[],
): void {
  if (JSON.stringify(before.compared) === JSON.stringify(now.compared)) return;
  const names = listFieldNames(before.compared, now.compared);
  if (names === null) {
    const name = path.at(-1) ?? '';
    found.push({
      Field: path.join('.'),
      Before: presentValue(name, before.shown),
      Now: presentValue(name, now.shown),
    });
    return;
  }
  for (const name of names)
    collectChanges(stepIntoField(before, name), stepIntoField(now, name), [...path, name], found);
}

/** The names of the fields of two objects or lists, of which one may be missing; null for anything else. */
function listFieldNames(before: unknown, now: unknown): ReadonlySet<string> | null {
  const [one, other] = [before ?? {}, now ?? {}];
  const isInside = typeof one === 'object' && typeof other === 'object' && (before ?? now) !== undefined;
  if (!isInside || Array.isArray(before ?? now) !== Array.isArray(now ?? before)) return null;
  return new Set([...Object.keys(one), ...Object.keys(other)]);
}

/** A field of a record; below a masked value, every field is masked. */
function stepIntoField({ compared, shown }: WrittenRecord, name: string): WrittenRecord {
  const fieldOf = (value: unknown): unknown =>
    isObject(value) || Array.isArray(value) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  const isHidden = typeof shown === 'string';
  return { compared: fieldOf(compared), shown: isHidden ? shown : fieldOf(shown) };
}

function presentValue(name: string, shown: unknown): DiffValue {
  if (shown === undefined || shown === null) return null;
  if (typeof shown === 'boolean') return shown;
  if (typeof shown === 'number') return isDate(name, String(shown)) ? formatInstant(shown) : shown;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 1)}…`;
}
