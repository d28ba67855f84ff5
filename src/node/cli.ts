import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.js';
import { installLeanResponse } from './adapter.js';
import type { Chosen } from './check.js';
import { NODE_HOST } from './host.js';
import { type FolderLibrary, folderLibrary } from './library.js';
import type { Opened } from './open.js';
import { type Command, OptionError, parseCommand, type StartOptions } from './options.js';
import { type Listening, serve } from './serve.js';
import { EXIT_BAD_OPTION, EXIT_BUG, EXIT_FAILED, fail, print } from './terminal.js';

const PARENT_CHECK_MS = 500;
/** Answers under way get this long after SIGTERM; a process manager waits 2 s at least. */
const GRACE_MS = 1000;

process.on('uncaughtException', (error) => {
  fail(EXIT_BUG, `stopped by a bug of its own, please report it: ${error.stack}`);
});

void run();

async function run(): Promise<void> {
  const command = readCommand();
  if (command.verb === 'start') return start(command.options);
  if (command.verb === 'open') return open(command);
  const { runVerb } = await import('./seldom.js');
  return runVerb(command);
}

function readCommand(): ReturnType<typeof parseCommand> {
  try {
    return parseCommand(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return fail(EXIT_BAD_OPTION, error.message);
  }
}

async function start(options: StartOptions, opened: Opened | null = null): Promise<void> {
  installLeanResponse();
  const library = folderLibrary();
  const chosen = options.scenario === null ? null : await choose(options.scenario, library);
  const scenario = chosen?.scenario ?? opened?.scenario ?? null;
  const sandbox = createSandbox(NODE_HOST, {
    ...sandboxOptions(options),
    library,
    ...(scenario === null ? {} : { scenario }),
  });
  // Whoever is told that the server is ready need not wait for its first world.
  if (scenario !== null) await sandbox.worlds.load();
  await opened?.restore(sandbox);
  let listening: Listening | undefined;
  const stop = async (): Promise<void> => {
    await listening?.close(GRACE_MS);
    // What was answered last is logged when its connection is over, which is a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(0);
  };
  // A second signal has its usual effect, for the impatient.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  if (process.env['npm_lifecycle_event'] !== undefined) followParent(stop);
  listening = await listen(sandbox, options);
  if (options.watch && options.scenario !== null && chosen?.text) {
    const { watchScenario } = await import('./seldom.js');
    watchScenario(sandbox, options.scenario, chosen.text);
  }
  print(process.stdout, `playmoney listening on ${listening.url}\n`);
  if (options.quiet) return;
  const { startNote } = await import('./seldom.js');
  print(process.stderr, startNote(options, listening, scenario) + (opened?.note(listening.url) ?? ''));
}

async function choose(given: string, library: FolderLibrary): Promise<Chosen> {
  const { chooseScenario } = await import('./seldom.js');
  const chosen = await chooseScenario(given, library);
  if (typeof chosen !== 'string') return chosen;
  print(process.stderr, chosen);
  return process.exit(EXIT_BAD_OPTION);
}

/** Starts a server with the world of a bundle. */
async function open({ file, options }: Extract<Command, { verb: 'open' }>): Promise<void> {
  const { openBundle, UnreadableFile } = await import('./seldom.js');
  const opened = await openBundle(file, options).catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error;
    return fail(EXIT_BAD_OPTION, error.message);
  });
  return start(opened.options, opened);
}

/** npm passes SIGTERM to its shell alone, and some shells die without a word to the program: then it ends too. */
function followParent(stop: () => Promise<void>): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop();
  }, PARENT_CHECK_MS).unref();
}

async function listen(sandbox: Sandbox, options: StartOptions): Promise<Listening> {
  const { port, host, log, https } = options;
  if (log === 'off' && !https) return serve(sandbox, { port, host }).catch(failToListen(options));
  const { requestLog, httpsOptions } = await import('./seldom.js');
  const say = (line: string): void => print(process.stderr, line);
  const observe = log === 'off' ? {} : { observe: requestLog(log, say) };
  const secure = https ? { https: httpsOptions(options, say) } : {};
  return serve(sandbox, { port, host, ...observe, ...secure }).catch(failToListen(options));
}

function failToListen(options: StartOptions): (error: unknown) => Promise<never> {
  return async (error) => {
    const { isOptionFault, listenFault } = await import('./seldom.js');
    return fail(isOptionFault(error) ? EXIT_BAD_OPTION : EXIT_FAILED, listenFault(error, options));
  };
}

function sandboxOptions(options: StartOptions): SandboxOptions {
  return {
    seed: options.seed,
    clock: { ...options.clock, start: options.startTime },
    dialect: options.dialect,
    tokenTtl: options.tokenTtlMs,
    authorisationTtl: options.authorisationTtlMs,
    batchPace: options.batchPaceMs,
    // Whoever binds a name means to be called by it.
    allowedHosts: [...options.allowedHosts, options.host.toLowerCase()],
    allowedOrigins: options.allowedOrigins,
    keys: options.keys,
    adminToken: options.adminToken,
    webhooks: options.webhooks,
    webhookSecret: options.webhookSecret,
    strict: options.strict,
    testCardsOnly: options.testCardsOnly,
    bodyLimit: options.bodyLimitBytes,
    batchBodyLimit: options.batchBodyLimitBytes,
    worldsMax: options.worldsMax,
  };
}
