import { render } from 'preact';

import { App } from './shell/app.js';
import { onKey } from './shell/keys.js';
import { store } from './state/store.js';
import { onDrop } from './views/decide/own-scenario.js';

const root = document.getElementById('dashboard');
if (root === null) throw new Error('The page has no element #dashboard.');
render(<App />, root);

window.addEventListener('hashchange', () => {
  // Another filter, page or row of the same view moves neither focus nor scroll.
  if (!store.showAddress(location.hash)) return;
  requestAnimationFrame(() => {
    // Screen readers announce the view.
    document.querySelector('h1')?.focus();
    window.scrollTo(0, 0);
  });
});
document.addEventListener('keydown', onKey);
document.addEventListener('dragover', onDrop);
document.addEventListener('drop', onDrop);
