import { amount, dateTime, shortId } from '../../text/format.js';
import type { Filter } from '../../ui/fields.js';
import { Status } from '../../ui/parts.js';
import type { Column as ColumnOf } from '../../ui/table.js';
import { hrefOf } from '../../state/route.js';
import { type Fields, fieldOf, textOf } from '../../state/wire.js';

export type Column = ColumnOf<Fields>;

export interface Simulation {
  readonly action: string;
  readonly label: string;
  readonly fits: (record: Fields) => boolean;
}

export interface Listing {
  /** Its name in the addresses of the page and of the control API. */
  readonly view: string;
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly filters: readonly Filter[];
}

/** A kind of record, with what its list and its page show. */
export interface Kind extends Listing {
  readonly idName: string;
  readonly counted: string;
  readonly columns: readonly Column[];
  readonly simulations?: readonly Simulation[];
  readonly related?: readonly (readonly [view: string, label: string])[];
}

export const idColumn = (view: string, name: string): Column => ({
  name: 'Id',
  show: (record) => {
    const id = textOf(record, name);
    return (
      <a href={hrefOf(view, id)} data-row={id}>
        <code title={id}>{shortId(id)}</code>
      </a>
    );
  },
});
export const text = (name: string, ...path: readonly string[]): Column => ({
  name,
  show: (record) => textOf(record, ...path),
});
export const money = (name: string, field: string): Column => ({
  name,
  isNumber: true,
  show: (record) => amount(fieldOf(record, field), fieldOf(record, 'Currency')),
});
/** A link to the record that a field names. */
export const link = (name: string, view: string, field: string): Column => ({
  name,
  show: (record) => {
    const id = textOf(record, field);
    return id === '' ? '' : <a href={hrefOf(view, id)}>{shortId(id)}</a>;
  },
});
export const status: Column = { name: 'Status', show: (record) => <Status of={textOf(record, 'Status')} /> };
export const added = (name: string): Column => ({
  name: 'Added',
  isNumber: true,
  show: (record) => dateTime(textOf(record, name)),
});

export function sourceOf(holder: unknown): string {
  const card = textOf(holder, 'Card', 'CardNumber');
  if (card !== '') return `${textOf(holder, 'Card', 'Type')} ${card}`;
  const account = textOf(holder, 'BankPayment', 'AccountNumber');
  return account === '' ? textOf(holder, 'Type') : `Account ${account}`;
}

export function nameOf(record: Fields): string {
  return `${textOf(record, 'FirstName')} ${textOf(record, 'LastName')}`.trim();
}

export const isLive = (record: Fields): boolean => fieldOf(record, 'DateRemoved') === null;
