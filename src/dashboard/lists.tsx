import { type Child, memo, useState } from 'hono/jsx/dom';

import type { Loaded } from './api.js';
import type { Column, Listing } from './columns.js';
import { firstCall } from './curl.js';
import { clockTime, dateTime } from './format.js';
import { KINDS } from './kinds.js';
import { Code, Empty, Options, Reading, textsOf, Title, useStore } from './parts.js';
import { hrefOf } from './route.js';
import type { Page } from './wire.js';

/** How many records a page of a list has. */
const PAGE = 25;

/** Reads the page of a list that the address names. */
export function useListed<T extends Page>(path: string): Loaded<T> {
  const { cache, route } = useStore();
  const query = new URLSearchParams(route.query);
  query.set('Limit', String(PAGE));
  return cache.read<T>(`${path}?${query}`);
}

interface ListProps<T extends Page> {
  readonly listing: Listing;
  readonly of: Loaded<T>;
  readonly show: (page: T) => Child;
}

/** A list, newest first, one page at a time. */
export function ListView<T extends Page>({ listing, of, show }: ListProps<T>) {
  const { name, filters } = listing;
  return (
    <>
      <Title text={name}>{filters.length === 0 ? null : <Filters of={listing} />}</Title>
      <Scope />
      <Reading
        of={of}
        show={(page) =>
          page.Count === 0 ? (
            <Nothing of={listing} />
          ) : (
            <>
              {show(page)}
              <Pager page={page} />
            </>
          )
        }
      />
    </>
  );
}

/** The record that filters the list, such as the customer whose charges it shows. */
function Scope() {
  const { route } = useStore();
  const owner = KINDS.find(({ idName }) => route.query.has(idName));
  if (owner === undefined) return null;
  const id = route.query.get(owner.idName) ?? '';
  return (
    <p>
      Filtered by {owner.one} <a href={hrefOf(owner.view, id)}>{id}</a>.{' '}
      <a href={hrefOf(route.view)}>Show all</a>
    </p>
  );
}

function Filters({ of: { view, filters } }: { of: Listing }) {
  const { route } = useStore();
  const apply = (event: Event): void => {
    location.hash = hrefOf(view, null, textsOf(event).texts);
  };
  return (
    <form class="tools row" onSubmit={apply}>
      {filters.map(({ name, label, options }) => {
        const common = { name, 'aria-label': label, value: route.query.get(name) ?? '' };
        if (options === undefined) return <input key={name} type="search" placeholder={label} {...common} />;
        return (
          <select key={name} {...common}>
            <option value="">Any {label.toLowerCase()}</option>
            <Options of={options} />
          </select>
        );
      })}
      <button type="submit">Find</button>
    </form>
  );
}

function Nothing({ of: { view, many, hint, first } }: { of: Listing }) {
  const { route, keyring } = useStore();
  if ([...route.query].some(([name]) => name !== 'Skip')) {
    return (
      <Empty title={`No ${many} match.`}>
        <p>
          <a href={hrefOf(view)}>Show all</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={`No ${many} yet.`}>
      <p>{hint}</p>
      <Code text={firstCall(keyring.key, first)} of="the example call" />
    </Empty>
  );
}

/** Which part of a list is shown, with links to newer and older records. */
function Pager({ page }: { page: Page }) {
  const { route } = useStore();
  const query = Object.fromEntries(route.query);
  const hrefAt = (skip: number): string => hrefOf(route.view, null, { ...query, Skip: String(skip) });
  const { Limit, Skip, Count } = page;
  const last = Math.min(Count, Skip + Limit);
  const shown = `${Math.min(Skip + 1, last).toLocaleString('en-GB')}–${last.toLocaleString('en-GB')}`;
  return (
    <nav class="row" aria-label="Pages">
      <span class="soft">
        {shown} of {Count.toLocaleString('en-GB')}
      </span>
      {Skip > 0 ? <a href={hrefAt(Math.max(0, Skip - Limit))}>Newer</a> : null}
      {last < Count ? <a href={hrefAt(last)}>Older</a> : null}
    </nav>
  );
}

interface TableProps<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly class?: string;
}

/** A table. Narrow windows show each row as a paragraph; the roles keep it a table for screen readers. */
export function Table<R>({ label, columns, rows, keyOf, class: more = '' }: TableProps<R>) {
  return (
    <div class={`scroll ${more}`} tabindex={0} role="region" aria-label={label}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th key={name} role="columnheader" scope="col" class={isNumber ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<R>({ column, row }: { column: Column<R>; row: R }) {
  const { name, show, isNumber, isShortened, needsName } = column;
  const shown = show(row);
  return (
    <td
      role="cell"
      class={isNumber ? 'number' : isShortened ? 'shortened' : ''}
      title={typeof shown === 'string' && isShortened ? shown : undefined}
      data-name={needsName ? `${name} ` : ''}
    >
      {shown}
    </td>
  );
}

/** The parts of a line. */
interface EventParts {
  /** When it happened, by the world's clock. */
  readonly at: string;
  readonly method: string;
  readonly address: Child;
  readonly status: Child;
  readonly about: Child;
  readonly why: string;
}

interface EventRowProps {
  readonly event: object;
  readonly id: string;
  readonly parts: () => EventParts;
  /** Shown while the line is open. */
  readonly detail: () => Child;
}

/** A call or a webhook in a list: a line that opens. */
export function EventRow({ event, id, parts, detail }: EventRowProps) {
  const [isOpen, setOpen] = useState(false);
  const today = useStore().seen?.Now.slice(0, 10) ?? '';
  return (
    <li class={isOpen ? 'open' : ''}>
      <EventLine event={event} id={id} parts={parts} today={today} isOpen={isOpen} setOpen={setOpen} />
      {isOpen ? (
        <div class="detail stack" id={id}>
          {detail()}
        </div>
      ) : null}
    </li>
  );
}

interface EventLineProps extends Omit<EventRowProps, 'detail'> {
  /** The world's date. Times of this day are shown without a date. */
  readonly today: string;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Memoised, because there are many lines and they rarely change. */
const EventLine = memo(
  PlainLine,
  (before, after) =>
    before.event === after.event && before.isOpen === after.isOpen && before.today === after.today,
);

function PlainLine({ id, parts, today, isOpen, setOpen }: EventLineProps) {
  const { at, method, address, status, about, why } = parts();
  return (
    <button
      type="button"
      class="line"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={() => setOpen(!isOpen)}
    >
      <time class="at" title={at}>
        {at.startsWith(today) ? clockTime(at) : dateTime(at).slice(5)}
      </time>
      <span class="method">{method}</span>
      <span class="cut">{address}</span>
      {status}
      <span class="rest">
        <span class="about">{about}</span>
        <span class="why cut">{why}</span>
      </span>
    </button>
  );
}
