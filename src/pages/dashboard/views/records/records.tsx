import type { ComponentChildren } from 'preact';

import { homeOf } from '../../../home.js';
import type { Loaded } from '../../state/cache.js';
import { askedOf, hrefOf } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type Page, type RecordPage, textOf } from '../../state/wire.js';
import { Filters } from '../../ui/fields.js';
import { Code, Empty, Title, WhenLoaded } from '../../ui/parts.js';
import { Pager, Table } from '../../ui/table.js';
import type { Kind, Listing } from './columns.js';
import { firstCall, HINTS } from './hints.js';
import { KINDS } from './kinds.js';
import { filterBy, pageHref } from '../rows.js';

export const PAGE = 25;

export function RecordsView({ kind }: { kind: Kind }) {
  const asked = askedOf(store.route.value, PAGE);
  return (
    <ListView
      listing={kind}
      of={store.cache.read<RecordPage>(`/records/${kind.view}?${asked}`)}
      show={({ Records }) => (
        <Table
          label={kind.name}
          columns={kind.columns}
          rows={Records}
          keyOf={(record) => textOf(record, kind.idName)}
        />
      )}
    />
  );
}

interface ListProps<T extends Page> {
  readonly listing: Listing;
  readonly of: Loaded<T>;
  readonly show: (page: T) => ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A list with its filters and pages. */
export function ListView<T extends Page>({ listing, of, show, children }: ListProps<T>) {
  const { name, filters, view } = listing;
  return (
    <>
      <Title text={name}>{children}</Title>
      {view === 'vault' || view === 'payment-methods' ? <CardsAndVault view={view} /> : null}
      {filters.length === 0 ? null : (
        <Filters of={filters} values={store.route.value.query} changed={filterBy} />
      )}
      <Scope />
      <WhenLoaded
        of={of}
        show={(page) =>
          page.Count === 0 ? (
            <Nothing of={listing} />
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
          <a href={hrefOf(to)} aria-current={to === view ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function scope(): Readonly<Record<string, string>> {
  const { query } = store.route.value;
  return Object.fromEntries([...query].filter(([name]) => KINDS.some(({ idName }) => idName === name)));
}

/** The record whose records are listed. */
function Scope() {
  const { query, view } = store.route.value;
  const owner = KINDS.find(({ idName }) => query.has(idName));
  if (owner === undefined) return null;
  const id = query.get(owner.idName) ?? '';
  return (
    <p>
      Filtered by {owner.one} <a href={hrefOf(owner.view, id)}>{id}</a>. <a href={hrefOf(view)}>Show all</a>
    </p>
  );
}

function Nothing({ of: { view, many } }: { of: Listing }) {
  const { query } = store.route.value;
  const kept = scope();
  const isFiltered = [...query].some(([name]) => name !== 'Skip' && name !== 'open' && !(name in kept));
  if (isFiltered || Object.keys(kept).length > 0) {
    return (
      <Empty title={`No ${many} match.`}>
        <p>
          <a href={hrefOf(view, null, isFiltered ? kept : {})}>Show all</a>
        </p>
      </Empty>
    );
  }
  const hint = HINTS[view];
  return (
    <Empty title={`No ${many} yet.`}>
      {hint === undefined ? (
        <p>
          The <a href={`${homeOf()}/_sandbox/reference`}>reference</a> has a call that creates one.
        </p>
      ) : (
        <>
          <p>{hint.text}</p>
          <Code text={firstCall(hint.call)} of="the example call" />
        </>
      )}
    </Empty>
  );
}
