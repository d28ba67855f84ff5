import type { Child } from 'hono/jsx/dom';

import { dateTime, shortId } from '../text/format.js';
import { Status } from './parts.js';
import { hrefOf } from '../state/route.js';
import { type Fields, fieldOf, textOf } from '../state/wire.js';

export interface Column<R = Fields> {
  readonly name: string;
  readonly show: (row: R) => Child;
  readonly isNumber?: true;
  readonly isShortened?: true;
  readonly isWrapped?: true;
  /** Shows the name before the value in narrow windows, where tables have no heads. */
  readonly needsName?: true;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; a filter without them is a text field. */
  readonly options?: readonly string[];
}

export interface Simulation {
  readonly action: string;
  readonly label: string;
  readonly fits: (record: Fields) => boolean;
}

export interface FirstCall {
  readonly path: string;
  readonly body: object;
}

export interface Listing {
  /** Its name in the addresses of the page and of the control API. */
  readonly view: string;
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly filters: readonly Filter[];
  readonly hint: string;
  readonly first: FirstCall;
}

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
      <a href={hrefOf(view, id)}>
        <code title={id}>{shortId(id)}</code>
      </a>
    );
  },
});
export const text = (name: string, ...path: readonly string[]): Column => ({
  name,
  show: (record) => textOf(record, ...path),
});
export const status: Column = { name: 'Status', show: (record) => <Status of={textOf(record, 'Status')} /> };
export const added = (name: string): Column => ({
  name: 'Added',
  needsName: true,
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

function shareOf(record: Fields): number {
  const share = fieldOf(record, 'Progress');
  return typeof share === 'number' ? share : 0;
}

/** How many rows of a batch failed. As in Results, those that a failed batch did not reach count as well. */
export function failedRows(batch: Fields): string {
  const count = (name: string): number => Number(textOf(batch, name));
  return textOf(batch, 'Status') === 'FAILED'
    ? String(count('Count') - count('Success'))
    : textOf(batch, 'Failure');
}

export function Progress({ batch }: { batch: Fields }) {
  const percent = Math.floor(shareOf(batch) * 100);
  const id = textOf(batch, 'BatchId');
  return (
    <span class="progress row number">
      <progress
        class={textOf(batch, 'Status') === 'FAILED' ? 'bad' : ''}
        max={100}
        value={percent}
        aria-label={`Progress of ${id}`}
      />{' '}
      <span>{percent} %</span>
    </span>
  );
}

export const isLive = (record: Fields): boolean => fieldOf(record, 'DateRemoved') === null;
