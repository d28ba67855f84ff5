import { render } from 'preact';

import { App } from './shell/app.js';
import { onKey } from './shell/keys.js';
import { loadLaterViews } from './shell/later.js';
import { findPlace, keepPlaces } from './state/places.js';
import { store } from './state/store.js';
import { onDrop } from './views/decide/own-scenario.js';

const root = document.getElementById('dashboard');
if (root === null) throw new Error('The page has no element #dashboard.');
render(<App />, root);
window.addEventListener('load', () => void loadLaterViews());

keepPlaces();
window.addEventListener('hashchange', () => {
  const y = findPlace();
  // Another filter, page or row of the same view moves neither focus nor scroll.
  if (!store.showAddress(location.hash)) return;
  requestAnimationFrame(() => {
    // Screen readers announce the view.
    document.querySelector('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, y);
  });
});
document.addEventListener('keydown', onKey);
document.addEventListener('dragover', onDrop);
document.addEventListener('drop', onDrop);
