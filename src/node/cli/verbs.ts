import {
  DURATION_MAX_MS,
  formatDuration,
  parseAnyDuration,
  parseDuration,
  parseInstant,
} from '../../core/time/time.js';
import type { OptionValues } from '../../core/option.js';
import { type Option, OptionError, type OptionSet, quoteShort } from '../options/option.js';
import { isScenarioFile } from '../options/option-kinds.js';
import * as options from '../options/option-table.js';
import { BUNDLE, RECORD, REPLAY, SCENARIO } from '../options/replay-options.js';
import { SWEEP } from '../options/sweep-options.js';
import { VERIFY } from '../options/verify-options.js';

type VerbWords = readonly string[];

export interface VerbRow {
  readonly help: string;
  /** The words after the verb, as --help shows them; a verb without it takes none. */
  readonly argument?: string;
  /** Ends the message "check needs …". */
  readonly needs?: string;
  /** The option with which the verb needs no words. */
  readonly instead?: string;
  readonly options: OptionSet;
  /** Refuses options that have no effect without another. */
  check?(values: OptionValues<OptionSet>): void;
  /** Reads the words after the verb; throws an OptionError. */
  readonly words?: (words: VerbWords, command: VerbWords) => unknown;
}

const readAllWords = (words: VerbWords): VerbWords => words;

/** Every verb of the command line, in the order of --help. */
export const VERBS = {
  start: {
    help: 'start the server; the default command',
    options: options.START,
    check: requireCompanions,
  },
  exec: {
    help: 'run a command, such as npm test, with its own server, and exit with its exit code',
    argument: '-- COMMAND…',
    needs: 'a command to run, such as: playmoney exec -- npm test',
    options: options.EXEC,
    check: requireCompanions,
    words: readAllWords,
  },
  sweep: {
    help: 'run a command, such as npm test, under every failure, and report where money is lost',
    argument: '-- COMMAND…',
    needs: 'a command to run, such as: playmoney sweep -- npm test',
    instead: 'verify',
    options: SWEEP,
    check: requireHttps,
    words: readAllWords,
  },
  check: {
    help: 'validate scenario files and print each problem with its line',
    argument: 'FILE…',
    needs: 'one or more scenario files',
    options: options.CHECK,
    words: readAllWords,
  },
  scenarios: {
    help: 'list the built-in scenarios',
    options: options.SCENARIOS,
  },
  triggers: {
    help: 'list what causes a call to be declined, to fail or to stall',
    options: options.TRIGGERS,
  },
  advance: {
    help: 'move the clock of a running server forward',
    argument: 'DURATION|INSTANT',
    options: options.CLIENT,
    words: readAdvance,
  },
  reset: {
    help: 'reset the world of a key on a running server',
    options: options.RESET,
  },
  journal: {
    help: 'print the last calls of a running server',
    options: options.JOURNAL,
  },
  reconcile: {
    help: 'compare the orders of a shop with the charges of a running server',
    options: options.RECONCILE,
  },
  record: {
    help: 'forward calls to a service, and save them in a trace file at the end',
    options: RECORD,
  },
  replay: {
    help: 'send recorded calls again and print the differences',
    argument: 'FILE',
    options: REPLAY,
    words: (words: VerbWords) => requireOneFile('replay', words, 'one trace, bundle, journal or HAR file'),
  },
  verify: {
    help: 'compare playmoney with the service by your own tests; sweep --verify checks evidence',
    argument: '[FILE…] [-- COMMAND…]',
    options: VERIFY,
    words: (files: VerbWords, command: VerbWords) => ({ files, command }),
  },
  scenario: {
    help: 'use FILE or NAME on a running server, show or clear it; from-trace FILE creates one',
    argument: 'ACTION [FILE|NAME]',
    options: SCENARIO,
    words: readScenarioTask,
  },
  bundle: {
    help: 'save a world of a running server and its calls in one file, for a bug report',
    argument: '[FILE]',
    options: BUNDLE,
    words: (words: VerbWords) =>
      words.length === 0 ? null : requireOneFile('bundle', words, 'one file to write'),
  },
  open: {
    help: 'start a server with what a bundle or state holds, or with recorded calls',
    argument: 'FILE',
    options: options.OPEN,
    check: requireCompanions,
    words: (words: VerbWords) =>
      requireOneFile('open', words, 'one bundle, state, trace, journal or HAR file'),
  },
  mcp: {
    help: 'give agents and editors a world, over the Model Context Protocol',
    options: options.MCP,
  },
  doctor: {
    help: 'check the server, the environment and the certificates for problems',
    options: options.DOCTOR,
  },
  health: {
    help: "exit with 0 if the container's server, or the one at --url, is ready",
    options: options.HEALTH,
  },
  help: {
    help: 'print this help, or the help of one command',
    argument: '[COMMAND]',
    options: {},
    words: ([about]: VerbWords): string | null => about ?? null,
  },
} as const satisfies Readonly<Record<string, VerbRow>>;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

export function listOptions(verb: Verb): Option<unknown>[] {
  const row: VerbRow = VERBS[verb];
  return Object.values(row.options).filter(({ isFixed }) => !isFixed);
}

/** A task of the verb `scenario`. */
export type ScenarioTask =
  | { readonly act: 'use' | 'from-trace'; readonly what: string }
  | { readonly act: 'show' | 'clear' };

const TRACE = 'a trace or bundle file';

function readScenarioTask(words: VerbWords): ScenarioTask {
  const [act, source, ...rest] = words;
  if ((act === 'use' || act === 'from-trace') && source !== undefined && rest.length === 0)
    return { act, what: source };
  if ((act === 'show' || act === 'clear') && source === undefined) return { act };
  if (act === 'use' && source === undefined) throw buildWordsError('scenario use', options.FILE_OR_NAME, []);
  if (act === 'from-trace' && source === undefined) throw buildWordsError('scenario from-trace', TRACE, []);
  const accepted = `use with ${options.FILE_OR_NAME}; show; clear; or from-trace with ${TRACE}`;
  throw buildWordsError('scenario', accepted, words);
}

/** The body of the call that moves the clock. */
export type ClockAdvance = { readonly By: string } | { readonly To: string };

function readAdvance(words: VerbWords): ClockAdvance {
  const [text = ''] = words;
  if (words.length === 1 && parseDuration(text) !== undefined) return { By: text };
  if (words.length === 1 && parseAnyDuration(text) === Infinity) {
    throw new OptionError(
      `advance takes a duration of at most ${formatDuration(DURATION_MAX_MS)}, not ${quoteShort(text)}`,
    );
  }
  if (words.length === 1 && parseInstant(text) !== undefined) return { To: text };
  throw buildWordsError(
    'advance',
    'a duration such as 30s or 2h, or a date and time such as 2030-01-01T00:00:00Z',
    words,
  );
}

function requireOneFile(verb: string, words: VerbWords, accepted: string): string {
  const [file] = words;
  if (file !== undefined && words.length === 1) return file;
  throw buildWordsError(verb, accepted, words);
}

function buildWordsError(verb: string, accepted: string, words: VerbWords): OptionError {
  const isMissing = words.length === 0;
  return new OptionError(
    isMissing ? `${verb} needs ${accepted}` : `${verb} takes ${accepted}, not ${quoteShort(words.join(' '))}`,
  );
}

/** Refuses options of a start that have no effect without another. */
export function requireCompanions({ watch, scenario, ...tls }: options.StartOptions): void {
  if (watch && !isScenarioFile(scenario ?? '')) {
    throw new OptionError('--watch needs a scenario file: --scenario FILE');
  }
  requireHttps(tls);
}

function requireHttps({ https, tlsDir }: Pick<options.StartOptions, 'https' | 'tlsDir'>): void {
  if (tlsDir !== null && !https) throw new OptionError('--tls-dir needs --https');
}
