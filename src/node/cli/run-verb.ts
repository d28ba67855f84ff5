import { doctor } from '../doctor/doctor.js';
import { record, untilSignal } from '../record/record.js';
import { bundle } from '../bundles/bundle.js';
import { replay, type ReplayOutput } from '../replay/replay.js';
import { checkFiles } from './verbs/check.js';
import { health } from './verbs/health.js';
import { helpText } from './help.js';
import type { Environment } from '../options/option.js';
import { folderLibrary, libraryText } from '../library.js';
import type { CommandOf } from './parse.js';
import { scenario } from './verbs/scenario-verb.js';
import { print, type Result } from '../terminal/terminal.js';
import { stderrProgress } from '../terminal/progress.js';
import { triggersText } from './verbs/triggers.js';
import type { Verb } from './verbs.js';
import { advance, journal, reset } from './verbs/world-verbs.js';

// Few servers open a bundle, which needs the code of `replay`.
export { openBundle } from '../bundles/open.js';

export type PlainVerb = Exclude<Verb, 'start' | 'open' | 'exec'>;

/** What a verb uses besides its words and options. */
export interface Surroundings {
  readonly env: Environment;
  readonly output: ReplayOutput;
  /** How long a server may take to answer; undefined for the limit of each verb. */
  readonly limitMs?: number | undefined;
}

const PROGRAM: Surroundings = {
  env: process.env,
  output: {
    out: (text) => print(process.stdout, text),
    err: (text) => print(process.stderr, text),
    progress: stderrProgress(),
  },
};

type Run<V extends PlainVerb> = (command: CommandOf<V>, around: Surroundings) => Result | Promise<Result>;

const RUN: { readonly [V in PlainVerb]: Run<V> } = {
  check: ({ options, words }, { output }) => checkFiles(words, output, options),
  scenarios: async ({ options }) => ({ text: await libraryText(folderLibrary(), options) }),
  triggers: ({ options }) => ({ text: triggersText(options) }),
  advance: async ({ options, words }, { limitMs }) => ({ text: await advance(options, words, limitMs) }),
  reset: async ({ options }, { limitMs }) => ({ text: await reset(options, limitMs) }),
  journal: async ({ options }, { limitMs }) => ({ text: await journal(options, limitMs) }),
  bundle: async ({ options, words: file }, { output, limitMs }) => ({
    text: await bundle(options, file, output.err, limitMs),
  }),
  record: ({ options }, { output }) => record(options, output, untilSignal),
  replay: ({ options, words: file }, { output, limitMs }) => replay(file, options, output, limitMs),
  scenario: ({ options, words: task }, { output, limitMs }) => scenario(task, options, output, limitMs),
  doctor: ({ options }, { env, limitMs }) => doctor(options, env, limitMs),
  health: ({ options }, { env, limitMs }) => health(options, env, limitMs),
  help: ({ words: about }) => ({ text: helpText(about) }),
};

/** Runs a command and returns what to print. */
export async function runVerb<V extends PlainVerb>(
  command: CommandOf<V>,
  around: Surroundings = PROGRAM,
): Promise<Result> {
  return RUN[command.verb](command, around);
}
