import { readTextAt } from '../state/wire.js';
import { capitalise } from './format.js';
import { formatTime } from './when.js';

/** Fields of the entries of a list that say when something was, and what. */
const WHEN = ['DateAttempted', 'DateAdded', 'Date'];
const WHAT = ['ErrorMessage', 'GatewayMessage', 'Amount', 'Comment', 'Name', 'ProductName', 'Description'];

/** An entry of a list in a record: "17:42:58, Unable to capture". */
export function summariseEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const first = (names: readonly string[]): string =>
    names.map((name) => readTextAt(entry, name)).find(Boolean) ?? '';
  const words = [formatTime(first(WHEN)), first(WHAT)].filter(Boolean);
  return words.length > 0 ? words.join(', ') : JSON.stringify(entry);
}

/** FailedAttempts: Failed attempts. */
export function splitName(field: string): string {
  return capitalise(field.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
}
