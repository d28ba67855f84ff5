import { render, useState } from 'hono/jsx/dom';

import { App } from './app.js';
import { StoreContext } from './parts.js';
import { Store } from './store.js';

/** How often what shows the time is drawn anew while it goes by itself, in milliseconds. */
const TICK_MS = 500;

/** Who draws the page is known once it is there. */
const drawing = { draw: (): void => {} };
const store = new Store(() => drawing.draw());

function Dashboard() {
  const [drawn, setDrawn] = useState(0);
  drawing.draw = () => setDrawn((before) => before + 1);
  return (
    <StoreContext.Provider value={store}>
      <App drawn={drawn} />
    </StoreContext.Provider>
  );
}

const root = document.getElementById('dashboard');
if (root === null) throw new Error('Failed to find the place of the dashboard in the page.');
render(<Dashboard />, root);

/** Calls back once what has changed is drawn. */
function onceDrawn(callback: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(callback));
}

/** Narrow windows show the views in a line, of which a part is out of sight. */
function showPlace(): void {
  const place = document.querySelector<HTMLElement>('[aria-current]');
  const line = place?.closest('nav');
  if (place && line) line.scrollLeft = place.offsetLeft - (line.clientWidth - place.offsetWidth) / 2;
}

window.addEventListener('hashchange', () => {
  store.go(location.hash);
  onceDrawn(() => {
    // A screen reader says which view this is.
    document.querySelector('h1')?.focus();
    window.scrollTo(0, 0);
    showPlace();
  });
});
onceDrawn(showPlace);

setInterval(() => {
  if (store.seen !== null && store.seen.Mode !== 'manual' && !document.hidden) store.changed();
}, TICK_MS);
