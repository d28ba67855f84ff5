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
