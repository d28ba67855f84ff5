import { doctor } from '../doctor/doctor.js';
import { record, untilSignal } from '../record/record.js';
import { bundle } from '../bundles/bundle.js';
import { mcp } from '../mcp/mcp.js';
import { replay, type ReplayOutput } from '../replay/replay.js';
import { checkFiles } from './verbs/check.js';
import { health } from './verbs/health.js';
import { helpText } from './help.js';
import type { Environment } from '../options/option.js';
import { folderLibrary, libraryText } from '../library.js';
import type { CommandOf } from './parse.js';
import { reconcile } from './verbs/reconcile.js';
import { scenario } from './verbs/scenario-verb.js';
import { sweepCommand } from '../sweep/command.js';
import { print, type Result } from '../terminal/terminal.js';
import { stderrProgress } from '../terminal/progress.js';
import { triggersText } from './verbs/triggers.js';
import type { Verb } from './verbs.js';
import { advance, journal, reset } from './verbs/world-verbs.js';

// Loaded with the other verbs, because few servers open a bundle, which needs the code of `replay`.
export { openBundle } from '../bundles/open.js';

export type PlainVerb = Exclude<Verb, 'start' | 'open' | 'exec'>;

/** The surroundings of a verb: everything besides its words and options. */
interface Surroundings {
  readonly env: Environment;
  readonly output: ReplayOutput;
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
  advance: async ({ options, words: change }) => ({ text: await advance(options, change) }),
  reset: async ({ options }) => ({ text: await reset(options) }),
  journal: async ({ options }) => ({ text: await journal(options) }),
  reconcile: ({ options }) => reconcile(options),
  bundle: async ({ options, words: file }, { output }) => ({
    text: await bundle(options, file, output.err),
  }),
  record: ({ options }, { output }) => record(options, output, untilSignal),
  replay: ({ options, words: file }, { output }) => replay(file, options, output),
  scenario: ({ options, words: task }, { output }) => scenario(task, options, output),
  mcp: ({ options }, { output }) => mcp(options, process.stdin.setEncoding('utf8'), output.out),
  doctor: ({ options }, { env }) => doctor(options, env),
  health: ({ options }, { env }) => health(options, env),
  sweep: ({ options, words }) => sweepCommand(words, options),
  help: ({ words: about }) => ({ text: helpText(about) }),
};

export async function runVerb<V extends PlainVerb>(
  command: CommandOf<V>,
  around: Surroundings = PROGRAM,
): Promise<Result> {
  return RUN[command.verb](command, around);
}
