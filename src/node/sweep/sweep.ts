import { parseDuration } from '../../core/time/time.js';
import { haveSameReferences, requireClean, sweepAll, withoutReferences } from '../../sweep/engine.js';
import { resolveFaults } from '../../sweep/faults.js';
import type { SweepFlow, SweepOptions } from '../../sweep/public.js';
import type { SweepReport } from '../../sweep/report.js';
import { NEXT_DAY, runFlow, type RunSettings, type SweepRun } from '../../sweep/run.js';
import { nameTrial, type Trial } from '../../sweep/trial.js';
import { WITHIN } from '../../client/call.js';
import { DEFAULT_SCRIPT, locateCaller } from './call-site.js';
import { createSweepBar, startBudget } from './progress.js';
import { ServerRooms } from './server-rooms.js';
import { reportSweep } from './save.js';
import { NodePlace, openRoomInProcess, openRoomOnPort } from './place.js';

const TIMEOUT = '10s';
const CONCURRENCY_MAX = 64;

/** Sweeps a flow in this process, or on the server that the environment names. */
export async function sweep<Given = undefined>(
  checkout: SweepFlow<Given>,
  options: SweepOptions<Given> = {},
): Promise<SweepReport> {
  // The result of the setup is passed on to the flow unread.
  const flow = checkout as SweepFlow;
  const { setup, settle = NEXT_DAY } = options as SweepOptions;
  requireDurationMs('settle', settle);
  const faults = resolveFaults(options.faults);
  const timeoutMs = requireDurationMs('timeout', options.timeout ?? TIMEOUT);
  const timeMs = options.time === undefined ? null : requireDurationMs('time', options.time);
  const { concurrency = 1, pairs = true, accept = [], report: folder = null } = options;
  const { evidence = null, settings: world = {} } = options;
  const script = locateCaller() ?? DEFAULT_SCRIPT;
  requireConcurrency(concurrency);
  // A terminal shows a bar; a log of a test run should not.
  const bar = options.each === undefined && process.stderr.isTTY ? createSweepBar() : null;
  const each = options.each ?? bar?.each ?? ((): void => {});
  const { place, close } = choosePlace(options);
  const isOver = startBudget(timeMs);
  try {
    const always = { timeoutMs, settle, setup };
    const { clean, hasReferences } = await runClean(flow, place, always);
    const settings = { ...always, hasReferences, cleanOrders: clean.worlds[0]?.orders ?? null };
    const run = (trial: Trial): Promise<SweepRun> =>
      runFlow(flow, trial, place, settings).catch((cause: unknown) => {
        throw new Error(`sweep: the run "${nameTrial(trial)}" cannot be judged. ${String(cause)}`, { cause });
      });
    const points = clean.worlds.flatMap(({ calls, webhooks }) => [...calls, ...webhooks]);
    const swept = await sweepAll(run, clean, points, { faults, pairs, concurrency, isOver, each });
    const wishes = { accept, untried: [], evidence, folder, script, command: null, settle };
    return await reportSweep(swept, wishes, world);
  } finally {
    bar?.hide();
    close();
  }
}

/** Runs the flow twice without faults. References that differ between the two runs are random. */
async function runClean(
  flow: SweepFlow,
  place: NodePlace,
  always: Pick<RunSettings, 'timeoutMs' | 'settle' | 'setup'>,
) {
  const settings = { ...always, hasReferences: true, cleanOrders: null };
  const first = await runFlow(flow, [], place, settings);
  requireClean(first);
  const hasReferences = haveSameReferences(first, await runFlow(flow, [], place, settings));
  return { clean: hasReferences ? first : withoutReferences(first), hasReferences };
}

function requireConcurrency(concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= CONCURRENCY_MAX) return;
  throw new TypeError(
    `sweep: concurrency is ${concurrency}; it must be a whole number from 1 to ${CONCURRENCY_MAX}.`,
  );
}

function choosePlace({ listen = false, settings = {} }: Pick<SweepOptions, 'listen' | 'settings'>): {
  readonly place: NodePlace;
  readonly close: () => void;
} {
  const { PLAYMONEY_URL: url = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = process.env;
  if (url === '') {
    const openRoom = listen ? openRoomOnPort : openRoomInProcess;
    const place = new NodePlace(listen, listen ? null : WITHIN, settings, openRoom);
    return { place, close: () => place.close() };
  }
  const base = url.replace(/\/+$/, '');
  const rooms = new ServerRooms(base, adminToken);
  const place = new NodePlace(true, base, settings, (key) => rooms.open(key));
  const close = (): void => {
    place.close();
    rooms.close();
  };
  return { place, close };
}

function requireDurationMs(name: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new TypeError(`sweep: ${name} is ${JSON.stringify(text)}; it must be a duration, such as 30s.`);
}
