import { VERSION } from '../../version.js';
import { bundle } from '../replay/bundle.js';
import { checkFiles, type Output, UnreadableFile } from './check.js';
import { advance, CallFailed, journal, reset } from './client-verbs.js';
import { doctor } from '../doctor/doctor.js';
import { health } from './health.js';
import { helpText } from './help.js';
import { libraryText } from './library-text.js';
import { folderLibrary } from './library.js';
import type { Command } from './options.js';
import { replay } from '../replay/replay.js';
import { stderrProgress } from './terminal-progress.js';
import { EXIT_BAD_OPTION, EXIT_FAILED, fail, print } from './terminal.js';
import { triggersText } from './triggers.js';

/** Those that start no server. */
export type PlainCommand = Exclude<Command, { verb: 'start' | 'open' | 'exec' }>;

const OUTPUT: Output = {
  out: (text) => print(process.stdout, text),
  err: (text) => print(process.stderr, text),
};

/** Does what the command line says, prints it, and sets the exit code. */
export async function runVerb(command: PlainCommand): Promise<void> {
  try {
    print(process.stdout, await said(command));
  } catch (error) {
    if (error instanceof UnreadableFile) fail(EXIT_BAD_OPTION, error.message);
    if (error instanceof CallFailed) fail(EXIT_FAILED, error.message);
    throw error;
  }
}

/** What is left to be printed. */
async function said(command: PlainCommand): Promise<string> {
  switch (command.verb) {
    case 'check':
      process.exitCode = await checkFiles(command.files, OUTPUT);
      return '';
    case 'scenarios':
      return libraryText(folderLibrary());
    case 'triggers':
      return triggersText(command.options);
    case 'advance':
      return advance(command.options, command.change);
    case 'reset':
      return reset(command.options);
    case 'journal':
      return journal(command.options);
    case 'bundle':
      return bundle(command.options, command.file, OUTPUT.err);
    case 'replay':
      process.exitCode = await replay(command.file, command.options, {
        ...OUTPUT,
        progress: stderrProgress(),
      });
      return '';
    case 'doctor': {
      const { text, isWell } = await doctor(command.options, process.env);
      process.exitCode = isWell ? 0 : EXIT_FAILED;
      return text;
    }
    case 'health': {
      const { text, isReady } = await health(command.options, process.env);
      process.exitCode = isReady ? 0 : EXIT_FAILED;
      return text;
    }
    case 'help':
      return helpText(command.about);
    case 'version':
      return `${VERSION}\n`;
  }
}
