import { AsyncLocalStorage } from 'node:async_hooks';

import type { Host } from '../../core/host.js';
import { sleepBy } from '../../core/time/sleep.js';
import type { WebhookSender } from '../webhooks/send-thread.js';
import { formatLines, print, reportBug } from '../terminal/terminal.js';
import { memoryUsed } from './memory.js';
import { bytesOfParsed } from './parsed-body.js';

/** Loaded with the first delivery, so that it does not slow down the start. */
let loading: Promise<WebhookSender> | undefined;
const loadSender = (): Promise<WebhookSender> =>
  (loading ??= import('../webhooks/send-thread.js').then(({ WebhookSender }) => new WebhookSender()));

const { bun, deno } = process.versions;

/** The host on Node: the wall clock, real waiting, and timers that keep the process alive only while a caller waits. */
export const NODE_HOST: Host = {
  runtime: bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : process.version,
  now: () => Date.now(),
  // Not that of node:timers/promises, which fake timers of test runners replace.
  sleep: (ms, signal) => sleepBy(NODE_HOST, ms, signal),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  timer: (callback, ms, isAwaited = false) => {
    const timer = setTimeout(callback, ms);
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
  receiving: new AsyncLocalStorage(),
  prepareDelivery: async () => (await loadSender()).prepare(),
  deliver: async (post) => (await loadSender()).deliver(post),
  requireBodies: refuseFakeMicrotasks,
  bytesOfParsed,
  memoryUsed,
  reportBug,
  warn: (message) => print(process.stderr, formatLines([`playmoney: ${message}`])),
  retire: () => void loading?.then((deliverer) => deliverer.endIfIdle()),
};

/** Node ends the body of each Request and Response by the global `queueMicrotask` of its own realm. In Jest, tests have another one. */
function refuseFakeMicrotasks(): void {
  const isOwnRealm = Request.constructor === Function;
  if (bun || deno || !isOwnRealm || !('clock' in globalThis.queueMicrotask)) return;
  throw new TypeError(
    "Fake timers replace queueMicrotask, without which Node cannot read the body of a Request or Response. Name what to fake, such as useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval'] }).",
  );
}
