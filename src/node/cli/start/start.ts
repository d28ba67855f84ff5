import { MEBIBYTE } from '../../../core/limits/memory.js';
import {
  createSandbox,
  DEFAULT_WORLDS_MAX,
  type Sandbox,
  type SandboxOptions,
} from '../../../app/sandbox.js';
import type { ScenarioLibrary } from '../../../scenarios/file/library.js';
import type { Scenario } from '../../../scenarios/script/model.js';
import { NODE_HOST } from '../../machine/host.js';
import { namesOfVariables, whyIgnored } from '../../options/variables.js';
import type { Environment } from '../../options/option.js';
import { isOptionFault, listenFault } from '../../http/listen-fault.js';
import type { HttpsOptions } from '../../http/listener.js';
import { requestLog } from '../../http/request-log.js';
import { type Listening, serve, type Served } from '../../http/serve.js';
import type { Opened } from '../../bundles/open.js';
import { defaultMemoryMax, OLD_SHARE } from '../../machine/memory.js';
import type { KeptWorlds } from '../../state/kept-worlds.js';
import { chooseScenario, type Chosen } from '../choose-scenario.js';
import { folderLibrary } from '../../library.js';
import type { StartOptions } from '../../options/option-table.js';
import { distrustNote, isLoopback } from './start-note.js';
import {
  CommandError,
  EXIT_BAD_OPTION,
  EXIT_FAILED,
  linesOf,
  type Output,
  print,
} from '../../terminal/terminal.js';
import { reportOnce } from '../../terminal/report-once.js';
import { stderrProgress } from '../../terminal/progress.js';
import { watchScenario } from './watch.js';

/** How long open requests may take after SIGTERM; process managers wait at least 2 s. */
const GRACE_MS = 1000;
/** How many worlds of --state are in memory: the others are in their files. */
const SAVED_WORLDS_MAX = 1_000;
const STDERR: Pick<Output, 'err'> = { err: (text) => print(process.stderr, text) };

export interface Server {
  readonly listening: Listening;
  readonly scenario: Scenario | null;
  /** The worlds that --state saved; null without --state. */
  readonly kept: KeptWorlds | null;
  /** Ends open requests and saves the worlds; resolves with whether that succeeded. */
  close(): Promise<boolean>;
}

export interface StartParts {
  readonly opened?: Opened | null;
  /** A wrapper to serve instead of the sandbox itself. */
  readonly serving?: (sandbox: Sandbox) => Served;
}

/** Starts a server with the given options; ends the program with a message if it cannot. */
export async function startServer(options: StartOptions, parts: StartParts = {}): Promise<Server> {
  const { opened = null, serving = (sandbox: Sandbox): Served => sandbox } = parts;
  if (!options.quiet) reportIgnored(process.env);
  const library = folderLibrary();
  const chosen = options.scenario === null ? null : await choose(options.scenario, library);
  const scenario = chosen?.scenario ?? opened?.scenario ?? null;
  const kept = options.state === null ? null : await keptIn(options.state);
  const progress = stderrProgress();
  const host = { ...NODE_HOST, progress: progress.note.bind(progress) };
  const sandbox = createSandbox(options.quiet ? NODE_HOST : host, {
    ...sandboxOptions(options),
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
  const endExpiry = options.expire === null ? null : await expiring(sandbox, options.expire);
  const listening = await listen(serving(sandbox), options);
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
function reportIgnored(env: Environment): void {
  const report = reportOnce(STDERR);
  for (const name of namesOfVariables(env)) {
    const why = whyIgnored(name, env);
    if (why !== null) report(`${name}: ${why}`);
  }
}

/** Loaded only for --state, since it needs the schema of scenarios. */
async function keptIn(path: string): Promise<KeptWorlds> {
  const { takeState } = await import('../../state/kept-worlds.js');
  return takeState(path);
}

/** Loaded only for --expire. */
async function expiring({ worlds }: Sandbox, ms: number): Promise<() => void> {
  const { expireWorlds } = await import('../../state/kept-worlds.js');
  return expireWorlds(worlds, ms);
}

async function choose(given: string, library: ScenarioLibrary): Promise<Chosen> {
  const chosen = await chooseScenario(given, library);
  if ('scenario' in chosen) return chosen;
  print(process.stderr, linesOf(chosen));
  return process.exit(EXIT_BAD_OPTION);
}

async function listen(served: Served, options: StartOptions): Promise<Listening> {
  const { port, host, log, https, requestsMax } = options;
  const observe = log === 'off' ? {} : { observe: requestLog(log, (line) => print(process.stderr, line)) };
  const secure = https ? { https: httpsOptions(options) } : {};
  const wire = { port, host, requestsMax, overrideGlobalObjects: true, ...observe, ...secure };
  return serve(served, wire).catch((error: unknown) => {
    const exitCode = isOptionFault(error) ? EXIT_BAD_OPTION : EXIT_FAILED;
    throw new CommandError(listenFault(error, options), exitCode);
  });
}

function httpsOptions({ tlsDir, allowedHosts, quiet }: StartOptions): HttpsOptions {
  return {
    names: allowedHosts,
    ...(tlsDir === null ? {} : { dir: tlsDir }),
    ...(quiet ? {} : { onDistrust: (authority) => print(process.stderr, distrustNote(authority)) }),
  };
}

/** Refuses a maximum that V8 would not let the program reach. */
function memoryMaxOf(given: number | null): number | null {
  const most = defaultMemoryMax();
  if (given === null || most === null || given <= most) return given ?? most;
  throw new CommandError(
    `--memory-max must be at most ${Math.floor(most / MEBIBYTE)}mb with the heap limit of this process. To use more, raise that limit, for example with NODE_OPTIONS=--max-old-space-size=${Math.ceil(given / OLD_SHARE / MEBIBYTE)}.`,
    EXIT_BAD_OPTION,
  );
}

function sandboxOptions(given: StartOptions): SandboxOptions {
  const { scenario: _, host, startTime, clock, allowedHosts, ...options } = given;
  return {
    ...options,
    clock: { ...clock, start: startTime },
    memoryMax: memoryMaxOf(options.memoryMax),
    worldsMax: options.worldsMax ?? (options.state === null ? DEFAULT_WORLDS_MAX : SAVED_WORLDS_MAX),
    // Clients use the name that the server is bound to.
    allowedHosts: [...allowedHosts, host.toLowerCase()],
    worldsByName: isLoopback(host) || options.adminToken !== null,
  };
}
