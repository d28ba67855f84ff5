import { parseDuration } from '../../core/time/time.js';
import { haveSameReferences, requireClean, sweepAll, withoutReferences } from '../../sweep/engine.js';
import { resolveFaults } from '../../sweep/faults.js';
import { groupFindings } from '../../sweep/findings.js';
import type { SweepFlow, SweepOptions } from '../../sweep/public.js';
import { SweepReport } from '../../sweep/report.js';
import { type SweepRun, runFlow } from '../../sweep/run.js';
import { nameTrial, type Trial } from '../../sweep/trial.js';
import { NODE_HOST } from '../machine/host.js';
import { formatYaml } from '../terminal/yaml-text.js';
import { WITHIN } from '../../client/call.js';
import { createSweepBar } from './bar.js';
import { ServerRooms } from './server-rooms.js';
import { saveReport } from './save.js';
import { NodePlace, openRoomInProcess, openRoomOnPort } from './place.js';

const TIMEOUT = '10s';
const CONCURRENCY_MAX = 64;

/** Sweeps a flow in this process, or on the server that the environment names. */
export async function sweep(flow: SweepFlow, options: SweepOptions = {}): Promise<SweepReport> {
  const faults = resolveFaults(options.faults);
  const timeoutMs = requireDurationMs('timeout', options.timeout ?? TIMEOUT);
  const budgetMs = options.time === undefined ? Infinity : requireDurationMs('time', options.time);
  const { concurrency = 1, pairs = true, accept = [], report: folder } = options;
  // A terminal shows a bar; a log of a test run should not.
  const bar = options.each === undefined && process.stderr.isTTY ? createSweepBar() : null;
  const each = options.each ?? bar?.each ?? ((): void => {});
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX)
    throw new TypeError(
      `sweep: concurrency is ${concurrency}; it must be a whole number from 1 to ${CONCURRENCY_MAX}.`,
    );
  const { place, close } = choosePlace(options);
  // No timer: in process, runs may follow each other without giving one its turn.
  const end = NODE_HOST.now() + budgetMs;
  try {
    const plain = { hasReferences: true, timeoutMs, cleanOrders: null };
    const first = await runFlow(flow, [], place, plain);
    requireClean(first);
    const hasReferences = haveSameReferences(first, await runFlow(flow, [], place, plain));
    const clean = hasReferences ? first : withoutReferences(first);
    const cleanOrders = clean.worlds[0]?.orders ?? null;
    const run = (trial: Trial): Promise<SweepRun> =>
      runFlow(flow, trial, place, { hasReferences, timeoutMs, cleanOrders }).catch((cause: unknown) => {
        throw new Error(`sweep: the run "${nameTrial(trial)}" cannot be judged. ${String(cause)}`, { cause });
      });
    const points = clean.worlds.flatMap(({ calls, webhooks }) => [...calls, ...webhooks]);
    const settings = { faults, pairs, concurrency, isOver: () => NODE_HOST.now() >= end, each };
    const swept = await sweepAll(run, clean, points, settings);
    const report = new SweepReport(
      swept,
      await groupFindings(swept.results, accept, formatYaml),
      [],
      folder ?? null,
    );
    if (folder !== undefined) await saveReport(report, folder);
    return report;
  } finally {
    bar?.hide();
    close();
  }
}

function choosePlace({ listen = false, settings = {} }: SweepOptions): {
  readonly place: NodePlace;
  readonly close: () => void;
} {
  const { PLAYMONEY_URL: url = '', PLAYMONEY_ADMIN_TOKEN: adminToken } = process.env;
  if (url !== '') {
    const base = url.replace(/\/+$/, '');
    const rooms = new ServerRooms(base, adminToken);
    const place = new NodePlace(true, base, settings, (key) => rooms.open(key));
    return {
      place,
      close: () => {
        place.close();
        rooms.close();
      },
    };
  }
  const place = new NodePlace(
    listen,
    listen ? null : WITHIN,
    settings,
    listen ? openRoomOnPort : openRoomInProcess,
  );
  return { place, close: () => place.close() };
}

function requireDurationMs(name: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new TypeError(`sweep: ${name} is ${JSON.stringify(text)}; it must be a duration, such as 30s.`);
}
