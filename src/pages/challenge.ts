import { fetchJson } from './calls/call.js';
import { runChallenge } from './forms/challenge-form.js';

/** The script of the challenge page and of a wallet's page. */

runChallenge({
  page: document,
  ask: (sent) => fetchJson(location.pathname, {}, sent),
  tellParent: (said) => {
    // The page around this one removes the frame; one that opened this page may close it. The fields are not secret, so any
    // origin may read them.
    const shop = parent === window ? (opener as Window | null) : parent;
    shop?.postMessage(said, '*');
  },
});
