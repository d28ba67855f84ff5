import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.js';
import { VERSION } from '../version.js';
import { installLeanResponse } from './adapter.js';
import type { Chosen } from './check.js';
import { NODE_HOST } from './host.js';
import { type FolderLibrary, folderLibrary, libraryText } from './library.js';
import { type Command, OptionError, parseCommand, type StartOptions } from './options.js';
import { type Listening, serve } from './serve.js';

const EXIT_FAILED = 1;
const EXIT_BAD_OPTION = 2;
/** EX_SOFTWARE of sysexits.h: a bug of ours. */
const EXIT_BUG = 70;
const PARENT_CHECK_MS = 500;
/** Answers under way get this long after SIGTERM; a process manager waits 2 s at least. */
const GRACE_MS = 1000;

type ClientCommand = Extract<Command, { verb: 'advance' | 'reset' | 'journal' }>;

process.on('uncaughtException', (error) => {
  fail(EXIT_BUG, `stopped by a bug of its own, please report it: ${error.stack}`);
});

void run();

async function run(): Promise<void> {
  const command = readCommand();
  switch (command.verb) {
    case 'start':
      return start(command.options);
    case 'check':
      return check(command.files);
    case 'scenarios':
      return print(process.stdout, await libraryText(folderLibrary()));
    case 'advance':
    case 'reset':
    case 'journal':
      return callServer(command);
    case 'triggers':
      return print(process.stdout, (await import('./seldom.js')).triggersText());
    case 'help':
      return print(process.stdout, command.text);
    case 'version':
      return print(process.stdout, `${VERSION}\n`);
  }
}

function readCommand(): ReturnType<typeof parseCommand> {
  try {
    return parseCommand(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return fail(EXIT_BAD_OPTION, error.message);
  }
}

async function start(options: StartOptions): Promise<void> {
  installLeanResponse();
  const library = folderLibrary();
  const chosen = options.scenario === null ? null : await choose(options.scenario, library);
  const scenario = chosen === null ? {} : { scenario: chosen.scenario };
  const sandbox = createSandbox(NODE_HOST, { ...sandboxOptions(options), library, ...scenario });
  let listening: Listening | undefined;
  const stop = async (): Promise<void> => {
    await listening?.close(GRACE_MS);
    process.exit(0);
  };
  // A second signal has its usual effect, for the impatient.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  if (process.env['npm_lifecycle_event'] !== undefined) followParent(stop);
  listening = await listen(sandbox, options);
  if (options.watch && options.scenario !== null && chosen?.text) {
    await watch(sandbox, options.scenario, chosen.text);
  }
  print(process.stdout, `playmoney listening on ${listening.url}\n`);
  if (options.quiet) return;
  const { startNote } = await import('./seldom.js');
  print(process.stderr, startNote(options, listening.port, chosen?.scenario ?? null));
}

async function choose(given: string, library: FolderLibrary): Promise<Chosen> {
  const { chooseScenario } = await import('./seldom.js');
  const chosen = await chooseScenario(given, library);
  if (typeof chosen !== 'string') return chosen;
  print(process.stderr, chosen);
  return process.exit(EXIT_BAD_OPTION);
}

/** Plays the scenario file anew whenever it changes. */
async function watch({ worlds }: Sandbox, file: string, text: string): Promise<void> {
  const { replayOnChange, watchFolderOf } = await import('./seldom.js');
  const say = (lines: string): void => print(process.stderr, lines);
  const { changed } = replayOnChange({
    file,
    text,
    host: NODE_HOST,
    play: (scenario) => worlds.play(scenario),
    say,
  });
  watchFolderOf(file, changed, (reason) => say(`playmoney: ${file} is no longer watched: ${reason}\n`));
  // It may have changed since it was read.
  changed();
}

async function check(files: readonly string[]): Promise<void> {
  const { checkFiles } = await import('./seldom.js');
  process.exitCode = await checkFiles(files, {
    out: (text) => print(process.stdout, text),
    err: (text) => print(process.stderr, text),
  });
}

/** Speaks to a server that runs already. */
async function callServer(command: ClientCommand): Promise<void> {
  const verbs = await import('./seldom.js');
  try {
    const { options } = command;
    const text =
      command.verb === 'advance'
        ? await verbs.advance(options, command.change)
        : await verbs[command.verb](options);
    print(process.stdout, text);
  } catch (error) {
    if (!(error instanceof verbs.CallFailed)) throw error;
    fail(EXIT_FAILED, error.message);
  }
}

/** npm passes SIGTERM to its shell alone, and some shells die without a word to the program: then it ends too. */
function followParent(stop: () => Promise<void>): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop();
  }, PARENT_CHECK_MS).unref();
}

async function listen(sandbox: Sandbox, options: StartOptions): Promise<Listening> {
  const { port, host, log } = options;
  try {
    if (log === 'off') return await serve(sandbox, { port, host });
    const { requestLog } = await import('./seldom.js');
    return await serve(sandbox, {
      port,
      host,
      observe: requestLog(log, (line) => print(process.stderr, line)),
    });
  } catch (error) {
    return fail(EXIT_FAILED, listenFault(error as NodeJS.ErrnoException, options));
  }
}

function listenFault({ code, message }: NodeJS.ErrnoException, { port, host }: StartOptions): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken, perhaps by another playmoney; stop that program, or take another port with --port (0: any free one)`;
    case 'EACCES':
      return `port ${port} of ${host} may not be opened by this user; take one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine; --host takes one of its own, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return `cannot listen on port ${port} of ${host}: ${message}`;
  }
}

function sandboxOptions(options: StartOptions): SandboxOptions {
  return {
    seed: options.seed,
    clock: { ...options.clock, start: options.startTime },
    tokenTtl: options.tokenTtlMs,
    authorisationTtl: options.authorisationTtlMs,
    batchPace: options.batchPaceMs,
    // Whoever binds a name means to be called by it.
    allowedHosts: [...options.allowedHosts, options.host.toLowerCase()],
    allowedOrigins: options.allowedOrigins,
    keys: options.keys,
    adminToken: options.adminToken,
    strict: options.strict,
    testCardsOnly: options.testCardsOnly,
    bodyLimit: options.bodyLimitBytes,
    batchBodyLimit: options.batchBodyLimitBytes,
    worldsMax: options.worldsMax,
  };
}

function print(stream: NodeJS.WriteStream, text: string): void {
  // Whoever reads the output may go away; that is no reason to stop.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.write(text);
}

function fail(exitCode: number, line: string): never {
  print(process.stderr, `playmoney: ${line}\n`);
  process.exit(exitCode);
}
