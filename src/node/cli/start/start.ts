import { MEBIBYTE } from '../../../core/limits/memory.js';
import {
  createInnerSandbox,
  DEFAULT_WORLDS_MAX,
  type InnerSandbox,
  type InnerSandboxOptions,
} from '../../../app/sandbox.js';
import type { ScenarioLibrary } from '../../../scenarios/file/library.js';
import type { Scenario } from '../../../scenarios/script/model.js';
import { NODE_HOST } from '../../machine/host.js';
import { listVariables, whyIgnored } from '../../options/variables.js';
import type { EnvVariables } from '../../options/option.js';
import { isOptionFault, describeListenFault } from '../../http/listen-fault.js';
import type { HttpsOptions } from '../../http/listener.js';
import { createRequestLog } from '../../http/request-log.js';
import { type HttpListening, serveHttp, type ServedApp } from '../../http/serve.js';
import type { OpenedBundle } from '../../bundles/open.js';
import { defaultMemoryMax, OLD_SHARE } from '../../machine/memory.js';
import type { KeptWorlds } from '../../state/kept-worlds.js';
import { chooseScenario, type ChosenScenario } from '../choose-scenario.js';
import { folderLibrary } from '../../library.js';
import type { StartOptions } from '../../options/option-table.js';
import { formatDistrustNote, isLoopbackHost } from './start-note.js';
import {
  CommandError,
  EXIT_BAD_OPTION,
  EXIT_FAILED,
  formatLines,
  type Output,
  print,
} from '../../terminal/terminal.js';
import { reportOnce } from '../../terminal/report-once.js';
import { watchScenario } from './watch.js';

/** How long open requests may take after SIGTERM; process managers wait at least 2 s. */
const GRACE_MS = 1000;
/** How many worlds of --state are in memory: the others are in their files. */
const SAVED_WORLDS_MAX = 1_000;
const STDERR: Pick<Output, 'err'> = { err: (text) => print(process.stderr, text) };

export interface RunningServer {
  readonly listening: HttpListening;
  readonly scenario: Scenario | null;
  /** The worlds that --state saved; null without --state. */
  readonly kept: KeptWorlds | null;
  /** Ends open requests and saves the worlds; resolves with whether that succeeded. */
  close(): Promise<boolean>;
}

export interface StartParts {
  readonly opened?: OpenedBundle | null;
  /** A wrapper to serve instead of the sandbox itself. */
  readonly serving?: (sandbox: InnerSandbox) => ServedApp;
}

/** Starts a server with the given options; ends the program with a message if it cannot. */
export async function startServer(options: StartOptions, parts: StartParts = {}): Promise<RunningServer> {
  const { opened = null, serving = (sandbox: InnerSandbox): ServedApp => sandbox } = parts;
  if (!options.quiet) reportIgnoredVariables(process.env);
  const library = folderLibrary();
  const chosen = options.scenario === null ? null : await chooseOrExit(options.scenario, library);
  const scenario = chosen?.scenario ?? opened?.scenario ?? null;
  const kept = options.state === null ? null : await loadKeptWorlds(options.state);
  const sandbox = createInnerSandbox(NODE_HOST, {
    ...buildSandboxOptions(options),
    trustProxy: 'proto',
    library,
    name: opened?.name ?? null,
    ...(scenario === null ? {} : { scenario }),
    ...(options.quiet ? {} : { onTurnedAway: reportOnce(STDERR) }),
  });
  // Loaded now, so that the first request does not wait for it.
  if (scenario !== null) await sandbox.worlds.load();
  await opened?.restore(sandbox);
  const keeper = await kept?.keep(sandbox);
  const endExpiry = options.expire === null ? null : await expireIdleWorlds(sandbox, options.expire);
  const listening = await listenOrFail(serving(sandbox), options);
  if (options.watch && options.scenario !== null && chosen?.text) {
    watchScenario(sandbox, options.scenario, chosen.text);
  }
  const close = async (): Promise<boolean> => {
    const closed = listening.close(GRACE_MS);
    sandbox.worlds.endWaits();
    endExpiry?.();
    await closed;
    return (await keeper?.end()) ?? true;
  };
  return { listening, scenario, kept, close };
}

/** Names the variables that have no effect, since they may be misspelled. */
function reportIgnoredVariables(env: EnvVariables): void {
  const report = reportOnce(STDERR);
  for (const name of listVariables(env)) {
    const why = whyIgnored(name, env);
    if (why !== null) report(`${name}: ${why}`);
  }
}

/** Loaded only for --state, since it needs the schema of scenarios. */
async function loadKeptWorlds(path: string): Promise<KeptWorlds> {
  const { openStateFolder } = await import('../../state/kept-worlds.js');
  return openStateFolder(path);
}

/** Loaded only for --expire. */
async function expireIdleWorlds({ worlds }: InnerSandbox, ms: number): Promise<() => void> {
  const { expireWorlds } = await import('../../state/kept-worlds.js');
  return expireWorlds(worlds, ms);
}

async function chooseOrExit(given: string, library: ScenarioLibrary): Promise<ChosenScenario> {
  const chosen = await chooseScenario(given, library);
  if ('scenario' in chosen) return chosen;
  print(process.stderr, formatLines(chosen));
  return process.exit(EXIT_BAD_OPTION);
}

async function listenOrFail(served: ServedApp, options: StartOptions): Promise<HttpListening> {
  const { port, host, log, https, requestsMax } = options;
  const observe =
    log === 'off' ? {} : { observe: createRequestLog(log, (line) => print(process.stderr, line)) };
  const secure = https ? { https: buildHttpsOptions(options) } : {};
  const wire = { port, host, requestsMax, overrideGlobalObjects: true, ...observe, ...secure };
  return serveHttp(served, wire).catch((error: unknown) => {
    const exitCode = isOptionFault(error) ? EXIT_BAD_OPTION : EXIT_FAILED;
    throw new CommandError(describeListenFault(error, options), exitCode);
  });
}

function buildHttpsOptions({ tlsDir, allowedHosts, quiet }: StartOptions): HttpsOptions {
  return {
    names: allowedHosts,
    ...(tlsDir === null ? {} : { dir: tlsDir }),
    ...(quiet ? {} : { onDistrust: (authority) => print(process.stderr, formatDistrustNote(authority)) }),
  };
}

/** Refuses a maximum that V8 would not let the program reach. */
function requireMemoryMax(given: number | null): number | null {
  const most = defaultMemoryMax();
  if (given === null || most === null || given <= most) return given ?? most;
  throw new CommandError(
    `--memory-max must be at most ${Math.floor(most / MEBIBYTE)}mb with the heap limit of this process. To use more, raise that limit, for example with NODE_OPTIONS=--max-old-space-size=${Math.ceil(given / OLD_SHARE / MEBIBYTE)}.`,
    EXIT_BAD_OPTION,
  );
}

function buildSandboxOptions(given: StartOptions): InnerSandboxOptions {
  const { scenario: _, host, startTime, clock, allowedHosts, ...options } = given;
  return {
    ...options,
    clock: { ...clock, start: startTime },
    memoryMax: requireMemoryMax(options.memoryMax),
    worldsMax: options.worldsMax ?? (options.state === null ? DEFAULT_WORLDS_MAX : SAVED_WORLDS_MAX),
    // Clients use the name that the server is bound to.
    allowedHosts: [...allowedHosts, host.toLowerCase()],
    worldsByName: isLoopbackHost(host) || options.adminToken !== null,
  };
}
