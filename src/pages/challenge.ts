import { fetchJson } from './calls/call.js';
import { runChallenge } from './forms/challenge-form.js';

/** The script of the challenge page. */

runChallenge({
  page: document,
  ask: (sent) => fetchJson(location.pathname, {}, sent),
  tellParent: (said) => {
    // The page around this one removes the frame. The fields are not secret, so any origin may read them.
    if (parent !== window) parent.postMessage(said, '*');
  },
});
