import type { ComponentChildren } from 'preact';

import type { ListPage } from '../state/wire.js';

export interface Column<R> {
  readonly name: string;
  readonly show: (row: R) => ComponentChildren;
  readonly isNumber?: true;
  readonly isWrapped?: true;
}

interface TableProps<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
}

/** A table. In a narrow window each row is a block of names and values; the roles keep it a table for screen readers. */
export function DataTable<R>({ label, columns, rows, keyOf }: TableProps<R>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th key={name} role="columnheader" scope="col" class={isNumber ? 'num' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, show, isNumber, isWrapped }) => (
                <td
                  key={name}
                  role="cell"
                  class={isNumber ? 'num' : isWrapped ? 'wrapped' : ''}
                  data-name={name}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagerProps {
  readonly page: ListPage;
  readonly hrefAt: (skip: number) => string;
  readonly words?: readonly [before: string, after: string];
}

export function Pager({ page: { Limit, Skip, Count }, hrefAt, words = ['Newer', 'Older'] }: PagerProps) {
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
