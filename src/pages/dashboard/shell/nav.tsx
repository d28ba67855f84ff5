import { sandboxHome } from '../../home.js';
import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import { KINDS } from '../views/records/kinds.js';

const GROUPS = ['Watch', 'Records', 'Decide', 'Look up'] as const;

export interface NavEntry {
  readonly group: (typeof GROUPS)[number];
  readonly view: string;
  readonly name: string;
  /** Which count of the world is shown beside its name. */
  readonly counted?: string;
  /** The view whose link stands for this one. */
  readonly within?: string;
}

const recordEntries = KINDS.map((kind): NavEntry => ({
  group: 'Records',
  view: kind.view,
  name: kind.view === 'payment-methods' ? 'Cards & vault' : kind.name,
  counted: kind.counted,
  ...(kind.view === 'vault' ? { within: 'payment-methods' } : {}),
}));

export const NAV_ENTRIES: readonly NavEntry[] = [
  { group: 'Watch', view: 'overview', name: 'Overview' },
  { group: 'Watch', view: 'calls', name: 'Calls', counted: 'JournalEntries' },
  { group: 'Watch', view: 'webhooks', name: 'Webhooks', counted: 'Deliveries' },
  { group: 'Watch', view: 'due', name: 'Due', counted: 'QueuedJobs' },
  ...recordEntries,
  { group: 'Records', view: 'orders', name: 'Orders', within: 'charges' },
  { group: 'Decide', view: 'next', name: 'Next answers', counted: 'QueuedOutcomes' },
  { group: 'Decide', view: 'scenario', name: 'Scenario' },
  { group: 'Decide', view: 'snapshots', name: 'Snapshots' },
  { group: 'Look up', view: 'cards', name: 'Test cards' },
];

/** Pages of their own. */
export const PAGES = [
  ['reference', 'Reference'],
  ['errors', 'Error codes'],
  ['checkout', 'Checkout'],
].map(([path, name = '']) => [`${sandboxHome()}/_sandbox/${path}`, name] as const);

/** The views in groups. After the content in the page, so that the content is near for the keyboard. */
export function Nav({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <nav class={isOpen ? 'views open' : 'views'} id="views" aria-label="Views" onClick={close}>
      {GROUPS.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {NAV_ENTRIES.filter((place) => place.group === group && place.within === undefined).map(
              (place) => (
                <li key={place.view}>
                  <NavLink place={place} />
                </li>
              ),
            )}
            {group === 'Look up'
              ? PAGES.map(([path, name]) => (
                  <li key={path}>
                    <a href={path}>{name}</a>
                  </li>
                ))
              : null}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function NavLink({ place: { view, name, counted } }: { place: NavEntry }) {
  const { view: here } = store.route.value;
  const place = NAV_ENTRIES.find((entry) => entry.view === here);
  const isHere = here === view || place?.within === view;
  return (
    <a href={viewHref(view)} aria-current={isHere ? 'page' : undefined}>
      {name} {counted === undefined ? null : <NavCount name={counted} />}
    </a>
  );
}

function NavCount({ name }: { name: string }) {
  const seen = store.seen.value;
  const count = name === 'QueuedOutcomes' ? seen?.QueuedOutcomes : seen?.Counts[name];
  return count === undefined || count === 0 ? null : (
    <span class="count num">{count.toLocaleString('en-GB')}</span>
  );
}
