import { useRef } from 'hono/jsx/dom';

import type { Loaded } from '../state/api.js';
import { firstCall } from '../text/curl.js';
import { useFreezableList } from '../ui/events.js';
import { ExchangeRow } from './exchange.js';
import { counted } from '../text/format.js';
import { FIRST_CHARGE } from '../ui/kinds.js';
import { Pager } from '../ui/lists.js';
import { ConfirmedAct } from '../ui/confirm.js';
import { Code, Empty, Search, Title, useStore, Waiting } from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import type { Store } from '../state/store.js';
import type { Exchange, JournalResponse } from '../state/wire.js';
import { OtherWorlds } from '../shell/worlds.js';

const PAGE = 100;
/** How long after the last keystroke the journal is searched, in milliseconds. */
const TYPING_MS = 200;
const NO_CALLS: readonly Exchange[] = [];

/** The calls of the world, as they happen; with a filter or a page in the address, those of the journal. */
export function LiveView() {
  const store = useStore();
  const { query } = store.route;
  const found = useFound(store);
  // The shown list stays until the answer to another filter has come.
  const before = useRef(NO_CALLS);
  const newest = found === null ? store.feed : (found.data?.Entries ?? before.current ?? NO_CALLS);
  before.current = newest;
  const list = useFreezableList(newest, ({ EntryId }) => String(EntryId), query.toString());
  // More calls can come than the page keeps, so their numbers are compared.
  const [first] = list.shown;
  const missed = found === null && first ? (newest[0]?.EntryId ?? 0) - first.EntryId : list.missed;
  const clear = (answer: unknown): string => {
    list.resume();
    return cleared(answer);
  };
  return (
    <>
      <Title text="Live">
        <div class="tools row steady">
          <Filter key={String(store.visits)} />
          <button
            type="button"
            aria-pressed={list.isFrozen}
            onClick={list.isFrozen ? list.resume : list.pause}
          >
            {list.isFrozen ? `Resume${missed > 0 ? ` (${missed} new)` : ''}` : 'Pause'}
          </button>
          <ConfirmedAct
            method="DELETE"
            path="/journal"
            done={clear}
            isDisabled={store.feed.length === 0}
            question="Clear the journal?"
            consequence="This removes all calls of this world from its journal. Records are unchanged."
            confirm="Clear"
          >
            Clear
          </ConfirmedAct>
        </div>
      </Title>
      <Newest />
      <OtherWorlds isFrozen={list.isFrozen} />
      {found === null ? <NotFiltered shown={list.shown} /> : <Found of={found} />}
      <ol class="list feed" aria-label="Calls, newest first">
        {list.shown.map((exchange) => (
          <ExchangeRow
            key={String(exchange.EntryId)}
            exchange={exchange}
            isOpen={list.isOpen(exchange)}
            toggle={() => list.toggle(exchange)}
          />
        ))}
      </ol>
      {found === null ? <Older /> : found.data === null ? null : <Pager page={found.data} />}
    </>
  );
}

function useFound({ route, cache }: Store): Loaded<JournalResponse> | null {
  if (!route.query.has('Search') && !route.query.has('Skip')) return null;
  const query = new URLSearchParams(route.query);
  query.set('Limit', String(PAGE));
  return cache.read<JournalResponse>(`/journal?${query}`);
}

/** Searches the whole journal, on the server, while the user types. */
function Filter() {
  const store = useStore();
  const typing = useRef<number>(0);
  const search = (text: string): void => {
    clearTimeout(typing.current ?? 0);
    typing.current = window.setTimeout(() => {
      if (store.route.view === 'live' && store.route.id === null) store.refine({ Search: text });
    }, TYPING_MS);
  };
  const first = store.route.query.get('Search') ?? '';
  return <Search label="Filter calls" hint="path, reference…" first={first} found={search} />;
}

function cleared(answer: unknown): string {
  const { Cleared } = answer as { Cleared: number };
  return `Removed ${counted(Cleared, 'call')} from the journal. Records are unchanged.`;
}

function Found({ of: { data, error } }: { of: Loaded<JournalResponse> }) {
  const { seen, route } = useStore();
  if (data === null) return <Waiting error={error} />;
  const all = counted(seen?.Counts['JournalEntries'] ?? data.Count, 'call');
  const gone =
    data.Evicted === 0 ? '' : ` Older calls that were discarded: ${data.Evicted.toLocaleString('en-GB')}.`;
  if (!route.query.has('Search'))
    return (
      <p class="soft">
        All {all} in the journal.{gone}
      </p>
    );
  if (data.Count > 0) {
    return (
      <p class="soft">
        {data.Count.toLocaleString('en-GB')} of {all} in the journal {data.Count === 1 ? 'matches' : 'match'}.
        {gone}
      </p>
    );
  }
  return (
    <Empty title={`None of the ${all} in the journal matches the filter.${gone}`}>
      <p>
        <a href={hrefOf('live')}>Show all</a>
      </p>
    </Empty>
  );
}

/** Announces the newest call to screen readers, but not each of many. */
function Newest() {
  const [newest] = useStore().feed;
  return (
    <p class="unseen" aria-live="polite">
      {newest === undefined ? '' : `${newest.Method} ${newest.Path}: ${newest.Status || 'no answer'}`}
    </p>
  );
}

function NotFiltered({ shown }: { shown: readonly Exchange[] }) {
  const { seen, connection, trouble, keyring } = useStore();
  if (shown.length > 0) return null;
  if (seen === null) return connection === 'open' ? null : <Waiting error={trouble} />;
  return (
    <Empty title="No calls yet.">
      <p>Calls with the key of this world appear here. Send one:</p>
      <Code text={firstCall(keyring, FIRST_CHARGE)} of="the example call" />
    </Empty>
  );
}

function Older() {
  const { feed, seen } = useStore();
  const oldest = feed.at(-1)?.EntryId ?? 0;
  if (seen === null || oldest <= seen.OldestEntryId) return null;
  return (
    <p>
      <a href={hrefOf('live', null, { Skip: String(feed.length) })}>Older calls</a>
    </p>
  );
}
