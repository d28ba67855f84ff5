import type { Host } from '../../core/host.js';
import type { Post, Posted } from '../../core/post.js';
import { sleepBy } from '../../core/time/sleep.js';
import { isLocalName } from '../../core/receiver.js';

/** The fetch of the browser: a page may replace its own later, also by an interception. */
const nativeFetch: typeof fetch | undefined = globalThis.fetch;

/** Rejects where there is none, as on a server that renders pages: there the import alone must not fail. */
export const fetchNatively = async (url: string, init?: RequestInit): Promise<Response> => {
  if (nativeFetch === undefined) throw new TypeError('There is no fetch here');
  return nativeFetch.call(globalThis, url, init);
};

/** The host in a page or in a service worker. */
export const BROWSER_HOST: Host = {
  get runtime() {
    return globalThis.navigator.userAgent;
  },
  now: () => Date.now(),
  sleep: (ms, signal) => sleepBy(BROWSER_HOST, ms, signal),
  // A timer would wait for 4 ms.
  pause: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(port1.close()));
      port1.start();
      port2.postMessage(null);
    }),
  timer: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  deliver: deliverByFetch,
  reportBug: (error, call) => console.error(`playmoney: a bug in ${call}`, error),
  warn: (message) => console.warn(`playmoney: ${message}`),
};

async function deliverByFetch({ url, headers, body, reach, signal }: Post): Promise<Posted> {
  const { origin, hostname } = new URL(url);
  const isOwn = origin === globalThis.origin || isLocalName(hostname) || /^(?:127\.|\[::1\]$)/.test(hostname);
  if (reach === 'private' && !isOwn)
    return {
      withheld: `a browser sends webhooks only to its own origin and local names, not to ${hostname}`,
    };
  try {
    const { status } = await fetchNatively(url, { method: 'POST', headers, body, signal, redirect: 'error' });
    return { status };
  } catch (error) {
    return {
      failed: `${String(error)}; a receiver on another origin must allow the request with CORS headers`,
    };
  }
}
