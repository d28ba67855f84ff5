#!/usr/bin/env node
import { VERSION } from '../../core/version.js';
import { followParent } from '../exec/child.js';
import { runExec } from '../exec/exec.js';
import type { OpenedBundle } from '../bundles/open.js';
import {
  CommandError,
  EXIT_BUG,
  EXIT_FAILED,
  exitWithMessage,
  formatLines,
  print,
  printBug,
  type VerbResult,
} from '../terminal/terminal.js';
import type { StartOptions } from '../options/option-table.js';
import { type Command, parseCommand } from './parse.js';
import { onEndingSignal } from '../terminal/signals.js';
import { type RunningServer, startServer } from './start/start.js';
import { formatStartNote } from './start/start-note.js';

process.on('uncaughtException', (error) => {
  printBug('stopped by an internal error', error);
  process.exit(EXIT_BUG);
});

void main();

async function main(): Promise<void> {
  try {
    const command = parseCommand(process.argv.slice(2), process.env);
    const { text, exitCode = 0 } = await runCommandLine(command);
    if (text !== undefined) print(process.stdout, text);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    exitWithMessage(error.exitCode, error.message);
  }
}

async function runCommandLine(command: Command): Promise<VerbResult> {
  switch (command.verb) {
    case 'version':
      return { text: formatLines([VERSION]) };
    case 'start':
      return startUntilSignal(command.options);
    case 'open': {
      const { openBundle } = await import('./run-verb.js');
      const opened = await openBundle(command.words, command.options);
      return startUntilSignal(opened.options, opened);
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
async function startUntilSignal(
  options: StartOptions,
  opened: OpenedBundle | null = null,
): Promise<VerbResult> {
  let server: RunningServer | undefined;
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
  print(process.stdout, formatLines([`playmoney listening on ${listening.url}`]));
  if (!options.quiet) {
    print(process.stderr, formatStartNote(options, listening, scenario, opened?.restored));
    if (kept !== null) print(process.stderr, formatLines([kept.note]));
    if (opened !== null) print(process.stderr, opened.note(listening.url));
  }
  return {};
}
