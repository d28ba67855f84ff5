import { followParent } from '../exec/follow-parent.js';
import type { Opened } from '../replay/open.js';
import { type Command, OptionError, parseCommand, type StartOptions } from './options.js';
import { type Server, startServer } from './start.js';
import { EXIT_BAD_OPTION, EXIT_BUG, EXIT_FAILED, fail, print } from './terminal.js';

process.on('uncaughtException', (error) => {
  fail(EXIT_BUG, `stopped by a bug of its own, please report it: ${error.stack}`);
});

void run();

async function run(): Promise<void> {
  const command = readCommand();
  if (command.verb === 'start') return start(command.options);
  if (command.verb === 'open') return open(command);
  const { runExec, runVerb } = await import('./seldom.js');
  if (command.verb === 'exec') return runExec(command, startServer);
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
  let server: Server | undefined;
  const stop = async (): Promise<void> => {
    const isKept = (await server?.close()) ?? true;
    // What was answered last is logged when its connection is over, which is a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(isKept ? 0 : EXIT_FAILED);
  };
  // A second signal has its usual effect, for the impatient.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  if (process.env['npm_lifecycle_event'] !== undefined) followParent(() => void stop());
  server = await startServer(options, { opened });
  const { listening, scenario, kept } = server;
  print(process.stdout, `playmoney listening on ${listening.url}\n`);
  if (options.quiet) return;
  const { startNote } = await import('./seldom.js');
  const note = startNote(options, listening, scenario) + (kept?.note ?? '');
  print(process.stderr, note + (opened?.note(listening.url) ?? ''));
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
