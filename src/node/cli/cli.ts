#!/usr/bin/env node
import { VERSION } from '../../core/version.js';
import { followParent } from '../exec/child.js';
import { runExec } from '../exec/exec.js';
import type { Opened } from '../bundles/open.js';
import {
  CommandError,
  EXIT_BUG,
  EXIT_FAILED,
  fail,
  linesOf,
  print,
  printBug,
  type Result,
} from '../terminal/terminal.js';
import type { StartOptions } from '../options/option-table.js';
import { type Command, parseCommand } from './parse.js';
import { onEndingSignal } from '../terminal/signals.js';
import { type Server, startServer } from './start/start.js';
import { startNote } from './start/start-note.js';

process.on('uncaughtException', (error) => {
  printBug('stopped by an internal error', error);
  process.exit(EXIT_BUG);
});

void main();

async function main(): Promise<void> {
  try {
    const command = parseCommand(process.argv.slice(2), process.env);
    const { text, exitCode = 0 } = await run(command);
    if (text !== undefined) print(process.stdout, text);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    fail(error.exitCode, error.message);
  }
}

async function run(command: Command): Promise<Result> {
  switch (command.verb) {
    case 'version':
      return { text: linesOf([VERSION]) };
    case 'start':
      return start(command.options);
    case 'open': {
      const { openBundle } = await import('./run-verb.js');
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
  onEndingSignal(() => void stop());
  followParent(() => void stop());
  server = await startServer(options, { opened });
  const { listening, scenario, kept } = server;
  print(process.stdout, linesOf([`playmoney listening on ${listening.url}`]));
  if (!options.quiet) {
    print(process.stderr, startNote(options, listening, scenario, opened?.restored));
    if (kept !== null) print(process.stderr, linesOf([kept.note]));
    if (opened !== null) print(process.stderr, opened.note(listening.url));
  }
  return {};
}
