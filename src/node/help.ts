import {
  CLIENT_OPTIONS,
  DOCTOR_OPTIONS,
  EXEC_OPTIONS,
  OPTIONS,
  REPLAY_OPTIONS,
  type Row,
  TRIGGERS_OPTIONS,
} from './option-table.js';
import { VERBS, type VerbRow } from './verbs.js';

const { key, adminToken } = CLIENT_OPTIONS;

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
${helpLine('--help, -h', 'prints this')}
${helpLine('--version', 'prints the version')}

Each option of start may stand in the environment, and so may --url and --admin-token: --start-time as
PLAYMONEY_START_TIME, lists separated by commas, switches as 1, true, 0 or false. PORT is read where PLAYMONEY_PORT is
not set. The command line wins.
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
