import { render, useState } from 'hono/jsx/dom';

import { App } from './shell/app.js';
import { StoreContext } from './ui/parts.js';
import { FIRST_VIEW } from './state/route.js';
import { Store } from './state/store.js';
import { WORLDS } from './shell/worlds.js';

/** How often the page renders again while the clock runs, in milliseconds. */
const TICK_MS = 500;

/** The store needs the render function before the component exists. */
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
if (root === null) throw new Error('The page has no element #dashboard.');
render(<Dashboard />, root);

function onceDrawn(callback: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(callback));
}

/** Scrolls to the link of the current view: in narrow windows the links are one line that scrolls. */
function showPlace(): void {
  const place = document.querySelector<HTMLElement>('[aria-current]');
  const line = place?.closest('nav');
  if (place && line) line.scrollLeft = place.offsetLeft - (line.clientWidth - place.offsetWidth) / 2;
}

window.addEventListener('hashchange', () => {
  store.go(location.hash);
  onceDrawn(() => {
    // Screen readers announce the view.
    document.querySelector('h1')?.focus();
    window.scrollTo(0, 0);
    showPlace();
  });
});
onceDrawn(showPlace);

/** How often the first page looks for other worlds with calls, in milliseconds. */
const LOOK_MS = 2_000;

setInterval(() => {
  if (document.hidden || store.route.view !== FIRST_VIEW || store.route.id !== null) return;
  store.cache.outdate(WORLDS);
  store.changed();
}, LOOK_MS);

setInterval(() => {
  if (store.seen !== null && store.seen.Mode !== 'manual' && !document.hidden) store.changed();
}, TICK_MS);
