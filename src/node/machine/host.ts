import { AsyncLocalStorage } from 'node:async_hooks';

import type { Host } from '../../core/host.js';
import { sleepBy } from '../../core/time/sleep.js';
import type { WebhookSender } from '../webhooks/send-thread.js';
import { formatLines, print, reportBug } from '../terminal/terminal.js';
import { memoryUsed } from './memory.js';
import { readBrowserProgram } from './shipped.js';
import { type Incoming, refuseParsed } from '../../http/body/parsed-body.js';

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
  // Not imported, since most starts sign nothing.
  signAtOnce: (secret, text) =>
    process.getBuiltinModule('node:crypto').createHmac('sha256', secret).update(text).digest('base64'),
  prepareDelivery: async () => (await loadSender()).prepare(),
  deliver: async (post) => (await loadSender()).deliver(post),
  requireBodies: refuseFakeMicrotasks,
  bytesOfParsed,
  memoryUsed,
  reportBug,
  warn: (message) => print(process.stderr, formatLines([`playmoney: ${message}`])),
  readBrowserProgram,
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

/** More digits may be those of another number, which the parser has rounded. */
const EXACT = /^-?(?:\.?\d){1,15}$/;

/** The bytes of a body that a parser has read; null if none has. Refuses a body that cannot be turned back into the same bytes. */
function bytesOfParsed({ headers = {}, readableDidRead, rawBody, body }: Incoming): Uint8Array | null {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (readableDidRead !== true) return null;
  if (body instanceof Uint8Array) return body;
  const { 'content-length': stated, 'transfer-encoding': coding, 'content-type': type } = headers;
  if (coding === undefined && !(Number(stated) > 0)) return new Uint8Array();
  for (const text of textsOf(rawBody, body)) {
    const bytes = new TextEncoder().encode(text);
    // Only equal lengths show that nothing was lost, such as a repeated field.
    if (bytes.length === Number(stated)) return bytes;
  }
  return refuseParsed(String(type ?? ''));
}

/** The texts that may have been sent: JSON as most programs format it. */
function* textsOf(rawBody: unknown, body: unknown): Generator<string> {
  for (const text of [rawBody, body]) if (typeof text === 'string') yield text;
  if (body === undefined || !isExact(body)) return;
  yield JSON.stringify(body);
  // As Python formats it, and people.
  yield JSON.stringify(body, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
  yield JSON.stringify(body, null, 2);
}

/** Whether no number can have been rounded, nor anything be nested too deeply. */
function isExact(body: unknown): boolean {
  let all = true;
  try {
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === 'number') all &&= EXACT.test(String(value));
      return value;
    });
  } catch {
    return false;
  }
  return all;
}
