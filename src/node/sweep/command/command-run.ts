import type { StdioOptions } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WorldOptions } from '../../../client/asked.js';
import type { Duration } from '../../../client/words.js';
import { formatDuration } from '../../../core/time/time.js';
import { createInnerSandbox, type InnerSandbox } from '../../../app/sandbox.js';
import { parseScenario } from '../../../scenarios/file/schema.js';
import { countHits, NEXT_HOUR, WEBHOOK_SECRET } from '../../../sweep/run.js';
import { isInFlight } from '../../../sweep/in-flight.js';
import { hasCrash, isOverWithFlow, trialScenario, type Trial } from '../../../sweep/trial.js';
import { WORLD_OPTIONS } from '../../../world/settings.js';
import { buildTrustFile, EXEC_KEY } from '../../exec/exec.js';
import { describeListenFault } from '../../http/listen-fault.js';
import type { CallableApp } from '../../http/request-steps.js';
import { type HttpListening, serveHttp } from '../../http/serve.js';
import { folderLibrary } from '../../library.js';
import { NODE_HOST } from '../../machine/host.js';
import type { SweepCommandOptions } from '../../options/sweep-options.js';
import {
  CommandError,
  EXIT_BAD_OPTION,
  EXIT_FAILED,
  requireCommandMessage,
} from '../../terminal/terminal.js';
import { captureOutput } from './capture.js';
import { Parties } from '../parties.js';
import { Supervisor } from './supervisor.js';
import { runTwice } from './twice.js';
import type { SweepRun } from '../../../sweep/observed.js';
import { createHandle } from '../rooms.js';
import { CallsInFlight } from './calls-in-flight.js';
import { observeAll } from './observe-worlds.js';

/** The default time of worlds is that of the runners' fixtures. */
const CLOCK = { mode: 'manual' } as const;

/** The options of a run. */
export type SweptRunOptions = SweepCommandOptions & {
  readonly timeout: number;
  /** How many milliseconds a command may take to its next call before another one goes on. */
  readonly patience: number;
};

/** The state that the processes of one run share. */
interface RunContext {
  readonly sandbox: InnerSandbox;
  readonly env: NodeJS.ProcessEnv;
  readonly supervisor: Supervisor;
  /** The folder in which the fixtures of the runners save a file for the world of each test that fails. */
  readonly failures: string;
  readonly inFlight: CallsInFlight | null;
  /** Serves calls on a port, by this app or by one around it. */
  readonly serve: (port: number, wrap?: (app: CallableApp) => CallableApp) => Promise<HttpListening>;
  readonly first: FirstRun;
}

/** Where the first clean run prints, and the text of `--expect`. */
interface FirstRun {
  readonly output: StdioOptions;
  readonly expected: string | null;
}

/** Runs a command once, or twice at the same time, with its own server, and reads the result in each world. */
export async function runSweptCommand(
  command: readonly string[] | string,
  trial: Trial,
  options: SweptRunOptions,
  first: FirstRun = { output: 'ignore', expected: null },
): Promise<SweepRun> {
  const injected = trial.length === 0 ? null : buildInjection(trial);
  const { keys, webhookSecret: secret, port, https, tlsDir } = options;
  const webhookSecret = secret ?? WEBHOOK_SECRET;
  const env: NodeJS.ProcessEnv = { ...process.env };
  const supervisor = new Supervisor(env, options);
  const sandbox = createInnerSandbox(NODE_HOST, {
    ...pickWorldOptions(options),
    keys,
    webhookSecret,
    clock: CLOCK,
    library: folderLibrary(),
    ...(injected === null ? {} : { injected }),
    ...(hasCrash(trial) ? { onHang: (call) => supervisor.crash(call) } : {}),
  });
  const inFlight = isInFlight(trial) ? new CallsInFlight(sandbox) : null;
  const secure = https ? { https: tlsDir === null ? {} : { dir: tlsDir } } : {};
  const observe = (request: IncomingMessage): void => supervisor.noteSocket(request);
  const serve: RunContext['serve'] = (on, wrap = (app) => app) => {
    const wire = { port: on, host: '127.0.0.1', ...secure };
    const served = { app: wrap(inFlight ?? sandbox.app), worlds: sandbox.worlds };
    return serveHttp(served, { ...wire, observe }).catch((error: unknown) => {
      throw new CommandError(describeListenFault(error, wire), EXIT_FAILED);
    });
  };
  const listening = await serve(port);
  const trust = await buildTrustFile(listening);
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-sweep-'));
  const [failures, disk] = [join(folder, 'failures'), join(folder, 'disk')];
  await Promise.all([mkdir(failures), mkdir(disk)]);
  Object.assign(env, {
    ...(trust === null ? {} : { NODE_EXTRA_CA_CERTS: trust.file }),
    PLAYMONEY_URL: listening.url,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    PLAYMONEY_WEBHOOK_SECRET: webhookSecret,
    PLAYMONEY_BUNDLES: failures,
    PLAYMONEY_DISK: disk,
  });
  try {
    const context = { sandbox, env, supervisor, failures, inFlight, serve, first };
    return await runAndObserve(context, command, trial, options);
  } finally {
    sandbox.close();
    await listening.close(0);
    for (const path of [folder, trust?.folder]) if (path) await rm(path, { recursive: true, force: true });
  }
}

/** The options for the worlds. */
export function pickWorldOptions(options: SweepCommandOptions): WorldOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name in WORLD_OPTIONS));
}

async function runAndObserve(
  { sandbox, env, supervisor, failures, inFlight, serve, first }: RunContext,
  command: readonly string[] | string,
  trial: Trial,
  { orders, recover, timeout, settle, twice, patience }: SweptRunOptions,
): Promise<SweepRun> {
  const isClean = trial.length === 0;
  const run = (url?: string): Promise<number | null> => supervisor.run(command, first.output, url);
  const parties = new Parties(trial, patience);
  const exitCodes = twice ? await runTwice((hold) => serve(0, hold), parties, run) : [await run()];
  const exitCode = chooseExitCode(exitCodes, isClean);
  if (isClean && exitCode !== 0)
    return {
      worlds: [],
      failure: `it ended with exit code ${exitCode ?? 'none'}`,
      isStuck: exitCode === null,
    };
  const failed = exitCode === 0 ? [] : await listFailedKeys(failures);
  // Only the clean run tells which calls are those of the command, and which are those of the recovery.
  const flowEnds = isClean ? await findLastCalls(sandbox) : new Map<string, number>();
  if (isOverWithFlow(trial)) for (const { script } of sandbox.worlds.all()) script.inject(null);
  await inFlight?.arrive(true);
  const recoveryFailure = await letTimePass(sandbox, settle, () =>
    runRecovery(recover, { env, supervisor }, timeout),
  );
  if (isClean && recoveryFailure !== null) return { worlds: [], failure: recoveryFailure, isStuck: false };
  const { printed, failure: unread } = await captureOrders(orders, env, timeout, isClean);
  const worlds = await observeAll(sandbox, printed, first.expected, flowEnds);
  return {
    worlds: worlds.map(({ key, observed }) => ({
      ...observed,
      parties: parties.byRequestId,
      testFailed: exitCode !== 0 && (failed.length === 0 || failed.includes(key)),
    })),
    failure: exitCode === 0 ? (recoveryFailure ?? unread) : `the command ${describeEnd(exitCode)}`,
    isStuck: exitCode === null,
    togethers: parties.togethers,
  };
}

const describeEnd = (exitCode: number | null): string =>
  exitCode === null ? 'did not end' : `exited with ${exitCode}`;

/** Of two commands, one must succeed, since the other may find nothing to do. Without a fault, that is the first. */
function chooseExitCode(codes: readonly (number | null)[], isClean: boolean): number | null {
  if (codes.includes(null)) return null;
  return !isClean && codes.includes(0) ? 0 : (codes[0] ?? null);
}

function buildInjection(trial: Trial) {
  const parsed = parseScenario(trialScenario(trial, trial.length === 1 ? 'over HTTP' : 'in process'));
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(`Failed to inject ${JSON.stringify(parsed.issues)}`);
}

/** The keys of the worlds whose tests failed; empty if unknown. */
async function listFailedKeys(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files.map((file) => `sk_test_${file.replace(/\.json$/, '')}`);
}

/** The number of the last call to each world, by its key. */
async function findLastCalls(sandbox: InnerSandbox): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (const { key } of sandbox.worlds.all())
    last.set(key, (await createHandle(sandbox, key).journal.entries()).at(-1)?.entryId ?? 0);
  return last;
}

/** Prints no orders, and how that failed, if a fault may have come before anything was saved. */
async function captureOrders(
  orders: string | null,
  env: NodeJS.ProcessEnv,
  timeout: number,
  isClean: boolean,
): Promise<{ readonly printed: Uint8Array | null; readonly failure: string | null }> {
  if (orders === null) return { printed: null, failure: null };
  try {
    return { printed: await captureOutput(orders, env, timeout), failure: null };
  } catch (error) {
    const hasFailed = error instanceof CommandError && error.exitCode === EXIT_BAD_OPTION;
    if (isClean || !hasFailed) throw error;
    return { printed: new Uint8Array(), failure: error.message };
  }
}

/** Null if the job succeeded, otherwise how it failed. A second fault may make it fail. */
async function runRecovery(
  recover: string | null,
  { env, supervisor }: Pick<RunContext, 'env' | 'supervisor'>,
  timeout: number,
): Promise<string | null> {
  try {
    if (recover !== null) await supervisor.runJob((watch) => captureOutput(recover, env, timeout, watch));
    return null;
  } catch (error) {
    return requireCommandMessage(error);
  }
}

/** An hour, then the recovery, once more if it got a fault itself, then what `--settle` says. */
async function letTimePass<T>(sandbox: InnerSandbox, settle: number, recover: () => Promise<T>): Promise<T> {
  const advanceAll = async (by: Duration): Promise<void> => {
    for (const { key } of sandbox.worlds.all()) {
      const handle = createHandle(sandbox, key);
      await handle.settle();
      await handle.clock.advance(by);
    }
  };
  const countAllHits = async (): Promise<number> => {
    const handles = Array.from(sandbox.worlds.all(), ({ key }) => createHandle(sandbox, key));
    const hits = await Promise.all(handles.map(countHits));
    return hits.reduce((sum, n) => sum + n, 0);
  };
  await advanceAll(NEXT_HOUR);
  const hits = await countAllHits();
  let recovered = await recover();
  if ((await countAllHits()) > hits) {
    await advanceAll(NEXT_HOUR);
    recovered = await recover();
  }
  await advanceAll(formatDuration(settle) as Duration);
  return recovered;
}
