import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { World as Handle } from '../../client/world.js';
import { createSandbox, type Sandbox } from '../../app/sandbox.js';
import { parseScenario } from '../../scenarios/file/schema.js';
import { observe, type Observed, type Run, WEBHOOK_SECRET } from '../../sweep/run.js';
import { isOverWithFlow, scenarioOf, type Trial } from '../../sweep/trial.js';
import { WORLD_OPTIONS } from '../../world/settings.js';
import type { World } from '../../world/world.js';
import { runChild } from '../exec/child.js';
import { EXEC_KEY } from '../exec/exec.js';
import { serve } from '../http/serve.js';
import { folderLibrary } from '../library.js';
import { NODE_HOST } from '../machine/host.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { WITHIN } from '../machine/places.js';
import { CommandError } from '../terminal/terminal.js';
import { capture } from './capture.js';
import { ordersByWorld } from './orders.js';

/** Sandboxes whose tests choose no other time are as those of the runners' fixtures. */
const CLOCK = { mode: 'manual' } as const;

/** Runs a command once, with its own server, and looks at what it left in each world. */
export async function runCommand(
  command: readonly string[],
  trial: Trial,
  options: SweepCommandOptions,
): Promise<Run> {
  const injected = trial.length === 0 ? null : injectedBy(trial);
  const { orders: askOrders, recover, timeout, keys } = options;
  const settings = Object.fromEntries(Object.entries(options).filter(([name]) => name in WORLD_OPTIONS));
  const webhookSecret = options.webhookSecret ?? WEBHOOK_SECRET;
  const sandbox = createSandbox(NODE_HOST, {
    ...settings,
    keys,
    webhookSecret,
    clock: CLOCK,
    library: folderLibrary(),
    ...(injected === null ? {} : { injected }),
  });
  const listening = await serve(sandbox, { port: 0, host: '127.0.0.1' });
  const failures = await mkdtemp(join(tmpdir(), 'playmoney-sweep-'));
  const env = {
    ...process.env,
    PLAYMONEY_URL: listening.url,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    PLAYMONEY_WEBHOOK_SECRET: webhookSecret,
    // The fixtures of the runners save a file for the world of each test that fails.
    PLAYMONEY_BUNDLES: failures,
  };
  try {
    const child = await runChild(command, env, trial.length === 0 ? 'inherit' : 'ignore');
    const exitCode = await within(child.ended, timeout, () => child.pass('SIGKILL'));
    await child.clear();
    if (exitCode !== null && child.isInterrupted()) throw new CommandError('sweep was interrupted', exitCode);
    const failed = exitCode === 0 ? [] : await failedKeys(failures);
    if (trial.length === 0 && exitCode !== 0)
      return {
        worlds: [],
        failure: `it ended with exit code ${exitCode ?? 'none'}`,
        isStuck: exitCode === null,
      };
    if (isOverWithFlow(trial)) for (const { script } of sandbox.worlds.all()) script.inject(null);
    await letTimePass(sandbox, recover, env);
    const asked = askOrders === null ? null : await capture(askOrders, env);
    const worlds = await observeAll(sandbox, asked);
    return {
      worlds: worlds.map(({ key, observed }) => ({
        ...observed,
        testFailed: exitCode !== 0 && (failed.length === 0 || failed.includes(key)),
      })),
      failure: exitCode === 0 ? null : 'the command failed',
      isStuck: exitCode === null,
    };
  } finally {
    sandbox.close();
    await listening.close(0);
    await rm(failures, { recursive: true, force: true });
  }
}

function injectedBy(trial: Trial) {
  const parsed = parseScenario(scenarioOf(trial, trial.length === 1));
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(`Failed to inject ${JSON.stringify(parsed.issues)}`);
}

/** Null if the time is over, after which the command is ended. */
async function within(ended: Promise<number>, ms: number, stop: () => void): Promise<number | null> {
  let cancel = (): void => {};
  const over = new Promise<null>((resolve) => (cancel = NODE_HOST.timer(() => resolve(null), ms, true)));
  const result = await Promise.race([ended, over]);
  cancel();
  if (result !== null) return result;
  stop();
  await ended;
  return null;
}

/** The keys of the worlds whose tests failed; empty if nothing says which. */
async function failedKeys(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files.map((file) => `sk_test_${file.replace(/\.json$/, '')}`);
}

/** An hour, then the recovery, then a day. */
async function letTimePass(sandbox: Sandbox, recover: string | null, env: NodeJS.ProcessEnv): Promise<void> {
  const advanceAll = async (by: '1h' | '1d'): Promise<void> => {
    for (const { key } of sandbox.worlds.all()) {
      const handle = handleOf(sandbox, key);
      await handle.settle();
      await handle.clock.advance(by);
    }
  };
  await advanceAll('1h');
  if (recover !== null) await capture(recover, env);
  await advanceAll('1d');
}

async function observeAll(
  sandbox: Sandbox,
  orders: string | null,
): Promise<{ readonly key: string; readonly observed: Observed }[]> {
  const all = Array.from(sandbox.worlds.all(), (world) => ({
    key: world.key,
    name: nameOf(world),
    handle: handleOf(sandbox, world.key),
  }));
  const believed = orders === null ? null : await ordersByWorld(orders, all);
  const observed: { readonly key: string; readonly observed: Observed }[] = [];
  for (const { key, name, handle } of all) {
    const at = { orders: believed === null ? null : (believed.get(name) ?? []), flowEnd: Infinity };
    observed.push({ key, observed: await observe(handle, name, at, { hasReferences: false }) });
  }
  return observed;
}

/** What a world is called in reports: tests name theirs. */
function nameOf({ settings, key }: World): string {
  return settings.name ?? key.slice(0, -4);
}

function handleOf(sandbox: Sandbox, key: string): Handle {
  return new Handle({ url: WITHIN, key, adminToken: null, fetch: (request) => sandbox.fetch(request) });
}
