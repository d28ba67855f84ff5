import { listEnvironmentNames, type Option } from '../options/option.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import { isVerb, listOptions, type Verb, type VerbRow, VERBS } from './verbs.js';

const NAMED_MAX = 3;

const VERB_NAMES = Object.keys(VERBS) as Verb[];

/** The sections of the whole help, each with the verbs whose options it lists. An option appears only in its first section. */
const PARTS: readonly (readonly [heading: string, ...verbs: Verb[]])[] = [
  ['Options of start', 'start'],
  ['Options of exec, in addition to those of start', 'exec'],
  ['Options of sweep', 'sweep'],
  ['Options of advance, reset, journal and bundle', 'advance', 'journal', 'reset', 'bundle'],
  ['Options of record, in addition to --port', 'record'],
  ['Options of replay, in addition to --key, --admin-token, --ca and --timeout', 'replay'],
  ['Options of verify, in addition to --ca and --timeout', 'verify'],
  ['Options of scenario, in addition to --url, --key and --admin-token', 'scenario'],
  ['Options of check', 'check'],
  ['Options of reconcile, in addition to --url, --key and --admin-token', 'reconcile'],
  ['Options of mcp, in addition to --key and --admin-token', 'mcp'],
  ['Options of scenarios', 'scenarios'],
  ['Options of triggers', 'triggers'],
  ['Options of doctor, in addition to --url, --key and --admin-token; health takes --url', 'doctor'],
];

/** The example of each command, without `playmoney` in front. */
export const EXAMPLES: Readonly<Record<Exclude<Verb, 'help'>, string>> = {
  start: 'start --scenario lost-answer --clock manual',
  exec: 'exec -- npm test',
  sweep: 'sweep --report ./sweep -- npm test',
  check: 'check ./declines.yaml',
  scenarios: 'scenarios --json',
  triggers: 'triggers --json',
  advance: 'advance 2h',
  reset: 'reset --scenario lost-answer',
  journal: 'journal --limit 20',
  reconcile: 'reconcile --orders orders.json',
  record: 'record --upstream https://sandbox-api.payfurl.com --out trace.json',
  replay: 'replay trace.json --against http://127.0.0.1:4010',
  verify: 'verify --upstream https://sandbox-api.payfurl.com -- npm test',
  scenario: 'scenario use ./declines.yaml',
  bundle: 'bundle failure.json',
  open: 'open failure.json',
  mcp: 'mcp --url http://127.0.0.1:4010',
  doctor: 'doctor --port 4010 --scenario ./declines.yaml',
  health: 'health --url http://127.0.0.1:4010',
};

/** The text of --help, for one command or for all. */
export function formatHelp(about: string | null = null): Printable {
  return about === null || !isVerb(about) || about === 'help' ? formatWholeHelp() : formatVerbHelp(about);
}

function formatVerbHelp(verb: keyof typeof EXAMPLES): Printable {
  const { help, argument }: VerbRow = VERBS[verb];
  const options = listOptions(verb);
  const words = [verb, ...(options.length > 0 ? ['[options]'] : []), ...(argument ? [argument] : [])];
  return formatLines([
    `Usage: playmoney ${words.join(' ')}`,
    '',
    `${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    '',
    `Example: playmoney ${EXAMPLES[verb]}`,
    '',
    'Options',
    ...options.map(formatOption),
    formatHelpLine('--help, -h', 'print this help'),
    ...formatVariables(options.flatMap((row) => listEnvironmentNames(row).slice(0, 1))),
  ]);
}

/** Names all variables if they are few, or else two examples. */
function formatVariables(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return names.length > NAMED_MAX
    ? [
        '',
        `You can also set these options with environment variables, such as ${names.slice(0, 2).join(' and ')}.`,
      ]
    : ['', `Environment variables, if the option is not given: ${names.join(', ')}`];
}

function formatWholeHelp(): Printable {
  const listed = new Set<string>();
  const parts = PARTS.flatMap(([heading, ...verbs]) => {
    const rows = verbs.flatMap(listOptions).filter(({ flag, help }) => {
      const isNew = !listed.has(`${flag} ${help}`);
      listed.add(`${flag} ${help}`);
      return isNew;
    });
    return [heading, ...rows.map(formatOption), ''];
  });
  return formatLines([
    'Usage: playmoney [COMMAND] [options]',
    '',
    'A local sandbox for the payFURL API.',
    '',
    'Commands',
    ...VERB_NAMES.map((verb) => {
      const { help, argument }: VerbRow = VERBS[verb];
      return formatHelpLine(argument ? `${verb} ${argument}` : verb, help);
    }),
    '',
    ...parts,
    'Options of all commands',
    formatHelpLine('--help, -h', 'print this help; after a command, the help of that command'),
    formatHelpLine('--version, -v', 'print the version'),
    '',
    'You can also set the options of start and exec, --url, --key and --admin-token with environment variables, such as',
    'PLAYMONEY_START_TIME for --start-time. Separate list items with commas, and set a switch to 1, true, 0 or false.',
    'Without PLAYMONEY_PORT, start reads PORT. If PLAYMONEY_KEY has several keys, --key is the first. An empty variable is',
    'ignored, except those of --admin-token, --webhook-secret, --test-cards-only and --https: these are refused, because',
    'the server would be less protected than you expect. The command line overrides the environment.',
  ]);
}

function formatOption({ flag, argument, help, shown }: Option<unknown>): string {
  return formatHelpLine(
    `--${flag}${argument ? ` ${argument}` : ''}`,
    shown ? `${help} (default: ${shown})` : help,
  );
}

function formatHelpLine(left: string, help: string): string {
  return `  ${left.padEnd(32)}${help}`;
}
