import { formatMoneyValue, formatDateTime, abbreviateId } from '../../text/format.js';
import type { ListFilter } from '../../ui/fields.js';
import { StatusMark } from '../../ui/marks.js';
import type { Column as ColumnOf } from '../../ui/table.js';
import { viewHref } from '../../state/route.js';
import { ReferenceLink } from '../reference-link.js';
import { type RecordJson, readField, readTextAt } from '../../state/wire.js';

export type RecordColumn = ColumnOf<RecordJson>;

export interface ListDescription {
  /** The name of the list in addresses of the page and of the control API, such as `payment-methods`. */
  readonly view: string;
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly filters: readonly ListFilter[];
}

/** A kind of record, with what its list and its page show. */
export interface KindDescription extends ListDescription {
  readonly idName: string;
  readonly counted: string;
  readonly columns: readonly RecordColumn[];
  readonly related?: readonly (readonly [view: string, label: string])[];
}

export const idColumn = (view: string, name: string): RecordColumn => ({
  name: 'Id',
  show: (record) => {
    const id = readTextAt(record, name);
    return (
      <a href={viewHref(view, id)} data-row={id}>
        <code title={id}>{abbreviateId(id)}</code>
      </a>
    );
  },
});
export const textColumn = (name: string, ...path: readonly string[]): RecordColumn => ({
  name,
  show: (record) => <bdi>{readTextAt(record, ...path)}</bdi>,
});
export const amountColumn = (name: string, field: string): RecordColumn => ({
  name,
  isNumber: true,
  show: (record) => formatMoneyValue(readField(record, field), readField(record, 'Currency')),
});
export const referenceColumn: RecordColumn = {
  name: 'Reference',
  show: (record) => <ReferenceLink reference={readTextAt(record, 'Reference')} />,
};
/** A link to the record that a field names. */
export const linkColumn = (name: string, view: string, field: string): RecordColumn => ({
  name,
  show: (record) => {
    const id = readTextAt(record, field);
    return id === '' ? '' : <a href={viewHref(view, id)}>{abbreviateId(id)}</a>;
  },
});
export const statusColumn: RecordColumn = {
  name: 'Status',
  show: (record) => <StatusMark status={readTextAt(record, 'Status')} />,
};
export const dateColumn = (name: string): RecordColumn => ({
  name: 'Added',
  isNumber: true,
  show: (record) => formatDateTime(readTextAt(record, name)),
});

/** Why a charge was declined; empty for any other. */
export function readReason({ FailedAttempts: tries, Status: status }: RecordJson): string {
  return status === 'FAILED' && Array.isArray(tries) ? readTextAt(tries.at(-1), 'ErrorMessage') : '';
}
