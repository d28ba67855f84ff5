#!/usr/bin/env node
import { plainLine } from '../../core/text.js';
import { VERSION } from '../../version.js';
import { followParent } from '../exec/child.js';
import { runExec } from '../exec/exec.js';
import { openBundle, type Opened } from '../replay/open.js';
import { CommandError, EXIT_BUG, EXIT_FAILED, fail, print, type Result, stackOf } from './terminal.js';
import type { StartOptions } from './option-table.js';
import { type Command, parseCommand } from './parse.js';
import { type Server, startServer } from './start.js';
import { startNote } from './start-note.js';

process.on('uncaughtException', (error) => {
  fail(EXIT_BUG, `stopped by an internal error. This is a bug, please report it: ${stackOf(error)}`);
});

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
  switch (command.verb) {
    case 'version':
      return { text: `${VERSION}\n` };
    case 'start':
      return start(command.options);
    case 'open': {
      const opened = await openBundle(command.words, command.options);
      return start(opened.options, opened);
    }
    case 'exec':
      return runExec(command.words, command.options, startServer);
    default: {
      const { runVerb } = await import('./run-verb.js');
      return runVerb(command);
    }
  }
}

/** Runs a server until a signal stops it; `opened` is the world of a bundle. */
async function start(options: StartOptions, opened: Opened | null = null): Promise<Result> {
  let server: Server | undefined;
  const stop = async (): Promise<void> => {
    const isSaved = (await server?.close()) ?? true;
    // The last request is logged when its connection closes, one turn later.
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(isSaved ? 0 : EXIT_FAILED);
  };
  // A second signal has its usual effect: it ends the process at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  followParent(() => void stop());
  server = await startServer(options, { opened });
  const { listening, scenario, kept } = server;
  print(process.stdout, `playmoney listening on ${listening.url}\n`);
  if (!options.quiet) {
    const note = startNote(options, listening, scenario, opened?.restored) + (kept?.note ?? '');
    print(process.stderr, note + (opened?.note(listening.url) ?? ''));
  }
  return {};
}
