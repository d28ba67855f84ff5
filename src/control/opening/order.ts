import { isObject } from '../../core/text/text.js';
import { type IdentifierMap, UNKNOWN_ID } from './identifier-map.js';

/** The recorded and the new order of fields or items. */
export interface OrderChange {
  readonly recorded: string;
  readonly replayed: string;
}

/** The common fields whose order changed, from the first to the last of them; null when none did. */
export function findFieldOrders(
  recorded: object,
  replayed: object,
  ignored: ReadonlySet<string>,
): OrderChange | null {
  const shared = (one: object, other: object): string[] =>
    Object.keys(one).filter((name) => Object.hasOwn(other, name) && !ignored.has(name));
  const [names, now] = [shared(recorded, replayed), shared(replayed, recorded)];
  const from = names.findIndex((name, n) => name !== now[n]);
  if (from < 0) return null;
  // After the last field that moved, both orders are equal again.
  const to = names.findLastIndex((name, n) => name !== now[n]) + 1;
  const shown = (list: readonly string[]): string => `fields ${list.slice(from, to).join(', ')}`;
  return { recorded: shown(names), replayed: shown(now) };
}

/** A list whose order changed. `places` has the new index of each recorded item. */
export interface MovedItems extends OrderChange {
  readonly places: readonly number[];
}

/** Null when the items are in the same order, or are different items. */
export function findMovedItems(
  recorded: readonly unknown[],
  replayed: readonly unknown[],
  ids: IdentifierMap,
): MovedItems | null {
  if (recorded.length !== replayed.length || recorded.length < 2) return null;
  const keys = recorded.map((item) => outlineKey(item, (value) => ids.outlineRecorded(value)));
  const now = replayed.map((item) => outlineKey(item, (value) => ids.outlineReplayed(value)));
  if (keys.every((key, n) => key === now[n])) return null;
  const free = new Map<string, number[]>();
  // From the last, since the end of a list is where items can be taken from at no cost.
  for (const [index, key] of [...now.entries()].toReversed()) {
    const same = free.get(key);
    if (same === undefined) free.set(key, [index]);
    else same.push(index);
  }
  const places: number[] = [];
  for (const key of keys) {
    const index = free.get(key)?.pop();
    if (index === undefined) return null;
    places.push(index);
  }
  const numbers = (list: readonly number[]): string => `items ${list.map((index) => index + 1).join(', ')}`;
  const order = [...places.keys()].toSorted((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  return { places, recorded: numbers([...places.keys()]), replayed: numbers(order) };
}

/** The identity of an item: its identifier if that has a counterpart, otherwise its whole content. */
function outlineKey(item: unknown, outline: (value: unknown) => string): string {
  if (!isObject(item)) return outline(item);
  const [own] = Object.entries(item).filter(
    ([name, value]) => /id$/i.test(name) && typeof value === 'string',
  );
  const key = own === undefined ? UNKNOWN_ID : outline({ [own[0]]: own[1] });
  return key.includes(UNKNOWN_ID) ? outline(item) : key;
}
