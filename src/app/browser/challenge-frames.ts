import { WITHIN } from '../../client/call.js';
import { makeRestore, type Restore } from '../../client/intercept.js';
import { once } from '../../core/once.js';
import { CHALLENGE, WALLET } from '../../http/request-key.js';
import { toPlaymoneyError } from '../../pages/calls/call.js';
import { runChallenge } from '../../pages/forms/challenge-form.js';

type Ask = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Shows the challenges of a sandbox, and the pages of its wallets, in those frames of the page whose `src` is the address of one, because no server answers there.
 * The script of the challenge page runs in the page itself: the policy of the page, which its frames share, may allow no other.
 */
export function showChallenges(fetch: Ask): Restore {
  // Test runners take the global away before the last changes are reported.
  const { document } = globalThis;
  const shown = new WeakMap<HTMLIFrameElement, string>();
  const readStyle = once(async () => (await fetch('/_sandbox/page.css')).text());
  const start = ({ currentTarget }: Event): void => {
    const frame = currentTarget as HTMLIFrameElement;
    const page = frame.contentDocument;
    if (page?.URL !== 'about:srcdoc' || page.getElementById('said') === null) return;
    // The challenge works without it, too.
    void readStyle().then(
      (style) => addFrameStyle(page, style),
      () => {},
    );
    startChallenge(frame, page, shown.get(frame) ?? '', fetch);
  };
  const look = (): void => {
    for (const frame of document.querySelectorAll('iframe')) {
      const { src } = frame;
      if (shown.get(frame) === src) continue;
      if (src.startsWith(WITHIN) && [CHALLENGE, WALLET].some((path) => src.includes(path))) {
        shown.set(frame, src);
        frame.addEventListener('load', start);
        void writeChallenge(frame, src, fetch).catch((error: unknown) => (frame.srcdoc = String(error)));
      } else if (shown.delete(frame)) frame.removeAttribute('srcdoc');
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['src'] });
  look();
  return makeRestore(() => observer.disconnect());
}

/** Writes the page of a challenge into a frame, without what it loads. */
async function writeChallenge(frame: HTMLIFrameElement, url: string, fetch: Ask): Promise<void> {
  // Ends the search for a server at the address.
  frame.srcdoc = '';
  // Otherwise this page could not reach into the frame.
  if (frame.hasAttribute('sandbox')) frame.sandbox.add('allow-same-origin');
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  const html = (await answer.text()).replaceAll(/<link .*>|<script .*<\/script>/g, '');
  // Another sandbox of the page may have the challenge.
  if (answer.ok || frame.srcdoc === '') frame.srcdoc = html;
}

function startChallenge(frame: HTMLIFrameElement, page: Document, url: string, fetch: Ask): void {
  const { origin } = new URL(url);
  runChallenge({
    page,
    ask: async (sent) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sent) });
      const body = (await answer.json()) as Readonly<Record<string, unknown>>;
      if (!answer.ok) throw toPlaymoneyError(answer.status, body, url);
      return body;
    },
    // As if the frame had posted it.
    tellParent: (data) =>
      window.dispatchEvent(new MessageEvent('message', { data, origin, source: frame.contentWindow })),
  });
}

/** Adds a style sheet that passes a strict content security policy. */
function addFrameStyle(page: Document, text: string): void {
  if (page.defaultView === null) return;
  const sheet = new page.defaultView.CSSStyleSheet();
  sheet.replaceSync(text);
  page.adoptedStyleSheets = [sheet];
}
