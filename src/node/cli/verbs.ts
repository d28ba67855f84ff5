import { parseDuration, parseInstant } from '../../core/time.js';
import { type Option, OptionError, type Options, quote, type ValuesOf } from './option.js';
import {
  CLIENT,
  DOCTOR,
  EXEC,
  HEALTH,
  JOURNAL,
  OPEN,
  REPLAY,
  RESET,
  START,
  type StartOptions,
  TRIGGERS,
} from './option-table.js';
import { isScenarioFile } from './option-kinds.js';

type Words = readonly string[];

/** One verb of the command line. */
export interface VerbRow<O extends Options, W> {
  readonly help: string;
  /** Stands for the words after the verb in --help; a verb without it takes none. */
  readonly argument?: string;
  /** Ends the refusal "check takes …, but got none". */
  readonly needs?: string;
  readonly options: O;
  /** Refuses options that mean nothing without another. */
  check?(options: ValuesOf<O>): void;
  /** Reads the words after the verb; throws an OptionError. */
  readonly words: (words: Words) => W;
}

interface VerbParts<O extends Options> extends Omit<VerbRow<O, unknown>, 'words' | 'check'> {
  check?(options: ValuesOf<NoInfer<O>>): void;
}

function row<O extends Options>(parts: VerbParts<O>): VerbRow<O, null>;
function row<O extends Options, W>(parts: VerbParts<O>, words: (words: Words) => W): VerbRow<O, W>;
function row<O extends Options, W>(parts: VerbParts<O>, words?: (words: Words) => W): VerbRow<O, W | null> {
  return { ...parts, words: words ?? (() => null) };
}

/** Every verb of the command line, in the order of --help. */
export const VERBS = {
  start: row({
    help: 'starts the server (also without a verb)',
    options: START,
    check: requireCompanions,
  }),
  exec: row(
    {
      help: 'runs a command, such as npm test, with a server of its own, and ends as it does',
      argument: '-- COMMAND…',
      needs: 'the command that it runs behind --',
      options: EXEC,
      check: requireCompanions,
    },
    (words) => words,
  ),
  check: row(
    {
      help: 'says what is wrong with scenario files, and where',
      argument: 'FILE…',
      needs: 'the names of scenario files',
      options: {},
    },
    (words) => words,
  ),
  scenarios: row({ help: 'lists the scenarios that come along', options: {} }),
  triggers: row({ help: 'prints what makes a charge decline, fail or stall', options: TRIGGERS }),
  advance: row(
    {
      help: 'puts the clock of a running server forward',
      argument: 'DURATION|INSTANT',
      options: CLIENT,
    },
    readAdvance,
  ),
  reset: row({ help: 'empties the world of a key on a running server', options: RESET }),
  journal: row({ help: 'prints the last calls of a running server', options: JOURNAL }),
  replay: row(
    {
      help: 'sends recorded calls anew and prints what differs',
      argument: 'TRACE|BUNDLE',
      options: REPLAY,
    },
    (words) => oneFile(words, 'replay takes a trace or a bundle'),
  ),
  bundle: row(
    {
      help: 'writes all that a bug report needs of a running server into one file',
      argument: '[FILE]',
      options: CLIENT,
    },
    (words) => (words.length === 0 ? BUNDLE_FILE : oneFile(words, 'bundle takes one file to write')),
  ),
  open: row(
    {
      help: 'starts a server with the world of a bundle, with most options of start',
      argument: 'BUNDLE',
      options: OPEN,
      check: requireCompanions,
    },
    (words) => oneFile(words, 'open takes a bundle'),
  ),
  doctor: row({
    help: 'says what is wrong with the server, the environment, the certificates',
    options: DOCTOR,
  }),
  health: row({
    help: "exits with 0 where the container's server, or that of --url, is ready",
    options: HEALTH,
  }),
  help: row(
    { help: 'prints this, or the options of one command', argument: '[COMMAND]', options: {} },
    ([about]): string | null => about ?? null,
  ),
} as const;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

/** The options that a verb takes. */
export function optionsOf(verb: Verb): Option<unknown>[] {
  const { options }: { readonly options: Options } = VERBS[verb];
  return Object.values(options).filter(({ isFixed }) => !isFixed);
}

/** Where `bundle` writes where no file is given. */
const BUNDLE_FILE = 'playmoney-bundle.json';

/** By how much, or to where the clock is put, as it is sent. */
export type ClockAdvance = { readonly By: string } | { readonly To: string };

function readAdvance(words: Words): ClockAdvance {
  const [text = ''] = words;
  if (words.length === 1 && parseDuration(text) !== undefined) return { By: text };
  if (words.length === 1 && parseInstant(text) !== undefined) return { To: text };
  const got = words.length === 0 ? 'but got none' : `not ${quote(words.join(' '))}`;
  throw new OptionError(
    `advance takes a duration such as 30s or 2h, or a date and time such as 2030-01-01T00:00:00Z, ${got}`,
  );
}

function oneFile([file, ...more]: Words, takes: string): string {
  if (file !== undefined && more.length === 0) return file;
  throw new OptionError(
    `${takes}, ${file === undefined ? 'but got none' : `not ${quote([file, ...more].join(' '))}`}`,
  );
}

/** Refuses options of a start that mean nothing without another. */
export function requireCompanions({ watch, scenario, https, tlsDir }: StartOptions): void {
  if (watch && !isScenarioFile(scenario ?? '')) {
    throw new OptionError('--watch watches the file of --scenario, but no file was given there');
  }
  if (tlsDir !== null && !https) {
    throw new OptionError('--tls-dir is where --https keeps its certificates, but --https was not given');
  }
}
