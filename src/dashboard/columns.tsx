import type { Child } from 'hono/jsx/dom';

import { dateTime, shortId } from './format.js';
import { Status } from './parts.js';
import { hrefOf } from './route.js';
import { type Members, memberOf, textOf } from './wire.js';

/** A column of a table: its name, and what stands in it. */
export interface Column<R = Members> {
  readonly name: string;
  readonly show: (row: R) => Child;
  readonly isNumber?: true;
  /** Whether it may be long, in a list that has no room for it. */
  readonly isShortened?: true;
  /** Whether it says nothing without its name, where a list has no heads. */
  readonly needsName?: true;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The accepted values; by default every text is. */
  readonly options?: readonly string[];
}

/** What can be made to happen to a record at once. */
export interface Simulation {
  readonly action: string;
  readonly label: string;
  readonly fits: (record: Members) => boolean;
}

/** A call to begin with. */
export interface FirstCall {
  readonly path: string;
  readonly body: object;
}

/** A list of the sandbox. */
export interface Listing {
  /** As addresses have it, those of the page and of the sandbox. */
  readonly view: string;
  readonly name: string;
  /** What one is called. */
  readonly one: string;
  readonly filters: readonly Filter[];
  /** Where there is none: what to do, and a call that does it. */
  readonly hint: string;
  readonly first: FirstCall;
}

/** How the records of a kind are shown. */
export interface Kind extends Listing {
  /** The field that identifies it. */
  readonly idName: string;
  /** Under which name the world counts them. */
  readonly counted: string;
  readonly columns: readonly Column[];
  readonly simulations: readonly Simulation[];
  /** Lists of other kinds that the record can be looked for in. */
  readonly related: readonly (readonly [view: string, label: string])[];
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

/** The card, the account or the agreement that is charged, as it may be shown. */
export function sourceOf(holder: unknown): string {
  const card = textOf(holder, 'Card', 'CardNumber');
  if (card !== '') return `${textOf(holder, 'Card', 'Type')} ${card}`;
  const account = textOf(holder, 'BankPayment', 'AccountNumber');
  return account === '' ? textOf(holder, 'Type') : `Account ${account}`;
}

export function nameOf(record: Members): string {
  return `${textOf(record, 'FirstName')} ${textOf(record, 'LastName')}`.trim();
}

function shareOf(record: Members): number {
  const share = memberOf(record, 'Progress');
  return typeof share === 'number' ? share : 0;
}

/** How far a batch is. */
export function Progress({ batch }: { batch: Members }) {
  const percent = Math.floor(shareOf(batch) * 100);
  const id = textOf(batch, 'BatchId');
  return (
    <span class="progress row">
      <progress max={100} value={percent} aria-label={`Progress of ${id}`} /> <span>{percent} %</span>
    </span>
  );
}

export const isLive = (record: Members): boolean => memberOf(record, 'DateRemoved') === null;
