import type { HonoBase } from 'hono/hono-base';

import { createApp } from './app.js';
import { type ClockSettings, STANDARD_RATE } from '../core/time/clock.js';
import type { Host } from '../core/host.js';
import { MEBIBYTE, Memory } from '../core/limits/memory.js';
import { ABORTED, type Post, type Posted } from '../core/post.js';
import { OPERATION_ROWS } from './sections.js';
import { presentEvent, JOB_HANDLERS } from './world-handlers.js';
import { Seeder } from './seeding/seeder.js';
import { NO_LIBRARY, type ScenarioLibrary } from '../scenarios/file/library.js';
import type { Scenario } from '../scenarios/script/model.js';
import type { Bindings, EdgeSettings, Env } from '../http/exchange.js';
import { NO_OWN_SETTINGS, fillWorldOptions, type WorldSettings } from '../world/settings.js';
import { Worlds } from '../world/worlds.js';

/** The options of a sandbox; each has a default. */
export interface InnerSandboxOptions
  extends Partial<Omit<EdgeSettings, 'clock'>>, Partial<Omit<WorldSettings, 'clock' | 'own'>> {
  /** The clock of new worlds; real time by default. */
  readonly clock?: Partial<ClockSettings>;
  /** The scenario of new worlds. Its seed and clock override those given here. */
  readonly scenario?: Scenario;
  /** Rules and policies that come before those of the scenario in every world. */
  readonly injected?: Scenario;
  /** The scenarios that can be selected by name. */
  readonly library?: ScenarioLibrary;
  /** The maximum bytes of memory of the whole program; null, the default, for no limit. Calls that would add more are refused. */
  readonly memoryMax?: number | null;
  /** The maximum number of worlds in memory. When it is reached, the least recently used ones leave. */
  readonly worldsMax?: number;
  /**
   * Posts webhooks instead of the host, such as to an app in the same process. If it returns nothing, the response counts as 200. If it
   * throws, the attempt is repeated later.
   */
  readonly deliver?: Deliver;
}

type Deliver = (post: Post) => Promise<Posted | void> | Posted | void;

const DEFAULT_BODY_LIMIT = MEBIBYTE;
const DEFAULT_BATCH_BODY_LIMIT = 16 * MEBIBYTE;
export const DEFAULT_WORLDS_MAX = 10_000;
/** The maximum number of records of one kind in a world: far more than any test needs, but it stops a runaway program. */
export const DEFAULT_RECORDS_MAX = 5_000_000;

/** All worlds, and the app that answers their calls. */
export interface InnerSandbox {
  /** Answers a request without a socket. Rejects with a `TypeError` if a trigger loses the answer. */
  fetch(request: Request, env?: Bindings): Promise<Response>;
  readonly app: HonoBase<Env>;
  readonly worlds: Worlds;
  /** Ends all worlds and their timers. */
  close(): void;
}

/** Creates a sandbox on a host; nothing in it is shared with another sandbox. */
export function createInnerSandbox(given: Host, options: InnerSandboxOptions = {}): InnerSandbox {
  const { deliver } = options;
  // The host keeps nothing ready for deliveries that it does not make.
  const host = deliver === undefined ? given : replaceDelivery(given, deliver);
  const settings = buildEdgeSettings(options);
  const bodyMax = Math.max(settings.bodyLimit, settings.batchBodyLimit);
  const memory = new Memory(host, options.memoryMax ?? Infinity, bodyMax);
  const worlds: Worlds = new Worlds(
    buildWorldSettings(options),
    {
      memory,
      jobs: JOB_HANDLERS,
      presentEvent,
      injected: options.injected ?? null,
      attemptEnded: () => worlds.keeper.attemptEnded(),
    },
    host,
    options.worldsMax ?? DEFAULT_WORLDS_MAX,
    new Seeder(),
    options.scenario ?? null,
  );
  const library = options.library ?? NO_LIBRARY;
  const app = createApp({ settings, host, memory, library, worlds });
  return {
    fetch: async (request, env) => {
      host.requireBodies?.();
      return raceAbort(request.signal, () => app.fetch(request, { incoming: env?.incoming }));
    },
    app,
    worlds,
    close: () => {
      worlds.closeAll();
      host.retire?.();
    },
  };
}

function isLost({ reason }: AbortSignal): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === 'ECONNRESET';
}

/** Rejects like `fetch` when the caller aborts. */
async function raceAbort(signal: AbortSignal, call: () => Response | Promise<Response>): Promise<Response> {
  signal.throwIfAborted();
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    // Not if the client of an app has left: nobody waits, and the app would log an error.
    giveUp = () => void (isLost(signal) || reject(signal.reason));
  });
  signal.addEventListener('abort', giveUp);
  try {
    return await Promise.race([call(), aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Refuses an empty secret, which may come from an unset variable and would protect nothing. */
function refuseEmptySecret(name: string, given: string | null | undefined): string | null {
  if (given?.trim() !== '') return given ?? null;
  const detail = `Failed to create the sandbox: ${name} is ${JSON.stringify(given)}; it must be a string that is not empty. Leave it out to start without it.`;
  throw new TypeError(detail);
}

export function buildWorldSettings(options: InnerSandboxOptions): WorldSettings {
  const { clock = {} } = options;
  const mode = clock.mode ?? 'real';
  refuseEmptySecret('webhookSecret', options.webhookSecret);
  return {
    ...fillWorldOptions(options),
    seed: options.seed ?? '1',
    name: options.name ?? null,
    clock: { mode, rate: clock.rate ?? STANDARD_RATE[mode], start: clock.start ?? null },
    recordsMax: options.recordsMax ?? DEFAULT_RECORDS_MAX,
    own: NO_OWN_SETTINGS,
  };
}

function buildEdgeSettings(options: InnerSandboxOptions): EdgeSettings {
  return {
    basePath: requireBasePath(options.basePath),
    trustProxy: options.trustProxy ?? false,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    keys: options.keys ?? [],
    keyLengthMin: options.keyLengthMin ?? 0,
    vetKey: options.vetKey ?? null,
    hashesPublicKeys: options.hashesPublicKeys ?? false,
    optionNames: options.optionNames ?? null,
    adminToken: refuseEmptySecret('adminToken', options.adminToken),
    worldsByName: options.worldsByName ?? typeof options.adminToken === 'string',
    onTurnedAway: options.onTurnedAway ?? null,
    onHang: options.onHang ?? null,
    bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
    batchBodyLimit: options.batchBodyLimit ?? DEFAULT_BATCH_BODY_LIMIT,
  };
}

function requireBasePath(given = ''): string {
  if (given === '') return '';
  // Below /charge, nobody could tell a path with the base path from one without it.
  const isOfService = OPERATION_ROWS.some(({ path }) => `${given}/`.startsWith(`/${path.split('/', 2)[1]}/`));
  if (/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(given) && !isOfService) return given;
  const detail = `Failed to create the sandbox: basePath is ${JSON.stringify(given)}; it must be a path such as /pay, without . or .. in it and without a slash at the end, and must not begin like a path of the service.`;
  throw new TypeError(detail);
}

/** The host with another way of delivery. Its methods are looked up at each call: a host may be an object of a class. */
function replaceDelivery(host: Host, deliver: Deliver): Host {
  const { receiving, webhookSwitch, readBrowserProgram } = host;
  return {
    runtime: host.runtime,
    now: () => host.now(),
    sleep: (ms, signal) => host.sleep(ms, signal),
    pause: () => host.pause(),
    timer: (callback, ms, isAwaited) => host.timer(callback, ms, isAwaited),
    warn: (message) => host.warn?.(message),
    reportBug: (error, call) => host.reportBug?.(error, call),
    memoryUsed: (isCollected) => host.memoryUsed?.(isCollected) ?? 0,
    requireBodies: () => host.requireBodies?.(),
    signAtOnce: (secret, text) => host.signAtOnce?.(secret, text),
    ...(receiving === undefined ? {} : { receiving }),
    ...(webhookSwitch === undefined ? {} : { webhookSwitch }),
    ...(readBrowserProgram === undefined ? {} : { readBrowserProgram }),
    bytesOfParsed: (incoming) => host.bytesOfParsed?.(incoming) ?? null,
    retire: () => host.retire?.(),
    deliver: (post) => {
      const posted =
        receiving === undefined ? deliver(post) : receiving.run(post.signal, () => deliver(post));
      return Promise.race([posted, awaitAbort(post.signal, host)]);
    },
  };
}

/** Resolves a turn after the abort, since a function for deliveries may ignore it, or have ended at the same time. */
function awaitAbort(signal: AbortSignal, host: Host): Promise<Posted> {
  return new Promise((resolve) => {
    const end = (): void => void host.pause().then(() => resolve({ failed: ABORTED }));
    signal.addEventListener('abort', end, { once: true });
  });
}
