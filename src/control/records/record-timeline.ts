import { formatInstant } from '../../core/time.js';
import type { Entry } from '../../journal/model.js';
import type { RecordTypes } from '../../records.js';
import type { Delivery } from '../../webhooks/record.js';
import type { World } from '../../world.js';
import type { TimelineItemResponse } from './schema.js';
import { HISTORIES, type TimedTable, type TimelineItem } from './timeline.js';

/** Of so many calls, and of so many deliveries, a timeline tells: the newest. */
export const CALLS_MAX = 50;
export const DELIVERIES_SHOWN_MAX = 50;

/** What happened to a record, oldest first: what it says itself, the calls that changed it, and what receivers were told of it. */
export function presentTimeline<T extends TimedTable>(
  world: World,
  table: T,
  record: RecordTypes[T],
): TimelineItemResponse[] {
  const id = record.id;
  // Of what happened at one instant the record itself comes first.
  const items = [...HISTORIES[table](world, record), ...callsAbout(world, id), ...deliveriesAbout(world, id)];
  return items.toSorted((a, b) => a.at - b.at).map((item) => presentItem(item));
}

function presentItem({ at, what, text, entry, deliveryId }: TimelineItem): TimelineItemResponse {
  return {
    At: formatInstant(at),
    What: what,
    Text: text,
    EntryId: entry ?? null,
    DeliveryId: deliveryId ?? null,
  };
}

/** The calls of the journal that made or changed a record; those that only read are left out. */
function callsAbout({ journal }: World, id: string): TimelineItem[] {
  const about = [...journal.entries()].filter(
    ({ method, path, response }) =>
      method !== 'GET' && (path.includes(id) || response?.includes(`"${id}"`) === true),
  );
  return about.slice(-CALLS_MAX).map(callItem);
}

function callItem({ at, id, method, path, status }: Entry): TimelineItem {
  const answered = status === 0 ? 'no answer' : String(status);
  return { at, what: 'call', text: `${method} ${path}: ${answered}`, entry: id };
}

function deliveriesAbout({ deliveries }: World, id: string): TimelineItem[] {
  const items: TimelineItem[] = [];
  for (const delivery of deliveries.newestFirst()) {
    if (delivery.ref !== id) continue;
    items.push(deliveryItem(delivery, delivery.id));
    if (items.length === DELIVERIES_SHOWN_MAX) break;
  }
  // Of deliveries at one instant the first was made first.
  return items.toReversed();
}

function deliveryItem(
  { attempted, dateAdded, eventType, status, attempts }: Delivery,
  deliveryId: string,
): TimelineItem {
  const tried = attempts > 1 ? ` after ${attempts} attempts` : '';
  const text = `${eventType}: ${status}${tried}`;
  return { at: attempted ?? dateAdded, what: 'webhook', text, deliveryId };
}
