import { plainLine } from '../../core/text.js';
import { VERSION } from '../../version.js';
import { followParent } from '../exec/follow-parent.js';
import type { Opened } from '../replay/open.js';
import { CommandError, EXIT_BUG, EXIT_FAILED } from './command-error.js';
import type { StartOptions } from './option-table.js';
import { type Command, type CommandOf, parseCommand } from './parse.js';
import { type Server, startServer } from './start.js';
import { fail, print, type Result } from './terminal.js';
import type { Verb } from './verbs.js';

process.on('uncaughtException', (error) => {
  fail(EXIT_BUG, `stopped by a bug of its own, please report it: ${error.stack}`);
});

const OUTPUT = {
  out: (text: string): void => print(process.stdout, text),
  err: (text: string): void => print(process.stderr, text),
};

/** What each verb does. What a start does not need is loaded by the verb that needs it. */
const RUN: { readonly [V in Verb]: (command: CommandOf<V>) => Promise<Result> } = {
  start: ({ options }) => start(options),
  open: async ({ options, words: file }) => {
    const { openBundle } = await import('../replay/open.js');
    const opened = await openBundle(file, options);
    return start(opened.options, opened);
  },
  exec: async ({ options, words }) => (await import('../exec/exec.js')).runExec(words, options, startServer),
  check: async ({ words }) => (await import('./check.js')).checkFiles(words, OUTPUT),
  scenarios: async () => {
    const { folderLibrary, libraryText } = await import('./library.js');
    return { text: await libraryText(folderLibrary()) };
  },
  triggers: async ({ options }) => ({ text: (await import('./triggers.js')).triggersText(options) }),
  advance: async ({ options, words }) => ({
    text: await (await import('./client-verbs.js')).advance(options, words),
  }),
  reset: async ({ options }) => ({ text: await (await import('./client-verbs.js')).reset(options) }),
  journal: async ({ options }) => ({ text: await (await import('./client-verbs.js')).journal(options) }),
  bundle: async ({ options, words: file }) => {
    const { bundle } = await import('../replay/bundle.js');
    return { text: await bundle(options, file, OUTPUT.err) };
  },
  replay: async ({ options, words: file }) => {
    const { replay } = await import('../replay/replay.js');
    const { stderrProgress } = await import('./terminal-progress.js');
    return replay(file, options, { ...OUTPUT, progress: stderrProgress() });
  },
  doctor: async ({ options }) => (await import('../doctor/doctor.js')).doctor(options, process.env),
  health: async ({ options }) => (await import('./health.js')).health(options, process.env),
  help: async ({ words: about }) => ({ text: (await import('./help.js')).helpText(about) }),
};

void main();

async function main(): Promise<void> {
  try {
    const command = parseCommand(process.argv.slice(2), process.env);
    const { text = '', exitCode = 0 } = await run(command);
    if (text !== '') print(process.stdout, text);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    fail(error.exitCode, plainLine(error.message));
  }
}

async function run(command: Command): Promise<Result> {
  return command.verb === 'version' ? { text: `${VERSION}\n` } : runVerb(command);
}

function runVerb<V extends Verb>(command: CommandOf<V>): Promise<Result> {
  return RUN[command.verb](command);
}

/** Runs a server until a signal ends it; `opened` is the world of a bundle. */
async function start(options: StartOptions, opened: Opened | null = null): Promise<Result> {
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
  if (!options.quiet) {
    const { startNote } = await import('./start-note.js');
    const note = startNote(options, listening, scenario) + (kept?.note ?? '');
    print(process.stderr, note + (opened?.note(listening.url) ?? ''));
  }
  return {};
}
