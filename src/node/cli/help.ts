import {
  CLIENT_OPTIONS,
  DOCTOR_OPTIONS,
  EXEC_OPTIONS,
  OPTIONS,
  REPLAY_OPTIONS,
  type Row,
  TRIGGERS_OPTIONS,
} from './option-table.js';
import { type Verb, VERBS, type VerbRow } from './verbs.js';

const { key, adminToken } = CLIENT_OPTIONS;

/** How many variables the help of a command names one by one. */
const NAMED_MAX = 3;

/** What each command does, in the order of --help. It stands here, and not beside its options, so that no start loads it. */
const VERB_HELP: Readonly<Record<Verb, string>> = {
  start: 'starts the server (also without a verb)',
  exec: 'runs a command, such as npm test, with a server of its own, and ends as it does',
  check: 'says what is wrong with scenario files, and where',
  scenarios: 'lists the scenarios that come along',
  triggers: 'prints what makes a charge decline, fail or stall',
  advance: 'puts the clock of a running server forward',
  reset: 'empties the world of a key on a running server',
  journal: 'prints the last calls of a running server',
  replay: 'sends recorded calls anew and prints what differs',
  bundle: 'writes all that a bug report needs of a running server into one file',
  open: 'starts a server with the world of a bundle, with most options of start',
  doctor: 'says what is wrong with the server, the environment, the certificates',
  health: "exits with 0 where the container's server, or that of --url, is ready",
  help: 'prints this, or the options of one command',
};

/** What --help prints: of one command, or of all. */
export function helpText(about: Verb | null = null): string {
  return about === null || about === 'help' ? wholeHelp() : verbHelp(about);
}

function verbHelp(verb: Verb): string {
  const { argument, options }: VerbRow = VERBS[verb];
  const usage = [
    'playmoney',
    verb,
    ...(options.length > 0 ? ['[options]'] : []),
    ...(argument ? [argument] : []),
  ];
  const variables = options.flatMap(({ flag, isCommandLineOnly }) => (isCommandLineOnly ? [] : [flag]));
  return `${usage.join(' ')}: ${VERB_HELP[verb]}

Options
${options.map((row) => `${optionLine(row)}\n`).join('')}${helpLine('--help, -h', 'prints this')}
${variableLine(variables)}`;
}

/** Few variables are named; how many are, one shows. */
function variableLine(flags: readonly string[]): string {
  if (flags.length === 0) return '';
  if (flags.length > NAMED_MAX)
    return `\nThe environment may say it too: --start-time is PLAYMONEY_START_TIME there.\n`;
  const names = flags.map((flag) => `PLAYMONEY_${flag.toUpperCase().replaceAll('-', '_')}`);
  return `\nRead from the environment where they are not given: ${names.join(', ')}\n`;
}

function wholeHelp(): string {
  const verbs = Object.entries(VERB_HELP).map(([verb, help]) => {
    const { argument }: VerbRow = VERBS[verb as Verb];
    return helpLine(`${verb}${argument ? ` ${argument}` : ''}`, help);
  });
  return `playmoney, a fake payment gateway: playmoney [start] [options]

Commands
${verbs.join('\n')}

Options of start, with their defaults
${Object.values(OPTIONS).map(optionLine).join('\n')}

Options of exec, beside those of start
${ownRows(EXEC_OPTIONS, OPTIONS).map(optionLine).join('\n')}

Options of advance, reset, journal and bundle
${Object.values(CLIENT_OPTIONS).map(optionLine).join('\n')}

Options of replay, beside --key and --admin-token
${Object.values(REPLAY_OPTIONS)
  .filter((row) => row !== key && row !== adminToken)
  .map(optionLine)
  .join('\n')}

Options of triggers
${Object.values(TRIGGERS_OPTIONS).map(optionLine).join('\n')}

Options of doctor, beside --url, --key, --admin-token, --port and --scenario; health takes --url
${optionLine(DOCTOR_OPTIONS.json)}

Options of all
${helpLine('--help, -h', 'prints this; behind a command, its options alone')}
${helpLine('--version', 'prints the version')}

Each option of start may stand in the environment, and so may --url, --key and --admin-token: --start-time as
PLAYMONEY_START_TIME, lists separated by commas, switches as 1, true, 0 or false. PORT is read where PLAYMONEY_PORT is
not set. Of several keys in PLAYMONEY_KEY, --key is the first. The command line wins.
`;
}

/** The rows of a table that are not those of another. */
function ownRows(
  table: Readonly<Record<string, Row<unknown>>>,
  other: Readonly<Record<string, Row<unknown>>>,
) {
  return Object.entries(table).flatMap(([name, row]) => (row === other[name] ? [] : [row]));
}

function optionLine(row: Row<unknown>): string {
  const left = `--${row.flag}${row.argument ? ` ${row.argument}` : ''}`;
  return helpLine(left, `${row.help}${row.shown ? ` (${row.shown})` : ''}`);
}

function helpLine(left: string, help: string): string {
  return `  ${left.padEnd(30)}${help}`;
}
