import type { ComponentChildren } from 'preact';

import { sandboxHome } from '../../../home.js';
import type { Loaded } from '../../state/cache.js';
import { toListQuery, viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type ListPage, type RecordPage, readTextAt } from '../../state/wire.js';
import { formatMoment } from '../../text/when.js';
import { Filters } from '../../ui/fields.js';
import { CodeBlock } from '../../ui/copy.js';
import { EmptyPanel, Title, WhenLoaded } from '../../ui/panel.js';
import { Pager, DataTable } from '../../ui/table.js';
import type { KindDescription, ListDescription } from './columns.js';
import { formatExampleCall, HINTS } from './hints.js';
import { KINDS } from './kinds.js';
import { filterBy, pageHref } from '../rows.js';

export const PAGE = 25;

export function RecordsView({ kind }: { kind: KindDescription }) {
  const query = toListQuery(store.route.value, PAGE);
  return (
    <ListView
      listing={kind}
      loaded={store.cache.read<RecordPage>(`/records/${kind.view}?${query}`)}
      show={({ Records }) => (
        <DataTable
          label={kind.name}
          columns={kind.columns}
          rows={Records}
          keyOf={(record) => readTextAt(record, kind.idName)}
        />
      )}
    />
  );
}

interface ListViewProps<T extends ListPage> {
  readonly listing: ListDescription;
  readonly loaded: Loaded<T>;
  readonly show: (page: T) => ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A list with its filters and pages. */
export function ListView<T extends ListPage>({ listing, loaded, show, children }: ListViewProps<T>) {
  const { name, filters, view } = listing;
  return (
    <>
      <Title text={name}>{children}</Title>
      {view === 'vault' || view === 'payment-methods' ? <CardsAndVault view={view} /> : null}
      {filters.length === 0 ? null : (
        <Filters filters={filters} values={store.route.value.query} changed={filterBy} />
      )}
      <ScopeNote />
      <WhenLoaded
        loaded={loaded}
        show={(page) =>
          page.Count === 0 ? (
            <EmptyList list={listing} />
          ) : (
            <>
              {show(page)}
              <Pager page={page} hrefAt={pageHref} />
            </>
          )
        }
      />
    </>
  );
}

function CardsAndVault({ view }: { view: string }) {
  const tabs = [
    ['payment-methods', 'Payment methods'],
    ['vault', 'Vault'],
  ] as const;
  return (
    <ul class="tabs">
      {tabs.map(([to, name]) => (
        <li key={to}>
          <a href={viewHref(to)} aria-current={to === view ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function readScope(): Readonly<Record<string, string>> {
  const { query } = store.route.value;
  return Object.fromEntries([...query].filter(([name]) => KINDS.some(({ idName }) => idName === name)));
}

/** The record whose records are listed, or the time in which they were added. */
function ScopeNote() {
  const { query, view } = store.route.value;
  const owner = KINDS.find(({ idName }) => query.has(idName));
  const bounds = (['AddedAfter', 'AddedBefore'] as const).flatMap((name) => {
    const at = query.get(name);
    return at === null ? [] : `${name === 'AddedAfter' ? 'after' : 'before'} ${formatMoment(at)}`;
  });
  if (bounds.length > 0)
    return (
      <p>
        Only those added {bounds.join(' and ')}. <a href={viewHref(view)}>Show all</a>
      </p>
    );
  if (owner === undefined) return null;
  const id = query.get(owner.idName) ?? '';
  return (
    <p>
      Filtered by {owner.one} <a href={viewHref(owner.view, id)}>{id}</a>.{' '}
      <a href={viewHref(view)}>Show all</a>
    </p>
  );
}

function EmptyList({ list: { view, many } }: { list: ListDescription }) {
  const { query } = store.route.value;
  const kept = readScope();
  const isFiltered = [...query].some(([name]) => name !== 'Skip' && name !== 'open' && !(name in kept));
  if (isFiltered || Object.keys(kept).length > 0) {
    return (
      <EmptyPanel title={`No ${many} match.`}>
        <p>
          <a href={viewHref(view, null, isFiltered ? kept : {})}>Show all</a>
        </p>
      </EmptyPanel>
    );
  }
  const hint = HINTS[view];
  return (
    <EmptyPanel title={`No ${many} yet.`}>
      {hint === undefined ? (
        <p>
          The <a href={`${sandboxHome()}/_sandbox/reference`}>reference</a> has a call that creates one.
        </p>
      ) : (
        <>
          <p>{hint.text}</p>
          <CodeBlock text={formatExampleCall(hint.call)} label="the example call" />
        </>
      )}
    </EmptyPanel>
  );
}
