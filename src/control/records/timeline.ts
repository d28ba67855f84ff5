import { formatInstant } from '../../core/time/time.js';
import type { Entry } from '../../journal/entry.js';
import { type Delivery, RETRY_AFTER_MS } from '../../webhooks/delivery.js';
import type { RecordTypes } from '../../world/tables.js';
import type { World } from '../../world/world.js';
import { maskPasswords } from '../../core/text/secrets.js';
import { type RecordChange, HISTORIES, SHOWN_MAX, type TimedTable } from './histories.js';
import type { TimelineItemResponse as TimelineItem } from './schema.js';

/**
 * The history of a record, oldest first. At one instant, each call is followed by the changes and webhooks that it caused, and each
 * webhook by its attempts.
 */
export function presentTimeline<T extends TimedTable>(
  world: World,
  table: T,
  record: RecordTypes[T],
): TimelineItem[] {
  const calls = listCallsAbout(world, record.id);
  const placed = [
    ...calls.map(presentCallItem).map(placeByEntry),
    ...placeChanges(HISTORIES[table](world, record), calls),
    ...listDeliveriesAbout(world, record.id).flatMap(presentDeliveryItems).map(placeByEntry),
  ];
  return placed
    .toSorted((a, b) => Date.parse(a.item.At) - Date.parse(b.item.At) || a.place - b.place)
    .map(({ item }) => item);
}

/** An item, and its place among those of the same instant. */
interface PlacedItem {
  readonly item: TimelineItem;
  readonly place: number;
}

/** Items that no call caused come last. */
const placeByEntry = (item: TimelineItem): PlacedItem => ({ item, place: item.EntryId ?? Infinity });

/** The calls of the journal that created or changed a record. Reads are left out. */
function listCallsAbout({ journal }: World, id: string): Entry[] {
  const quoted = [`"${id}"`.toLowerCase()];
  const about = [...journal.entries()].filter(
    (entry) =>
      !entry.isUndone &&
      entry.method !== 'GET' &&
      (entry.created === id || entry.path.includes(id) || entry.mayContain(quoted)),
  );
  return about.slice(-SHOWN_MAX);
}

/** Each change with the call that made it, if the journal has that call. Others keep their places among the changes. */
function placeChanges(changes: readonly RecordChange[], calls: readonly Entry[]): PlacedItem[] {
  const left = [...calls];
  const items = changes.map((change) => {
    const n = left.findIndex((call) => hasMadeChange(call, change));
    const [call] = n < 0 ? [] : left.splice(n, 1);
    return buildItem(change.at, change.kind, change.text, { EntryId: call?.id ?? null });
  });
  return items.map((item, n) => {
    if (item.EntryId !== null) return placeByEntry(item);
    const isLinked = ({ At, EntryId }: TimelineItem): boolean => At === item.At && EntryId !== null;
    const before = items.slice(0, n).findLast(isLinked)?.EntryId;
    const after = items.slice(n + 1).find(isLinked)?.EntryId;
    return { item, place: before ?? (after ?? Infinity) - 0.5 };
  });
}

/** A status of 0 is a lost answer, which says nothing of what was done. */
function hasMadeChange({ at, operation, status }: Entry, change: RecordChange): boolean {
  if (at !== change.at) return false;
  if (change.kind === 'failed') return status === 0 || status >= 400;
  return change.by !== null && operation?.endsWith(`.${change.by}`) === true;
}

function presentCallItem({ at, id, method, path, status, durationMs }: Entry): TimelineItem {
  const result = status === 0 ? 'no answer' : String(status);
  const more = { EntryId: id, Status: status, DurationMs: durationMs };
  return buildItem(at, 'call', `${method} ${path}: ${result}`, more);
}

/** The oldest first. */
function listDeliveriesAbout({ deliveries }: World, id: string): Delivery[] {
  const found: Delivery[] = [];
  for (const delivery of deliveries.newestFirst()) {
    if (delivery.ref === id && found.push(delivery) === SHOWN_MAX) break;
  }
  return found.toReversed();
}

/** A webhook, each of its attempts, and the next one. */
function presentDeliveryItems({
  id,
  entry,
  url,
  dateAdded,
  eventType,
  status,
  tried,
  due,
}: Delivery): TimelineItem[] {
  const links = { EntryId: entry, DeliveryId: id };
  const attempts = tried.map(({ at, responseStatus, durationMs, note }, n) => {
    const result = responseStatus === null ? (note ?? 'no answer') : String(responseStatus);
    const more = { ...links, Status: responseStatus ?? 0, DurationMs: durationMs };
    return buildItem(at, 'attempt', `Attempt ${n + 1}: ${result}`, more);
  });
  const next = `Attempt ${tried.length + 1} of ${RETRY_AFTER_MS.length + 1}`;
  return [
    buildItem(
      dateAdded,
      'webhook',
      `${eventType} to ${new URL(maskPasswords(url)).pathname}: ${status}`,
      links,
    ),
    ...attempts,
    ...(due === null ? [] : [buildItem(due, 'due', next, links)]),
  ];
}

function buildItem(
  at: number,
  What: TimelineItem['What'],
  Text: string,
  more: Partial<TimelineItem>,
): TimelineItem {
  return {
    At: formatInstant(at),
    What,
    Text,
    Status: null,
    DurationMs: null,
    EntryId: null,
    DeliveryId: null,
    ...more,
  };
}
