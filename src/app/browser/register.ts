import { refuseSyncCalls } from './sync.js';
import {
  resolveWorkerBase,
  DEFAULT_BASE,
  refuseUnknownOptions,
  type WorkerOptions,
} from './worker-options.js';

export type { WorkerOptions } from './worker-options.js';

/** A worker takes its pages as soon as it is activated; the page may be told a little later. */
const TAKE_MS = 1_000;

/**
 * Registers the sandbox as a service worker, and resolves when it answers the calls of this page. Rejects with the reason if it does
 * not: no call should be sent then, since the real service would get it.
 *
 * @example
 * await startSandboxWorker('/browser.js', { base: 'https://api.example.com/v1', key: 'sk_test_shop' });
 */
export async function startSandboxWorker(
  address: string | URL,
  options: WorkerOptions = {},
): Promise<ServiceWorkerRegistration> {
  const workers = (globalThis.navigator as Partial<Navigator> | undefined)?.serviceWorker;
  if (workers === undefined) return refuseRegistration(explainNoWorkers());
  const script = new URL(address, document.baseURI);
  for (const [name, value] of Object.entries(options)) script.searchParams.set(name, String(value));
  refuseUnknownOptions(Object.fromEntries(script.searchParams));
  const base = resolveWorkerBase(script.searchParams.get('base') ?? DEFAULT_BASE);
  const registered = await workers
    .register(script, { type: 'module' })
    .catch((error: unknown) => refuseRegistration(error instanceof Error ? error.message : String(error)));
  if (!location.href.startsWith(registered.scope))
    return refuseRegistration(`it answers pages below ${registered.scope}, and this is ${location.href}`);
  const worker = registered.installing ?? registered.waiting ?? registered.active;
  await new Promise<void>((resolve, reject) => {
    const check = (): void => {
      if (workers.controller?.scriptURL === script.href) resolve();
      else if (worker?.state === 'redundant')
        reject(buildRegisterError('its script failed, or another worker replaced it; the console has more'));
      else if (worker?.state === 'activated') setTimeout(() => reject(buildRegisterError(RELOADED)), TAKE_MS);
    };
    workers.addEventListener('controllerchange', check);
    worker?.addEventListener('statechange', check);
    check();
  });
  // No worker is asked about them.
  refuseSyncCalls(base);
  return registered;
}

const RELOADED =
  'this page was reloaded without workers (Shift and reload, or "Bypass for network" in the developer tools). Reload it as usual';

function explainNoWorkers(): string {
  if (typeof document === 'undefined') return 'there is no page here';
  return globalThis.isSecureContext
    ? 'this browser has no service workers here (a private window, or blocked site data)'
    : `browsers have service workers only over https and on localhost, and this is ${location.origin}`;
}

const buildRegisterError = (reason: string): Error =>
  new Error(`Failed to start the sandbox worker: ${reason.replace(/\.$/, '')}.`);

function refuseRegistration(reason: string): never {
  throw buildRegisterError(reason);
}
