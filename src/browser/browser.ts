import { startWorker } from './worker.js';

export type { Restore } from '../client/intercept.js';
export { SandboxError } from '../client/error.js';
export { type BrowserOptions, openSandbox } from './sandbox.js';

// This file is a service worker, too, if it was registered as one.
if ('skipWaiting' in globalThis && import.meta.url === location.href)
  startWorker(globalThis as unknown as Parameters<typeof startWorker>[0]);
