import { type Child, useLayoutEffect, useRef } from 'hono/jsx/dom';

import type { Loaded } from '../state/api.js';
import type { Column, Filter, Listing } from './columns.js';
import { firstCall } from '../text/curl.js';
import { KINDS } from './kinds.js';
import { Code, Empty, Options, WhenLoaded, readForm, Title, useStore } from './parts.js';
import { hrefOf, type Route } from '../state/route.js';
import type { Page } from '../state/wire.js';

const PAGE = 25;
const NEWEST_FIRST = ['Newer', 'Older'] as const;

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

export function ListView<T extends Page>({ listing, of, show }: ListProps<T>) {
  const { name, filters } = listing;
  return (
    <>
      <Title text={name}>{filters.length === 0 ? null : <Filters of={filters} />}</Title>
      <Scope />
      <WhenLoaded
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

function scopeOf({ query }: Route): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => KINDS.some(({ idName }) => idName === name)));
}

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

export function Filters({ of: filters }: { of: readonly Filter[] }) {
  const { route } = useStore();
  const apply = (event: Event): void => {
    location.hash = hrefOf(route.view, route.id, { ...scopeOf(route), ...readForm(event).texts });
  };
  const form = useRef<HTMLFormElement | null>(null);
  // Refreshes keep what the user has entered but not sent; a new address resets it.
  useLayoutEffect(() => form.current?.reset(), [route.query.toString()]);
  return (
    <form class="tools row" ref={form} onSubmit={apply}>
      {filters.map(({ name, label, options }) => {
        const value = route.query.get(name) ?? '';
        const common = { name, 'aria-label': label };
        if (options === undefined)
          return <input key={name} type="search" placeholder={label} value={value} {...common} />;
        return (
          <select key={name} {...common}>
            <option value="">Any {label.toLowerCase()}</option>
            <Options of={options} selected={value} />
          </select>
        );
      })}
      <button type="submit">Find</button>
    </form>
  );
}

function Nothing({ of: { view, many, hint, first } }: { of: Listing }) {
  const { route, keyring } = useStore();
  const scope = scopeOf(route);
  const isFiltered = [...route.query].some(([name]) => name !== 'Skip' && !(name in scope));
  if (isFiltered || Object.keys(scope).length > 0) {
    return (
      <Empty title={`No ${many} match.`}>
        <p>
          <a href={hrefOf(view, null, isFiltered ? scope : {})}>Show all</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={`No ${many} yet.`}>
      <p>{hint}</p>
      <Code text={firstCall(keyring, first)} of="the example call" />
    </Empty>
  );
}

export function Pager({ page, words = NEWEST_FIRST }: { page: Page; words?: readonly [string, string] }) {
  const { route } = useStore();
  const query = Object.fromEntries(route.query);
  const hrefAt = (skip: number): string => hrefOf(route.view, route.id, { ...query, Skip: String(skip) });
  const { Limit, Skip, Count } = page;
  const last = Math.min(Count, Skip + Limit);
  const shown = `${Math.min(Skip + 1, last).toLocaleString('en-GB')}–${last.toLocaleString('en-GB')}`;
  return (
    <nav class="row" aria-label="Pages">
      <span class="soft">
        {shown} of {Count.toLocaleString('en-GB')}
      </span>
      {Skip > 0 ? <a href={hrefAt(Math.max(0, Skip - Limit))}>{words[0]}</a> : null}
      {last < Count ? <a href={hrefAt(last)}>{words[1]}</a> : null}
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
  const { name, show, isNumber, isShortened, isWrapped, needsName } = column;
  const shown = show(row);
  return (
    <td
      role="cell"
      class={isNumber ? 'number' : isShortened ? 'shortened' : isWrapped ? 'wrapped' : ''}
      title={typeof shown === 'string' && isShortened ? shown : undefined}
      data-name={needsName ? `${name} ` : ''}
    >
      {shown}
    </td>
  );
}
