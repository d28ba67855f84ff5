import { runDoctor } from '../doctor/doctor.js';
import { runRecord, waitForSignal } from '../record/record.js';
import { runBundle } from '../bundles/bundle.js';
import { runMcp } from '../mcp/mcp.js';
import { runReplay, type ReplayOutput } from '../replay/replay.js';
import { checkFiles } from './verbs/check.js';
import { runHealth } from './verbs/health.js';
import { formatHelp } from './help.js';
import type { EnvVariables } from '../options/option.js';
import { folderLibrary, formatLibrary } from '../library.js';
import type { CommandOf } from './parse.js';
import { runReconcile } from './verbs/reconcile.js';
import { runScenarioVerb } from './verbs/scenario-verb.js';
import { runSweep } from '../sweep/command/command.js';
import { print, type VerbResult } from '../terminal/terminal.js';
import { stderrProgress } from '../terminal/progress.js';
import { runVerify } from '../verify/verify.js';
import { formatTriggers } from './verbs/triggers.js';
import type { Verb } from './verbs.js';
import { runAdvance, runJournal, runReset } from './verbs/world-verbs.js';

// Loaded with the other verbs, because few servers open a bundle, which needs the code of `replay`.
export { openBundle } from '../bundles/open.js';

export type PlainVerb = Exclude<Verb, 'start' | 'open' | 'exec'>;

/** The surroundings of a verb: everything besides its words and options. */
interface VerbContext {
  readonly env: EnvVariables;
  readonly output: ReplayOutput;
}

const PROGRAM: VerbContext = {
  env: process.env,
  output: {
    out: (text) => print(process.stdout, text),
    err: (text) => print(process.stderr, text),
    progress: stderrProgress(),
  },
};

type VerbRunner<V extends PlainVerb> = (
  command: CommandOf<V>,
  around: VerbContext,
) => VerbResult | Promise<VerbResult>;

const RUN: { readonly [V in PlainVerb]: VerbRunner<V> } = {
  check: ({ options, words }, { output }) => checkFiles(words, output, options),
  scenarios: async ({ options }) => ({ text: await formatLibrary(folderLibrary(), options) }),
  triggers: ({ options }) => ({ text: formatTriggers(options) }),
  advance: async ({ options, words: change }) => ({ text: await runAdvance(options, change) }),
  reset: async ({ options }) => ({ text: await runReset(options) }),
  journal: async ({ options }) => ({ text: await runJournal(options) }),
  reconcile: ({ options }) => runReconcile(options),
  bundle: async ({ options, words: file }, { output }) => ({
    text: await runBundle(options, file, output.err),
  }),
  record: ({ options }, { output }) => runRecord(options, output, waitForSignal),
  replay: ({ options, words: file }, { output }) => runReplay(file, options, output),
  verify: ({ options, words }, { output }) => runVerify(words, options, output),
  scenario: ({ options, words: task }, { output }) => runScenarioVerb(task, options, output),
  mcp: ({ options }, { output }) => runMcp(options, process.stdin.setEncoding('utf8'), output.out),
  doctor: ({ options }, { env }) => runDoctor(options, env),
  health: ({ options }, { env }) => runHealth(options, env),
  sweep: ({ options, words }) => runSweep(words, options),
  help: ({ words: about }) => ({ text: formatHelp(about) }),
};

export async function runVerb<V extends PlainVerb>(
  command: CommandOf<V>,
  around: VerbContext = PROGRAM,
): Promise<VerbResult> {
  return RUN[command.verb](command, around);
}
