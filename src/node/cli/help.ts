import { listEnvironmentNames, type Option } from '../options/option.js';
import { formatLines, type Printable } from '../terminal/terminal.js';
import { isVerb, listOptions, type Verb, type VerbRow, VERBS } from './verbs.js';

const NAMED_MAX = 3;

const VERB_NAMES = Object.keys(VERBS) as Verb[];

/** The options of `start` that the whole help shows; `help start` has all. */
const EVERYDAY: ReadonlySet<string> = new Set([
  'port',
  'scenario',
  'clock',
  'dialect',
  'state',
  'webhook-secret',
]);

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
        'Separate list items with commas, and set a switch to 1, true, 0 or false. Without PLAYMONEY_PORT, PORT is read. If',
        'PLAYMONEY_KEY has several keys, --key is the first. An empty variable is ignored, except those of --admin-token,',
        '--webhook-secret, --test-cards-only and --https: these are refused, because the server would be less protected than',
        'you expect. The command line overrides the environment.',
      ]
    : ['', `Environment variables, if the option is not given: ${names.join(', ')}`];
}

function formatWholeHelp(): Printable {
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
    'Everyday options of start',
    ...listOptions('start')
      .filter(({ flag }) => EVERYDAY.has(flag))
      .map(formatOption),
    '',
    '`playmoney help start` lists all options of start, `playmoney help COMMAND` those of another command.',
    '',
    formatHelpLine('--help, -h', 'print this help; after a command, the help of that command'),
    formatHelpLine('--version, -v', 'print the version'),
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
