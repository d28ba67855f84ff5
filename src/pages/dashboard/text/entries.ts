import { readTextAt } from '../state/wire.js';
import { formatTime } from './when.js';

/** Fields of the entries of a list that say when something was, and what. */
const WHEN = ['DateAttempted', 'DateAdded'];
const WHAT = ['ErrorMessage', 'Amount', 'Comment', 'Name', 'Description'];

/** An entry of a list in a record: "17:42:58, Unable to capture". */
export function summariseEntry(entry: unknown): string {
  const find = (names: readonly string[]): string =>
    names.map((name) => readTextAt(entry, name)).find(Boolean) ?? '';
  const words = [formatTime(find(WHEN)), find(WHAT)].filter(Boolean);
  return words.join(', ') || (typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
}
