import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import { GROUPS, PAGES, NAV_ENTRIES, type NavEntry } from './nav-entries.js';

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
