import { render, useState } from 'hono/jsx/dom';

import { App } from './app.js';
import { StoreContext } from './context.js';
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

window.addEventListener('hashchange', () => {
  store.go(location.hash);
  // Who comes to a view by keyboard or ear is told where they are, once it is drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('h1')?.focus()));
});

setInterval(() => {
  if (store.seen !== null && store.seen.Mode !== 'manual' && !document.hidden) store.changed();
}, TICK_MS);
