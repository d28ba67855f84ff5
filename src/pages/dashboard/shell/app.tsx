import type { Child } from 'hono/jsx/dom';

import { CardsView } from '../views/cards.js';
import { ClockBar } from './clock.js';
import { counted } from '../text/format.js';
import { KINDS } from '../ui/kinds.js';
import type { ConnectionState } from '../state/event-stream.js';
import { LiveView } from '../views/live.js';
import { OutcomesView } from '../views/outcomes.js';
import { Badge, Title, type Tone, useStore } from '../ui/parts.js';
import { ExchangeView, RecordsView, RecordView } from '../views/record.js';
import { Ribbon } from './ribbon.js';
import { homeOf } from '../../home.js';
import { hrefOf } from '../state/route.js';
import { ScenarioView } from '../views/scenario.js';
import { SnapshotsView } from '../views/snapshots.js';
import { WebhooksView } from '../views/webhooks.js';
import { WorldButton, WorldDialog } from './worlds.js';

interface Place {
  readonly view: string;
  readonly name: string;
  readonly show: () => Child;
  readonly showOne?: () => Child;
  readonly counted?: string;
}

const PLACES: readonly Place[] = [
  { view: 'live', name: 'Live', show: () => <LiveView />, showOne: () => <ExchangeView /> },
  ...KINDS.map((kind) => ({
    view: kind.view,
    name: kind.name,
    show: () => <RecordsView kind={kind} />,
    showOne: () => <RecordView kind={kind} />,
    counted: kind.counted,
  })),
  { view: 'webhooks', name: 'Webhooks', show: () => <WebhooksView />, counted: 'Deliveries' },
  { view: 'scenario', name: 'Scenario', show: () => <ScenarioView /> },
  { view: 'outcomes', name: 'Outcomes', show: () => <OutcomesView />, counted: 'QueuedOutcomes' },
  { view: 'cards', name: 'Test cards', show: () => <CardsView /> },
  { view: 'snapshots', name: 'Snapshots', show: () => <SnapshotsView /> },
];

const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['reference', 'Reference'],
  ['errors', 'Error codes'],
  ['checkout', 'Checkout'],
];

/** The whole page. Every change renders all of it again. */
export function App(_drawn: { drawn: number }) {
  const store = useStore();
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="top row">
        <a class="brand" href={hrefOf('live')}>
          playmoney
        </a>
        <WorldButton />
        <Connection />
        <ClockBar />
      </header>
      <Ribbon />
      <div class="body">
        <Places />
        <main id="main" class="stack" tabindex={-1}>
          <View
            key={`${store.keyring.world ?? store.keyring.key}/${store.route.view}/${store.route.id ?? ''}`}
          />
        </main>
      </div>
      <Foot />
      {store.isChoosing ? <WorldDialog /> : null}
    </>
  );
}

/** Moves the focus without a link, because the fragment of the address selects the view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const CONNECTIONS: Readonly<Record<ConnectionState, readonly [tone: Tone, text: string]>> = {
  connecting: ['idle', 'Connecting…'],
  open: ['good', 'Connected'],
  lost: ['bad', 'Not connected'],
  refused: ['bad', 'Refused'],
};

function Connection() {
  const { connection, trouble } = useStore();
  const [tone, text] = CONNECTIONS[connection];
  return (
    <p role="status" title={trouble ?? ''}>
      <Badge tone={tone} text={text} />
    </p>
  );
}

function Places() {
  const { route, seen } = useStore();
  const counts: Readonly<Record<string, number>> = {
    ...seen?.Counts,
    QueuedOutcomes: seen?.QueuedOutcomes ?? 0,
  };
  return (
    <nav class="views" aria-label="Views">
      <ul>
        {PLACES.map(({ view, name, counted: counter = '' }) => (
          <li key={view}>
            <a href={hrefOf(view)} aria-current={route.view === view ? 'page' : undefined}>
              {name}
              <Count of={counts[counter]} />
            </a>
          </li>
        ))}
      </ul>
      <ul class="soft">
        {PAGES.map(([path, name]) => (
          <li key={path}>
            <a href={`${homeOf()}/_sandbox/${path}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ of }: { of: number | undefined }) {
  return of === undefined || of === 0 ? null : (
    <span class="count soft number">{of.toLocaleString('en-GB')}</span>
  );
}

function View() {
  const { route } = useStore();
  const place = PLACES.find(({ view }) => view === route.view);
  if (place === undefined) return <Title text="View not found" />;
  const { show, showOne = show } = place;
  return <>{route.id === null ? show() : showOne()}</>;
}

function Foot() {
  const store = useStore();
  const { notice, trouble, connection, skipped } = store;
  return (
    <div class="foot stack">
      {trouble !== null && connection === 'lost' ? (
        <p class="notice row bad" role="alert">
          {trouble}
        </p>
      ) : null}
      {skipped > 0 ? (
        <p class="notice row">
          {counted(skipped, 'call')} arrived too fast to show. The journal may still have them.
        </p>
      ) : null}
      <div role="status">
        {notice === null ? null : (
          <p class={notice.isBad ? 'notice row bad' : 'notice row'}>
            <span>{notice.text}</span>
            <button type="button" class="small" aria-label="Dismiss" onClick={() => store.dismissNotice()}>
              ✕
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
