import type { Host } from '../../src/core/host.js';
import type { Post, Posted } from '../../src/core/post.js';
import { sleepBy } from '../../src/core/time/sleep.js';

/** A timer for later does not keep the object in memory, which would cost money: its alarm runs the job. */
const TIMER_MS_MAX = 60_000;

/** The host on Cloudflare Workers. */
export const HOST = {
  runtime: 'Cloudflare Workers',
  now: () => Date.now(),
  sleep: (ms: number, signal?: AbortSignal): Promise<void> => sleepBy(HOST, ms, signal),
  pause: (): Promise<void> => sleepBy(HOST, 0),
  timer: (callback: () => void, ms: number, isAwaited = false) => {
    if (ms > TIMER_MS_MAX && !isAwaited) return () => {};
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  deliver,
  webhookSwitch: 'WEBHOOKS=public in the variables of the Worker',
  reportBug: (error: unknown, asked = 'saving a world') => console.error(asked, error),
  warn: (message: string) => console.warn(message),
} satisfies Host;

/** The platform itself keeps `fetch` away from addresses that are not public. */
async function deliver({ url, headers, body, reach, signal }: Post): Promise<Posted> {
  if (reach !== 'public') {
    return {
      withheld: 'the webhooks of this world go only to private addresses, which Cloudflare does not reach',
    };
  }
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  // The status counts, whatever happens to the body.
  await response.body?.cancel().catch(() => {});
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}
