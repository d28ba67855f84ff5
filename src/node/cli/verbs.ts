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

/** Every verb of the command line. */
export const VERBS = {
  start: { options: Object.values(OPTIONS) },
  exec: {
    argument: '-- COMMAND…',
    options: Object.values(EXEC_OPTIONS),
  },
  check: { argument: 'FILE…', options: [] },
  scenarios: { options: [] },
  triggers: {
    options: Object.values(TRIGGERS_OPTIONS),
  },
  advance: {
    argument: 'DURATION|INSTANT',
    options: [url, key, adminToken],
  },
  reset: {
    options: [url, key, adminToken, seed, scenario],
  },
  journal: { options: [url, key, adminToken, limit] },
  replay: {
    argument: 'TRACE|BUNDLE',
    options: Object.values(REPLAY_OPTIONS),
  },
  bundle: {
    argument: '[FILE]',
    options: [url, key, adminToken],
  },
  open: {
    argument: 'BUNDLE',
    options: Object.values(OPTIONS).filter((row) => !isBundled(row)),
  },
  doctor: {
    options: Object.values(DOCTOR_OPTIONS),
  },
  health: {
    options: Object.values(HEALTH_OPTIONS),
  },
  help: { argument: '[COMMAND]', options: [] },
} as const satisfies Record<string, VerbRow>;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}
