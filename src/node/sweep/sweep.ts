import { parseDuration } from '../../core/time/time.js';
import {
  haveSameReferences,
  requireClean,
  requireIsolated,
  sweepAll,
  withoutReferences,
} from '../../sweep/engine.js';
import { toAgreedOrders } from '../../sweep/expected.js';
import type { SweepFlow, SweepOptions } from '../../sweep/public.js';
import type { SweepReport } from '../../sweep/report/report.js';
import { NEXT_DAY, runFlow, type RunSettings } from '../../sweep/run.js';
import { nameTrial, type Trial } from '../../sweep/trial.js';
import { WITHIN } from '../../client/call.js';
import { CONCURRENCY_MAX, RACES_DEFAULT, RACES_MAX } from '../options/sweep-options.js';
import { DEFAULT_SCRIPT, locateCaller } from './call-site.js';
import { createSweepBar, startBudget } from './progress.js';
import { ServerRooms } from './server-rooms.js';
import { reportSweep } from './save.js';
import { NodePlace } from './place.js';
import { resolveFaults, endsProgram } from '../../sweep/choose-faults.js';
import type { SweepRun } from '../../sweep/observed.js';
import { openRoomOnPort, openRoomInProcess } from './rooms.js';

const TIMEOUT = '10s';

/** Sweeps a flow in this process, or on the server that the environment names. */
export async function sweep<Given = undefined>(
  checkout: SweepFlow<Given>,
  options: SweepOptions<Given> = {},
): Promise<SweepReport> {
  // The result of the setup is passed on to the flow unread.
  const flow = checkout as SweepFlow;
  const { setup, settle = NEXT_DAY } = options as SweepOptions;
  requireDurationMs('settle', settle);
  const faults = resolveFaults(options.faults, options.crash);
  const timeoutMs = requireDurationMs('timeout', options.timeout ?? TIMEOUT);
  const timeMs = options.time === undefined ? null : requireDurationMs('time', options.time);
  const { concurrency = 1, pairs = true, accept = [], expect, report: folder = null } = options;
  const { evidence = null, settings: world = {} } = options;
  const script = locateCaller() ?? DEFAULT_SCRIPT;
  requireWhole('concurrency', concurrency, 1, CONCURRENCY_MAX);
  // Calls over a port do not show whose they are.
  const races = options.listen ? 0 : (options.races ?? RACES_DEFAULT);
  requireWhole('races', races, 0, RACES_MAX);
  // A terminal shows a bar; a log of a test run should not.
  const bar = options.each === undefined && process.stderr.isTTY ? createSweepBar() : null;
  const each = options.each ?? bar?.each ?? ((): void => {});
  const { place, close } = choosePlace(options, faults.some(endsProgram));
  const isOver = startBudget(timeMs);
  try {
    const always = { timeoutMs, settle, setup };
    const expected = expect === undefined ? null : toAgreedOrders(expect);
    const { clean, hasReferences } = await runClean(flow, place, { ...always, expected });
    const cleanOrders = clean.worlds[0]?.orders ?? null;
    const settings = { ...always, hasReferences, cleanOrders, expected: null };
    const run = (trial: Trial): Promise<SweepRun> =>
      runFlow(flow, trial, place, settings).catch((cause: unknown) => {
        throw new Error(`sweep: the run "${nameTrial(trial)}" cannot be judged. ${String(cause)}`, { cause });
      });
    const points = clean.worlds.flatMap(({ calls, webhooks }) => [...calls, ...webhooks]);
    const swept = await sweepAll(run, clean, points, { faults, pairs, concurrency, races, isOver, each });
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
  given: Pick<RunSettings, 'timeoutMs' | 'settle' | 'setup' | 'expected'>,
) {
  const settings = { hasReferences: true, cleanOrders: null, ...given };
  const first = await runFlow(flow, [], place, settings);
  requireClean(first);
  const second = await runFlow(flow, [], place, settings);
  requireIsolated(first, second, 'Each run must create everything that it uses.');
  const hasReferences = haveSameReferences(first, second);
  return { clean: hasReferences ? first : withoutReferences(first), hasReferences };
}

function requireWhole(name: string, given: number, min: number, max: number): void {
  if (Number.isInteger(given) && given >= min && given <= max) return;
  throw new TypeError(`sweep: ${name} is ${given}; it must be a whole number from ${min} to ${max}.`);
}

function choosePlace(
  { listen = false, settings = {} }: Pick<SweepOptions, 'listen' | 'settings'>,
  hasCrashes: boolean,
): {
  readonly place: NodePlace;
  readonly close: () => void;
} {
  const { PLAYMONEY_URL: url = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = process.env;
  if (url === '') {
    const openRoom = listen ? openRoomOnPort : openRoomInProcess;
    const place = new NodePlace(listen, listen ? null : WITHIN, settings, openRoom);
    return { place, close: () => place.close() };
  }
  if (hasCrashes)
    throw new TypeError(
      'sweep: PLAYMONEY_URL names a server, on which nobody sees when a program has to crash. Unset it for a sweep with crashes.',
    );
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
