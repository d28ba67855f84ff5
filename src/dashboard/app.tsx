import { CardsView } from './cards.js';
import { ClockBar } from './clock.js';
import { counted } from './format.js';
import { LiveView } from './live.js';
import { OutcomesView } from './outcomes.js';
import { Title, useStore } from './parts.js';
import { ExchangeView, RecordView } from './record.js';
import { kindOf, RecordsView } from './records.js';
import { hrefOf } from './route.js';
import { ScenarioView } from './scenario.js';
import { SnapshotsView } from './snapshots.js';
import type { Store } from './store.js';
import { WebhooksView } from './webhooks.js';
import { WorldButton, WorldDialog } from './worlds.js';

interface Place {
  readonly view: string;
  readonly name: string;
  /** How many there are, where that is known. */
  readonly count?: (store: Store) => number | undefined;
}

const countOf =
  (name: string) =>
  ({ seen }: Store): number | undefined =>
    seen?.Counts[name];

const PLACES: readonly Place[] = [
  { view: 'live', name: 'Live' },
  { view: 'charges', name: 'Charges', count: countOf('Charges') },
  { view: 'customers', name: 'Customers', count: countOf('Customers') },
  { view: 'payment-methods', name: 'Payment methods', count: countOf('PaymentMethods') },
  { view: 'vault', name: 'Vault', count: countOf('VaultEntries') },
  { view: 'batches', name: 'Batches', count: countOf('Batches') },
  { view: 'webhooks', name: 'Webhooks', count: countOf('Deliveries') },
  { view: 'scenario', name: 'Scenario' },
  { view: 'outcomes', name: 'Outcomes', count: ({ seen }) => seen?.QueuedOutcomes },
  { view: 'cards', name: 'Test cards' },
  { view: 'snapshots', name: 'Snapshots' },
];

/** The other pages of the sandbox. */
const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['/_sandbox/reference', 'Reference'],
  ['/_sandbox/errors', 'Error codes'],
  ['/_sandbox/checkout', 'Checkout'],
];

/** The whole page. It is drawn anew as a whole whenever something has changed. */
export function App(_drawn: { drawn: number }) {
  const store = useStore();
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={hrefOf('live')}>
          playmoney
        </a>
        <WorldButton />
        <Line />
        <ClockBar />
      </header>
      <div class="body">
        <Places />
        <main id="main" tabindex={-1}>
          <View key={`${store.route.view}/${store.route.id ?? ''}`} />
        </main>
      </div>
      <Foot />
      {store.isChoosing ? <WorldDialog /> : null}
    </>
  );
}

/** The fragment of the address belongs to the views. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Line() {
  const { line, trouble } = useStore();
  const words = { connecting: 'Connecting…', open: 'Connected', lost: 'Not connected', refused: 'Refused' };
  return (
    <p class={`line ${line}`} role="status" title={trouble ?? ''}>
      {words[line]}
    </p>
  );
}

function Places() {
  const store = useStore();
  return (
    <nav aria-label="Views">
      <ul>
        {PLACES.map(({ view, name, count }) => (
          <li key={view}>
            <a href={hrefOf(view)} aria-current={store.route.view === view ? 'page' : undefined}>
              {name}
              <Count of={count?.(store)} />
            </a>
          </li>
        ))}
        {PAGES.map(([path, name]) => (
          <li key={path} class="page">
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ of }: { of: number | undefined }) {
  return of === undefined || of === 0 ? null : <span class="count">{of.toLocaleString('en-GB')}</span>;
}

function View() {
  const { route } = useStore();
  const kind = kindOf(route.view);
  if (kind !== undefined) return route.id === null ? <RecordsView kind={kind} /> : <RecordView kind={kind} />;
  switch (route.view) {
    case 'live':
      return route.id === null ? <LiveView /> : <ExchangeView />;
    case 'webhooks':
      return <WebhooksView />;
    case 'scenario':
      return <ScenarioView />;
    case 'outcomes':
      return <OutcomesView />;
    case 'cards':
      return <CardsView />;
    case 'snapshots':
      return <SnapshotsView />;
    default:
      return <Title text="There is no such view" />;
  }
}

/** What came of the last action, and what is wrong with the line. */
function Foot() {
  const store = useStore();
  const { notice, trouble, line, skipped } = store;
  return (
    <div class="foot">
      {trouble !== null && line === 'lost' ? (
        <p class="notice bad" role="alert">
          {trouble}
        </p>
      ) : null}
      {skipped > 0 ? (
        <p class="notice">
          {counted(skipped, 'exchange')} came too fast to be shown; the journal may have them.
        </p>
      ) : null}
      <div role="status">
        {notice === null ? null : (
          <p class={notice.isBad ? 'notice bad' : 'notice'}>
            <span>{notice.text}</span>
            <button type="button" class="small" aria-label="Dismiss" onClick={() => store.hush()}>
              ✕
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
