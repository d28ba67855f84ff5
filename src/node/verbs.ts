import { CLIENT_OPTIONS, OPTIONS, type Row } from './option-table.js';

export interface VerbRow {
  /** Stands for the words after the verb in --help; other verbs take none. */
  readonly argument?: string;
  readonly help: string;
  readonly options: readonly Row<unknown>[];
}

const { url, key, adminToken, limit } = CLIENT_OPTIONS;

/** Every verb of the command line, in the order of --help. */
export const VERBS = {
  start: { help: 'starts the server (also without a verb)', options: Object.values(OPTIONS) },
  check: { argument: 'FILE…', help: 'says what is wrong with scenario files, and where', options: [] },
  scenarios: { help: 'lists the scenarios that come along', options: [] },
  triggers: { help: 'prints what makes a charge decline, fail or stall', options: [] },
  advance: {
    argument: 'DURATION|INSTANT',
    help: 'puts the clock of a running server forward',
    options: [url, key, adminToken],
  },
  reset: { help: 'empties the world of a key on a running server', options: [url, key, adminToken] },
  journal: { help: 'prints the last calls of a running server', options: [url, key, adminToken, limit] },
  help: { help: 'prints this', options: [] },
} as const satisfies Record<string, VerbRow>;

export type Verb = keyof typeof VERBS;

export function isVerb(text: string): text is Verb {
  return Object.hasOwn(VERBS, text);
}

/** What --help prints. */
export function helpText(): string {
  const verbs = Object.entries<VerbRow>(VERBS).map(([verb, { argument, help }]) =>
    helpLine(`${verb}${argument ? ` ${argument}` : ''}`, help),
  );
  return `playmoney, a fake payment gateway: playmoney [start] [options]

Commands
${verbs.join('\n')}

Options of start, with their defaults
${Object.values(OPTIONS).map(optionLine).join('\n')}

Options of advance, reset and journal
${Object.values(CLIENT_OPTIONS).map(optionLine).join('\n')}

Options of all
${helpLine('--help, -h', 'prints this')}
${helpLine('--version', 'prints the version')}

Each option but those of one call (--limit, and --key of advance, reset and journal) may stand in the environment
too: --start-time as PLAYMONEY_START_TIME, lists separated by commas, switches as 1, true, 0 or false. PORT is read
where PLAYMONEY_PORT is not set. The command line wins.
`;
}

function optionLine(row: Row<unknown>): string {
  const left = `--${row.flag}${row.argument ? ` ${row.argument}` : ''}`;
  return helpLine(left, `${row.help}${row.shown ? ` (${row.shown})` : ''}`);
}

function helpLine(left: string, help: string): string {
  return `  ${left.padEnd(30)}${help}`;
}
