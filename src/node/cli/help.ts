import { linesOf } from '../../core/text.js';
import { environmentNames, type Option } from './option.js';
import { isVerb, optionsOf, type Verb, type VerbRow, VERBS } from './verbs.js';

const NAMED_MAX = 3;

const VERB_NAMES = Object.keys(VERBS) as Verb[];

/** Each part of the options, and the verbs whose options it lists where no part before it does. */
const PARTS: readonly (readonly [heading: string, ...verbs: Verb[]])[] = [
  ['Options of start, with their defaults', 'start'],
  ['Options of exec, beside those of start', 'exec'],
  ['Options of advance, reset, journal and bundle', 'advance', 'journal', 'reset', 'bundle'],
  ['Options of record, beside --port', 'record'],
  ['Options of replay, beside --key and --admin-token', 'replay'],
  ['Options of scenario', 'scenario'],
  ['Options of triggers', 'triggers'],
  [
    'Options of doctor, beside --url, --key, --admin-token, --port and --scenario; health takes --url',
    'doctor',
  ],
];

/** What --help prints: of one command, or of all. */
export function helpText(about: string | null = null): string {
  return about === null || !isVerb(about) || about === 'help' ? wholeHelp() : verbHelp(about);
}

function verbHelp(verb: Verb): string {
  const { help, argument }: VerbRow = VERBS[verb];
  const options = optionsOf(verb);
  const words = [verb, ...(options.length > 0 ? ['[options]'] : []), ...(argument ? [argument] : [])];
  return linesOf([
    `playmoney ${words.join(' ')}: ${help}`,
    '',
    'Options',
    ...options.map(optionLine),
    helpLine('--help, -h', 'prints this'),
    ...variableLines(options.flatMap((row) => environmentNames(row).slice(0, 1))),
  ]);
}

/** Names a few variables, or an example of many. */
function variableLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return names.length > NAMED_MAX
    ? ['', 'The environment may say it too: --start-time is PLAYMONEY_START_TIME there.']
    : ['', `Read from the environment where they are not given: ${names.join(', ')}`];
}

function wholeHelp(): string {
  const listed = new Set<string>();
  const parts = PARTS.flatMap(([heading, ...verbs]) => {
    const rows = verbs.flatMap(optionsOf).filter(({ flag, help }) => {
      const isNew = !listed.has(`${flag} ${help}`);
      listed.add(`${flag} ${help}`);
      return isNew;
    });
    return [heading, ...rows.map(optionLine), ''];
  });
  return linesOf([
    'playmoney, a fake payment gateway: playmoney [start] [options]',
    '',
    'Commands',
    ...VERB_NAMES.map((verb) => {
      const { help, argument }: VerbRow = VERBS[verb];
      return helpLine(argument ? `${verb} ${argument}` : verb, help);
    }),
    '',
    ...parts,
    'Options of all',
    helpLine('--help, -h', 'prints this; behind a command, its options alone'),
    helpLine('--version', 'prints the version'),
    '',
    'Each option of start may stand in the environment, and so may --url, --key and --admin-token: --start-time as',
    'PLAYMONEY_START_TIME, lists separated by commas, switches as 1, true, 0 or false. PORT is read where PLAYMONEY_PORT is',
    'not set. Of several keys in PLAYMONEY_KEY, --key is the first. The command line wins.',
  ]);
}

function optionLine({ flag, argument, help, shown }: Option<unknown>): string {
  return helpLine(`--${flag}${argument ? ` ${argument}` : ''}`, shown ? `${help} (${shown})` : help);
}

function helpLine(left: string, help: string): string {
  return `  ${left.padEnd(30)}${help}`;
}
