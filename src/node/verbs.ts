import {
  CLIENT_OPTIONS,
  DOCTOR_OPTIONS,
  EXEC_OPTIONS,
  HEALTH_OPTIONS,
  OPTIONS,
  REPLAY_OPTIONS,
  type Row,
  TRIGGERS_OPTIONS,
} from './option-table.js';

export interface VerbRow {
  /** Stands for the words after the verb in --help; other verbs take none. */
  readonly argument?: string;
  readonly help: string;
  readonly options: readonly Row<unknown>[];
}

const { url, key, adminToken, limit, seed, scenario } = CLIENT_OPTIONS;

/** The options of start that a bundle answers by itself. */
const BUNDLED: ReadonlySet<string> = new Set([
  'seed',
  'scenario',
  'watch',
  'clock',
  'start-time',
  'batch-pace',
  'token-ttl',
  'authorisation-ttl',
  'dialect',
  'state',
]);

export function isBundled({ flag }: Pick<Row<unknown>, 'flag'>): boolean {
  return BUNDLED.has(flag);
}

/** Every verb of the command line, in the order of --help. */
export const VERBS = {
  start: { help: 'starts the server (also without a verb)', options: Object.values(OPTIONS) },
  exec: {
    argument: '-- COMMAND…',
    help: 'runs a command, such as npm test, with a server of its own, and ends as it does',
    options: Object.values(EXEC_OPTIONS),
  },
  check: { argument: 'FILE…', help: 'says what is wrong with scenario files, and where', options: [] },
  scenarios: { help: 'lists the scenarios that come along', options: [] },
  triggers: {
    help: 'prints what makes a charge decline, fail or stall',
    options: Object.values(TRIGGERS_OPTIONS),
  },
  advance: {
    argument: 'DURATION|INSTANT',
    help: 'puts the clock of a running server forward',
    options: [url, key, adminToken],
  },
  reset: {
    help: 'empties the world of a key on a running server',
    options: [url, key, adminToken, seed, scenario],
  },
  journal: { help: 'prints the last calls of a running server', options: [url, key, adminToken, limit] },
  replay: {
    argument: 'TRACE|BUNDLE',
    help: 'sends recorded calls anew and prints what differs',
    options: Object.values(REPLAY_OPTIONS),
  },
  bundle: {
    argument: '[FILE]',
    help: 'writes all that a bug report needs of a running server into one file',
    options: [url, key, adminToken],
  },
  open: {
    argument: 'BUNDLE',
    help: 'starts a server with the world of a bundle, with most options of start',
    options: Object.values(OPTIONS).filter((row) => !isBundled(row)),
  },
  doctor: {
    help: 'says what is wrong with the server, the environment, the certificates',
    options: Object.values(DOCTOR_OPTIONS),
  },
  health: {
    help: "exits with 0 where the container's server, or that of --url, is ready",
    options: Object.values(HEALTH_OPTIONS),
  },
  help: { argument: '[COMMAND]', help: 'prints this, or the options of one command', options: [] },
} as const satisfies Record<string, VerbRow>;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}
