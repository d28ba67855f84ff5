import type { Sandbox } from '../../client/public.js';
import type { BrowserOptions } from './public.js';
import { BrowserSandbox } from './sandbox.js';
import { startWorker } from './worker.js';

export type * from '../../client/answers.js';
export type * from '../../client/asked.js';
export type { Restore } from '../../client/intercept.js';
export type { ScenarioDefinition, ScenarioText } from '../../client/scenario-definition.js';
export type { Sandbox } from '../../client/public.js';
export type * from '../../client/words.js';
export type { World } from '../../client/world.js';
export type { BrowserOptions } from './public.js';
export { SandboxError } from '../../client/error.js';
export { startSandboxWorker, type WorkerOptions } from './register.js';

/**
 * Opens a sandbox in a page. Its worlds stay in a database of the browser until the next time. Rejects if another page has the
 * database.
 *
 * @example
 * const sandbox = await openSandbox({ clock: 'manual' });
 * const restore = sandbox.intercept('https://api.example.com/v1', { key: 'sk_test_shop' });
 */
export async function openSandbox(options: BrowserOptions = {}): Promise<Sandbox> {
  const sandbox = await BrowserSandbox.open(options);
  sandbox.showChallenges();
  return sandbox;
}

// This file is a service worker, too, if it was registered as one.
if ('skipWaiting' in globalThis && import.meta.url === location.href)
  startWorker(globalThis as unknown as Parameters<typeof startWorker>[0]);
