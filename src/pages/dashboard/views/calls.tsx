import { useState } from 'preact/hooks';

import { fetchControl } from '../state/api.js';
import { FIRST_VIEW, toListQuery, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { BriefCall, CallPage, FacetsResponse, WorldsResponse } from '../state/wire.js';
import { formatMoneyValue, formatQuantity, LONG_ID, abbreviateId } from '../text/format.js';
import { isFailing } from '../text/webhooks.js';
import { explainInBrief } from '../text/why.js';
import { type ListFilter, Filters } from '../ui/fields.js';
import { NewRowsButton, useHeldRows } from '../ui/held-rows.js';
import { List } from '../ui/list.js';
import { Plot } from '../ui/plot.js';
import { CodeBlock } from '../ui/copy.js';
import { Mark, ResultMark } from '../ui/marks.js';
import { EmptyPanel, Title, LoadingOrError } from '../ui/panel.js';
import { EXAMPLE_CHARGE, formatExampleCall } from './records/hints.js';
import { ReferenceLink } from './reference-link.js';
import { EventTime, dayAndMode, filterBy, openRowHref } from './rows.js';

const PAGE = 200;
const PERIODS = '60';
const NO_CALLS: readonly BriefCall[] = [];

/** The calls of the world, as they happen; with filters, those of the journal that match. */
export function CallsView() {
  const route = store.route.value;
  const open = route.query.get('open');
  const query = toListQuery(route, PAGE, { Brief: 'true' });
  const isFiltered = [...route.query.keys()].some((name) => name !== 'open');
  const found = isFiltered ? store.cache.read<CallPage>(`/journal?${query}`) : null;
  const newest = found === null ? store.feed.value : (found.data?.Entries ?? NO_CALLS);
  const about = `${store.keyring.name ?? ''} ${found === null ? '' : query} ${found?.data === null}`;
  const { rows, release } = useHeldRows(newest, open !== null, about);
  const older = useOlder(isFiltered ? query : `Brief=true&Limit=${PAGE}`, rows);
  const all = [...rows, ...older.calls];
  const [first] = rows;
  const missed = first === undefined ? 0 : newest.filter(({ EntryId }) => EntryId > first.EntryId).length;
  const left = (found?.data?.Count ?? store.seen.value?.Counts['JournalEntries'] ?? 0) - all.length - missed;
  return (
    <>
      <Title text="Calls" />
      <CallFilters />
      {found === null ? (
        <NoCallsYet isEmpty={all.length === 0} />
      ) : (
        <FoundCount page={found.data} error={found.error} />
      )}
      <NewRowsButton count={missed} noun="" show={release} />
      <List
        label="Calls, newest first"
        rows={all}
        idOf={({ EntryId }) => String(EntryId)}
        open={open}
        choose={(id) => store.changeQuery({ open: id })}
        hrefOf={openRowHref}
        show={(call) => <CallRow call={call} />}
        about={dayAndMode()}
      />
      {left > 0 && all.length > 0 ? (
        <button type="button" onClick={older.load}>
          Older calls ({left.toLocaleString('en-GB')})
        </button>
      ) : null}
      <NewestCall />
    </>
  );
}

/** Calls of the journal after the last row, by request. */
function useOlder(query: string, rows: readonly BriefCall[]) {
  const [loaded, setLoaded] = useState({ query, calls: NO_CALLS });
  const last = rows.at(-1)?.EntryId ?? Infinity;
  const calls = loaded.query === query ? loaded.calls.filter(({ EntryId }) => EntryId < last) : NO_CALLS;
  const load = async (): Promise<void> => {
    const skip = rows.length + calls.length;
    const page = (await fetchControl(store.access, 'GET', `/journal?${query}&Skip=${skip}`)) as CallPage;
    const known = calls.at(-1)?.EntryId ?? last;
    setLoaded({ query, calls: [...calls, ...page.Entries.filter(({ EntryId }) => EntryId < known)] });
  };
  return { calls, load: () => void load().catch((error: unknown) => store.notify(String(error), true)) };
}

function CallFilters() {
  const route = store.route.value;
  const query = new URLSearchParams(toListQuery(route, 1, { Periods: PERIODS }));
  // The results and the periods that are not shown are drawn, too.
  for (const name of ['Limit', 'Result', 'Since', 'Until']) query.delete(name);
  const { data } = store.cache.read<FacetsResponse>(`/journal/facets?${query}`);
  const named = (list: FacetsResponse['Operations'] = []): string[] =>
    list.map(({ Name }) => Name).filter((name) => name !== '');
  const filters: readonly ListFilter[] = [
    { name: 'Search', label: 'Filter calls' },
    { name: 'Operation', label: 'Operation', options: named(data?.Operations) },
    { name: 'Trigger', label: 'Trigger', options: named(data?.Triggers) },
  ];
  return (
    <>
      <Filters filters={filters} values={route.query} changed={filterBy} />
      {data === null || data.Count === 0 ? null : (
        <Plot
          periods={data.Periods}
          now={store.now.peek()}
          result={route.query.get('Result') as BriefCall['Result'] | null}
          onResult={(result) => filterBy('Result', result)}
          selected={route.query.get('Since')}
          onSelect={(Since, Until) => store.changeQuery({ Since, Until, Skip: null, open: null })}
        />
      )}
    </>
  );
}

/** For calls that name no currency. */
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 4 };

function CallRow({ call }: { call: BriefCall }) {
  const { At: at, RealAt, Method, Reference, Deliveries, Recorded, Undone } = call;
  const why = explainInBrief(call);
  return (
    <>
      <EventTime at={at} realAt={RealAt} />
      <b class="method">{Method}</b>
      <code class="cut path-of" title={call.Path}>
        {shortenPath(call)}
      </code>
      <span class="said">
        <ResultMark call={call} />
        {Undone ? <Mark tone="idle" text="undone" /> : null}
      </span>
      <span class="about" title={Reference ?? undefined}>
        <span class="cut">
          <ReferenceLink reference={Reference} isInRow />
        </span>
        <span class="num">
          {formatMoneyValue(call.Amount, call.Currency) || call.Amount?.toLocaleString('en-GB', CENTS)}
        </span>
      </span>
      <span class="cut why" title={call.Message ?? why}>
        {why}
      </span>
      <span class="more soft">
        {Recorded ? <Mark tone="idle" text="recorded" /> : null}
        {Deliveries.length === 0 ? null : (
          <span class={Deliveries.some(isFailing) ? 'bad' : undefined}>
            {formatQuantity(Deliveries.length, 'webhook')}
          </span>
        )}
      </span>
    </>
  );
}

function FoundCount({ page, error }: { page: CallPage | null; error: string | null }) {
  if (page === null) return <LoadingOrError error={error} />;
  const all = formatQuantity(store.seen.value?.Counts['JournalEntries'] ?? page.Count, 'call');
  const gone =
    page.Evicted === 0 ? '' : ` Older calls that were discarded: ${page.Evicted.toLocaleString('en-GB')}.`;
  const showAll = <a href={viewHref('calls')}>Show all</a>;
  if (page.Count === 0) {
    return (
      <EmptyPanel title={`None of the ${all} in the journal matches the filter.${gone}`}>
        <p>{showAll}</p>
      </EmptyPanel>
    );
  }
  return (
    <p class="soft">
      {page.Count.toLocaleString('en-GB')} of {all} in the journal {page.Count === 1 ? 'matches' : 'match'}.
      {gone} {showAll}
    </p>
  );
}

function NoCallsYet({ isEmpty }: { isEmpty: boolean }) {
  if (!isEmpty) return null;
  return (
    <EmptyPanel title="No calls yet.">
      <OtherWorldsWithCalls />
      <p>Calls with the key of this world appear here. Send one:</p>
      <CodeBlock text={formatExampleCall(EXAMPLE_CHARGE)} label="the example call" />
    </EmptyPanel>
  );
}

/** A program that uses a key of its own calls another world than the one that is shown. */
function OtherWorldsWithCalls() {
  const { data } = store.cache.read<WorldsResponse>('/worlds?Limit=20');
  const busy = (data?.Worlds ?? []).filter(
    ({ World, Counts }) => World !== store.seen.value?.World && (Counts['JournalEntries'] ?? 0) > 0,
  );
  if (busy.length === 0) return null;
  return (
    <p class="warning">
      {busy.length === 1 ? 'Another world has calls: ' : 'Other worlds have calls: '}
      {busy.map(({ World, Key, Name, Counts }, n) => (
        <>
          {n === 0 ? '' : ', '}
          <a href={viewHref(FIRST_VIEW, null, {}, World)}>{Key ?? Name ?? World}</a> (
          {Counts['JournalEntries']})
        </>
      ))}
    </p>
  );
}

/** Announces the newest call to screen readers, but not each of many. */
function NewestCall() {
  const [newest] = store.feed.value;
  return (
    <p class="unseen" aria-live="polite">
      {newest === undefined ? '' : `${newest.Method} ${newest.Path}: ${newest.Status || 'no answer'}`}
    </p>
  );
}

/** The address of a call with short identifiers. */
function shortenPath({ Path, Query }: Pick<BriefCall, 'Path' | 'Query'>): string {
  return `${Path.replace(LONG_ID, abbreviateId)}${Query === '' ? '' : `?${Query}`}`;
}
