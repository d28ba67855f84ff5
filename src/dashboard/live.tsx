import { useState } from 'hono/jsx/dom';

import { firstCall } from './curl.js';
import { ExchangeRow } from './exchange.js';
import { counted } from './format.js';
import { FIRST_CHARGE } from './kinds.js';
import { Act, Code, Empty, Search, Title, useStore, Waiting } from './parts.js';
import { whyInShort } from './why.js';
import type { Exchange } from './wire.js';

/** The calls of the world, as they happen. */
export function LiveView() {
  const store = useStore();
  const [wanted, setWanted] = useState('');
  const [held, setHeld] = useState<readonly Exchange[] | null>(null);
  const feed = held ?? store.feed;
  const shown = feed.filter((exchange) => fits(exchange, wanted));
  const missed =
    held === null ? 0 : store.feed.filter(({ EntryId }) => EntryId > (held[0]?.EntryId ?? 0)).length;
  return (
    <>
      <Title text="Live">
        <div class="tools row">
          <Search label="Filter calls" hint="path, reference…" found={setWanted} />
          <button
            type="button"
            aria-pressed={held !== null}
            onClick={() => setHeld(held === null ? store.feed : null)}
          >
            {held === null ? 'Pause' : `Resume${missed > 0 ? ` (${missed} new)` : ''}`}
          </button>
          <Act method="DELETE" path="/journal" done={cleared} isDisabled={store.feed.length === 0}>
            Clear
          </Act>
        </div>
      </Title>
      <Newest />
      {feed.length === 0 && store.seen !== null ? <NothingYet /> : null}
      {store.seen === null && store.line !== 'open' ? <Waiting error={store.trouble} /> : null}
      {feed.length > 0 && shown.length === 0 ? (
        <Empty title={`None of ${counted(feed.length, 'call')} matches the filter.`} />
      ) : null}
      <ol class="list feed" aria-label="Calls, newest first">
        {shown.map((exchange) => (
          <ExchangeRow key={String(exchange.EntryId)} exchange={exchange} />
        ))}
      </ol>
    </>
  );
}

function cleared(answer: unknown): string {
  const { Cleared } = answer as { Cleared: number };
  return `Removed ${counted(Cleared, 'call')} from the journal. Records are unchanged.`;
}

function fits(exchange: Exchange, wanted: string): boolean {
  if (wanted === '') return true;
  const { Method, Path, Query, Operation, Status, RequestBody, ResponseBody } = exchange;
  const texts = [Method, Path, Query, Operation, Status, whyInShort(exchange)];
  const bodies = [RequestBody, ResponseBody].map((body) => JSON.stringify(body));
  return [...texts, ...bodies].join(' ').toLowerCase().includes(wanted);
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

function NothingYet() {
  const { keyring } = useStore();
  return (
    <Empty title="No calls yet.">
      <p>Calls with the key of this world appear here. Send one:</p>
      <Code text={firstCall(keyring.key, FIRST_CHARGE)} of="the example call" />
    </Empty>
  );
}
