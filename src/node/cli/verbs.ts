import { parseDuration, parseInstant } from '../../core/time.js';
import { type Option, OptionError, type Options, quote, type ValuesOf } from './option.js';
import { isScenarioFile } from './option-kinds.js';
import * as options from './option-table.js';
import { RECORD, REPLAY, SCENARIO } from './replay-options.js';

type Words = readonly string[];

export interface VerbRow {
  readonly help: string;
  /** Stands for the words after the verb in --help; a verb without it takes none. */
  readonly argument?: string;
  /** Ends the refusal "check takes …, but got none". */
  readonly needs?: string;
  readonly options: Options;
  /** Refuses options that mean nothing without another. */
  check?(values: ValuesOf<Options>): void;
  /** Reads the words after the verb; throws an OptionError. A verb without it has null. */
  readonly words?: (words: Words) => unknown;
}

const all = (words: Words): Words => words;

/** Every verb of the command line, in the order of --help. */
export const VERBS = {
  start: {
    help: 'starts the server (also without a verb)',
    options: options.START,
    check: requireCompanions,
  },
  exec: {
    help: 'runs a command, such as npm test, with a server of its own, and ends as it does',
    argument: '-- COMMAND…',
    needs: 'the command that it runs behind --',
    options: options.EXEC,
    check: requireCompanions,
    words: all,
  },
  check: {
    help: 'says what is wrong with scenario files, and where',
    argument: 'FILE…',
    needs: 'the names of scenario files',
    options: {},
    words: all,
  },
  scenarios: { help: 'lists the scenarios that come along', options: {} },
  triggers: { help: 'prints what makes a charge decline, fail or stall', options: options.TRIGGERS },
  advance: {
    help: 'puts the clock of a running server forward',
    argument: 'DURATION|INSTANT',
    options: options.CLIENT,
    words: readAdvance,
  },
  reset: { help: 'empties the world of a key on a running server', options: options.RESET },
  journal: { help: 'prints the last calls of a running server', options: options.JOURNAL },
  record: {
    help: 'passes calls on to a service, and writes them as a trace when it ends',
    options: RECORD,
  },
  replay: {
    help: 'sends recorded calls anew and prints what differs',
    argument: 'TRACE|BUNDLE',
    options: REPLAY,
    words: (words: Words) => oneFile(words, 'replay takes a trace or a bundle'),
  },
  scenario: {
    help: 'makes a scenario file that answers as a trace or bundle was answered',
    argument: 'from-trace FILE',
    options: SCENARIO,
    words: ([from, ...words]: Words) => {
      if (from === 'from-trace' && words.length === 1) return words[0] ?? '';
      throw new OptionError(
        `scenario takes from-trace and a trace or a bundle, ${received(from === undefined ? [] : [from, ...words])}`,
      );
    },
  },
  bundle: {
    help: 'writes all that a bug report needs of a running server into one file',
    argument: '[FILE]',
    options: options.CLIENT,
    words: (words: Words) =>
      words.length === 0 ? 'playmoney-bundle.json' : oneFile(words, 'bundle takes one file to write'),
  },
  open: {
    help: 'starts a server with the world of a bundle, with most options of start',
    argument: 'BUNDLE',
    options: options.OPEN,
    check: requireCompanions,
    words: (words: Words) => oneFile(words, 'open takes a bundle'),
  },
  doctor: {
    help: 'says what is wrong with the server, the environment, the certificates',
    options: options.DOCTOR,
  },
  health: {
    help: "exits with 0 where the container's server, or that of --url, is ready",
    options: options.HEALTH,
  },
  help: {
    help: 'prints this, or the options of one command',
    argument: '[COMMAND]',
    options: {},
    words: ([about]: Words): string | null => about ?? null,
  },
} as const satisfies Readonly<Record<string, VerbRow>>;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

export function optionsOf(verb: Verb): Option<unknown>[] {
  const row: VerbRow = VERBS[verb];
  return Object.values(row.options).filter(({ isFixed }) => !isFixed);
}

/** By how much, or to where the clock is put, as it is sent. */
export type ClockAdvance = { readonly By: string } | { readonly To: string };

function readAdvance(words: Words): ClockAdvance {
  const [text = ''] = words;
  if (words.length === 1 && parseDuration(text) !== undefined) return { By: text };
  if (words.length === 1 && parseInstant(text) !== undefined) return { To: text };
  throw new OptionError(
    `advance takes a duration such as 30s or 2h, or a date and time such as 2030-01-01T00:00:00Z, ${received(words)}`,
  );
}

function oneFile(words: Words, takes: string): string {
  const [file] = words;
  if (file !== undefined && words.length === 1) return file;
  throw new OptionError(`${takes}, ${received(words)}`);
}

/** Ends the refusal of words. */
function received(words: Words): string {
  return words.length === 0 ? 'but got none' : `not ${quote(words.join(' '))}`;
}

/** Refuses options of a start that mean nothing without another. */
export function requireCompanions({ watch, scenario, https, tlsDir }: options.StartOptions): void {
  if (watch && !isScenarioFile(scenario ?? '')) {
    throw new OptionError('--watch watches the file of --scenario, but no file was given there');
  }
  if (tlsDir !== null && !https) {
    throw new OptionError('--tls-dir is where --https keeps its certificates, but --https was not given');
  }
}
