import { formatTime } from './when.js';
import { type RecordJson, readTextAt } from '../state/wire.js';

/** The words for what a record is about, for people. */

export function formatSource(holder: unknown): string {
  const card = readTextAt(holder, 'Card', 'CardNumber');
  if (card !== '') return `${readTextAt(holder, 'Card', 'Type')} ${card}`;
  const account = readTextAt(holder, 'BankPayment', 'AccountNumber');
  return account === '' ? readTextAt(holder, 'Type') : `Account ${account}`;
}

export function formatCustomerName(record: RecordJson): string {
  return `${readTextAt(record, 'FirstName')} ${readTextAt(record, 'LastName')}`.trim();
}

/** Fields of the entries of a list that say when something was, and what. */
const WHEN = ['DateAttempted', 'DateAdded'];
const WHAT = ['ErrorMessage', 'Amount', 'Comment', 'Name', 'Description'];

/** An entry of a list in a record: "17:42:58, Unable to capture". */
export function summariseEntry(entry: unknown): string {
  const find = (names: readonly string[]): string =>
    names.map((name) => readTextAt(entry, name)).find(Boolean) ?? '';
  const words = [formatTime(find(WHEN)), find(WHAT)].filter(Boolean);
  return words.join(', ') || (typeof entry === 'string' ? entry : JSON.stringify(entry));
}
