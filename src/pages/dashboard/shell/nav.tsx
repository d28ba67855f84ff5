import { hrefOf } from '../state/route.js';
import { store } from '../state/store.js';
import { GROUPS, PAGES, PLACES, type Place } from './places.js';

/** The views in groups. After the content in the page, so that the content is near for the keyboard. */
export function Nav({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <nav class={isOpen ? 'views open' : 'views'} id="views" aria-label="Views" onClick={close}>
      {GROUPS.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {PLACES.filter((place) => place.group === group && place.within === undefined).map((place) => (
              <li key={place.view}>
                <Link place={place} />
              </li>
            ))}
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

function Link({ place: { view, name, counted } }: { place: Place }) {
  const { view: here } = store.route.value;
  const place = PLACES.find((one) => one.view === here);
  const isHere = here === view || place?.within === view;
  return (
    <a href={hrefOf(view)} aria-current={isHere ? 'page' : undefined}>
      {name} {counted === undefined ? null : <Count of={counted} />}
    </a>
  );
}

function Count({ of }: { of: string }) {
  const seen = store.seen.value;
  const count = of === 'QueuedOutcomes' ? seen?.QueuedOutcomes : seen?.Counts[of];
  return count === undefined || count === 0 ? null : (
    <span class="count num">{count.toLocaleString('en-GB')}</span>
  );
}
