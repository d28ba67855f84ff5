import { doctor } from '../doctor/doctor.js';
import { record, untilSignal } from '../record/record.js';
import { scenarioFromTrace } from '../record/scenario-from-trace.js';
import { bundle } from '../replay/bundle.js';
import { replay } from '../replay/replay.js';
import { checkFiles } from './check.js';
import { advance, journal, reset } from './client.js';
import { health } from './health.js';
import { helpText } from './help.js';
import { folderLibrary, libraryText } from './library.js';
import type { CommandOf } from './parse.js';
import { print, type Result } from './terminal.js';
import { stderrProgress } from './terminal-progress.js';
import { triggersText } from './triggers.js';
import type { Verb } from './verbs.js';

export type PlainVerb = Exclude<Verb, 'start' | 'open' | 'exec'>;

const OUTPUT = {
  out: (text: string): void => print(process.stdout, text),
  err: (text: string): void => print(process.stderr, text),
};

const RUN: { readonly [V in PlainVerb]: (command: CommandOf<V>) => Result | Promise<Result> } = {
  check: ({ words }) => checkFiles(words, OUTPUT),
  scenarios: async () => ({ text: await libraryText(folderLibrary()) }),
  triggers: ({ options }) => ({ text: triggersText(options) }),
  advance: async ({ options, words }) => ({ text: await advance(options, words) }),
  reset: async ({ options }) => ({ text: await reset(options) }),
  journal: async ({ options }) => ({ text: await journal(options) }),
  bundle: async ({ options, words: file }) => ({ text: await bundle(options, file, OUTPUT.err) }),
  record: ({ options }) => record(options, OUTPUT, untilSignal),
  replay: ({ options, words: file }) => replay(file, options, { ...OUTPUT, progress: stderrProgress() }),
  scenario: ({ options, words: file }) => scenarioFromTrace(file, options, OUTPUT),
  doctor: ({ options }) => doctor(options, process.env),
  health: ({ options }) => health(options, process.env),
  help: ({ words: about }) => ({ text: helpText(about) }),
};

/** Runs a command and returns what to print. */
export async function runVerb<V extends PlainVerb>(command: CommandOf<V>): Promise<Result> {
  return RUN[command.verb](command);
}
