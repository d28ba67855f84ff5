/// <reference lib="esnext.disposable" preserve="true" />
import * as client from './client/connect.js';
import * as errors from './client/error.js';
import { PROGRAM_FOLDER } from './node/machine/program-folder.js';
import * as here from './node/sandbox.js';
import type { Listening, Sandbox, SandboxOptions, ServeOptions } from './client/public.js';
import type { SweepFlow, SweepOptions } from './sweep/public.js';
import type { SweepReport } from './sweep/report/report.js';

export type * from './client/answers.js';
export type * from './client/asked.js';
export type { ConnectOptions } from './client/connect.js';
export type { Restore } from './client/intercept.js';
export type { ScenarioDefinition, ScenarioText } from './client/scenario-definition.js';
export type * from './client/words.js';
export type { World } from './client/world.js';
export type { Host } from './core/host.js';
export type { Post, Posted } from './core/post.js';
export type * from './client/public.js';
export type * from './sweep/public.js';
export type { FaultName } from './sweep/choose-faults.js';
export type { OwnFault } from './sweep/faults.js';
export type { SweepCell, SweepCounts, SweepReport } from './sweep/report/report.js';

const BUILD = {
  createSandbox: here.createSandbox,
  serve: here.serve,
  connect: client.connect,
  sweep: async <Given = undefined>(
    flow: SweepFlow<Given>,
    options?: SweepOptions<Given>,
  ): Promise<SweepReport> => (await import('./node/sweep/sweep.js')).sweep(flow, options),
  SandboxError: errors.SandboxError,
};

/** Identifies the package that is installed in this place. */
const INSTALLED = Symbol.for(`playmoney ${PROGRAM_FOLDER}`);

/**
 * The code that a process uses, however it loads the package. The ES module and the CommonJS file take the code of whichever was loaded
 * first, so that they are one. See docs/decisions/0025-one-package-for-import-and-require.md.
 */
const shared = ((globalThis as Partial<Record<typeof INSTALLED, typeof BUILD>>)[INSTALLED] ??= BUILD);

/**
 * Creates a sandbox, by default with the wall clock and the timers of Node. Its `fetch` answers requests in process. `serve` opens
 * a port for it.
 *
 * @example
 * using sandbox = createSandbox({ clock: 'manual' });
 * const world = sandbox.world('sk_test_orders');
 * await world.outcomes.queue('charge.create', ['issuer_unavailable', 'approve']);
 */
export const createSandbox: (options?: SandboxOptions) => Sandbox = shared.createSandbox;

/**
 * Serves a sandbox over HTTP or HTTPS, by default on a free port of 127.0.0.1. Rejects with the socket's error, such as
 * EADDRINUSE.
 *
 * @example
 * await using server = await serve(sandbox, { port: 4010 });
 */
export const serve: (sandbox: Sandbox, options?: ServeOptions) => Promise<Listening> = shared.serve;

/**
 * Connects to a world on a running server. It has the same methods as a world in process.
 *
 * @example
 * const world = connect('http://127.0.0.1:4010', { key: 'sk_test_orders' });
 * await world.clock.advance('2h');
 */
export const connect: typeof client.connect = shared.connect;

/**
 * Runs a flow of your program once without faults, then once for each failure at each call and each webhook, and reports where
 * money and orders disagree. In process, or on the server of PLAYMONEY_URL. Rejects if the clean run fails or is not in balance.
 *
 * @example
 * const report = await sweep(async ({ url, key, fetch }) => {
 *   const shop = createShop({ url, key, fetch });
 *   await shop.buy({ reference: 'order-1', amount: 20 });
 *   return { orders: () => shop.orders(), recover: () => shop.reconcile() };
 * });
 * report.assertSafe();
 */
export const sweep: <Given = undefined>(
  flow: SweepFlow<Given>,
  options?: SweepOptions<Given>,
) => Promise<SweepReport> = shared.sweep;

/**
 * A call to the control API that was refused or got no answer.
 *
 * @example
 * await world.clock.advance({ to: '2000-01-01T00:00:00Z' }).catch((error: SandboxError) => error.code); // 90
 */
export const SandboxError: typeof errors.SandboxError = shared.SandboxError;
export type SandboxError = errors.SandboxError;
