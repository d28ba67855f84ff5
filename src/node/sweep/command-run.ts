import type { StdioOptions } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WorldOptions } from '../../client/asked.js';
import type { Duration } from '../../client/words.js';
import { formatDuration } from '../../core/time/time.js';
import { createInnerSandbox, type InnerSandbox } from '../../app/sandbox.js';
import { parseScenario } from '../../scenarios/file/schema.js';
import { observeWorld, type ObservedWorld, type SweepRun, WEBHOOK_SECRET } from '../../sweep/run.js';
import { isOverWithFlow, trialScenario, type Trial } from '../../sweep/trial.js';
import { WORLD_OPTIONS } from '../../world/settings.js';
import type { World } from '../../world/world.js';
import { runChild } from '../exec/child.js';
import { buildTrustFile, EXEC_KEY } from '../exec/exec.js';
import { describeListenFault } from '../http/listen-fault.js';
import { serveHttp } from '../http/serve.js';
import { folderLibrary } from '../library.js';
import { NODE_HOST } from '../machine/host.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { CommandError, EXIT_FAILED, requireCommandMessage } from '../terminal/terminal.js';
import { captureOutput, waitForExit } from './capture.js';
import { ordersByWorld } from './orders.js';
import { createHandle } from './place.js';

/** The default time of worlds is that of the runners' fixtures. */
const CLOCK = { mode: 'manual' } as const;

/** The options of a run. Only the first one has no time that follows from another. */
export type SweptRunOptions = SweepCommandOptions & {
  readonly timeout: number;
  /** Where the run without faults prints; the others print nothing. */
  readonly cleanOutput: StdioOptions;
};

/** The state that the processes of one run share. */
interface RunContext {
  readonly sandbox: InnerSandbox;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the fixtures of the runners save a file for the world of each test that fails. */
  readonly failures: string;
}

/** Runs a command once, with its own server, and reads the result in each world. */
export async function runSweptCommand(
  command: readonly string[] | string,
  trial: Trial,
  options: SweptRunOptions,
): Promise<SweepRun> {
  const injected = trial.length === 0 ? null : buildInjection(trial);
  const { keys, webhookSecret: secret, port, https, tlsDir } = options;
  const webhookSecret = secret ?? WEBHOOK_SECRET;
  const sandbox = createInnerSandbox(NODE_HOST, {
    ...pickWorldOptions(options),
    keys,
    webhookSecret,
    clock: CLOCK,
    library: folderLibrary(),
    ...(injected === null ? {} : { injected }),
  });
  const secure = https ? { https: tlsDir === null ? {} : { dir: tlsDir } } : {};
  const wire = { port, host: '127.0.0.1', ...secure };
  const listening = await serveHttp(sandbox, wire).catch((error: unknown) => {
    throw new CommandError(describeListenFault(error, wire), EXIT_FAILED);
  });
  const failures = await mkdtemp(join(tmpdir(), 'playmoney-sweep-'));
  const trust = await buildTrustFile(listening);
  const env = {
    ...process.env,
    ...(trust === null ? {} : { NODE_EXTRA_CA_CERTS: trust.file }),
    PLAYMONEY_URL: listening.url,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    PLAYMONEY_WEBHOOK_SECRET: webhookSecret,
    PLAYMONEY_BUNDLES: failures,
  };
  try {
    return await runAndObserve({ sandbox, env, failures }, command, trial, options);
  } finally {
    sandbox.close();
    await listening.close(0);
    for (const folder of [failures, trust?.folder])
      if (folder) await rm(folder, { recursive: true, force: true });
  }
}

/** The options for the worlds. */
export function pickWorldOptions(options: SweepCommandOptions): WorldOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name in WORLD_OPTIONS));
}

async function runAndObserve(
  { sandbox, env, failures }: RunContext,
  command: readonly string[] | string,
  trial: Trial,
  { orders, recover, timeout, settle, cleanOutput }: SweptRunOptions,
): Promise<SweepRun> {
  const isClean = trial.length === 0;
  const exitCode = await waitForExit(await runChild(command, env, isClean ? cleanOutput : 'ignore'), timeout);
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
  const recoveryFailure = await letTimePass(sandbox, settle, () => runRecovery(recover, env, timeout));
  if (isClean && recoveryFailure !== null) return { worlds: [], failure: recoveryFailure, isStuck: false };
  const printed = orders === null ? null : await captureOutput(orders, env, timeout);
  const worlds = await observeAll(sandbox, printed, flowEnds);
  return {
    worlds: worlds.map(({ key, observed }) => ({
      ...observed,
      testFailed: exitCode !== 0 && (failed.length === 0 || failed.includes(key)),
    })),
    failure: exitCode === 0 ? recoveryFailure : 'the command failed',
    isStuck: exitCode === null,
  };
}

function buildInjection(trial: Trial) {
  const parsed = parseScenario(trialScenario(trial, trial.length === 1));
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

/** Null if the job succeeded, otherwise how it failed. A second fault may make it fail. */
async function runRecovery(
  recover: string | null,
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<string | null> {
  try {
    if (recover !== null) await captureOutput(recover, env, timeout);
    return null;
  } catch (error) {
    return requireCommandMessage(error);
  }
}

/** An hour, then the recovery, then what `--settle` says. */
async function letTimePass<T>(sandbox: InnerSandbox, settle: number, recover: () => Promise<T>): Promise<T> {
  const advanceAll = async (by: Duration): Promise<void> => {
    for (const { key } of sandbox.worlds.all()) {
      const handle = createHandle(sandbox, key);
      await handle.settle();
      await handle.clock.advance(by);
    }
  };
  await advanceAll('1h');
  const recovered = await recover();
  await advanceAll(formatDuration(settle) as Duration);
  return recovered;
}

async function observeAll(
  sandbox: InnerSandbox,
  printed: Uint8Array | null,
  flowEnds: ReadonlyMap<string, number>,
): Promise<{ readonly key: string; readonly observed: ObservedWorld }[]> {
  const worlds = [...sandbox.worlds.all()];
  const all = worlds.map((world) => ({
    key: world.key,
    name: nameWorld(world, worlds),
    handle: createHandle(sandbox, world.key),
  }));
  const believed = printed === null ? null : await ordersByWorld(printed, all);
  const observed: { readonly key: string; readonly observed: ObservedWorld }[] = [];
  for (const { key, name, handle } of all) {
    const at = {
      orders: believed === null ? null : (believed.get(name) ?? []),
      flowEnd: flowEnds.get(key) ?? 0,
    };
    observed.push({ key, observed: await observeWorld(handle, name, at, { hasReferences: false }) });
  }
  return observed;
}

/** The name of a world in reports. Without a name, or if tests of two files share it, its hash is added. */
function nameWorld({ settings: { name }, keyHash }: World, all: readonly World[]): string {
  if (name === null) return keyHash;
  return all.filter(({ settings }) => settings.name === name).length > 1 ? `${name} (${keyHash})` : name;
}
