import {
  nonEmptyKind,
  option,
  textKind,
  toggleOption,
  TTL_KIND,
  wordKind,
  type OptionValues,
} from '../../core/option.js';
import { WORLD_OPTIONS as WORLD } from '../../world/settings.js';
import { fromCommandLine, fromEnvironment, repeatable } from './option.js';
import { secretKey, TIMEOUT, wholeNumber } from './option-kinds.js';
import { HIDDEN, PORT, START, WHERE_TO_LISTEN } from './option-table.js';

const COMMAND = nonEmptyKind('COMMAND', 'a command line, such as "node orders.mjs"');
const RESTART = textKind('COMMAND', COMMAND.mustBe, () => true);
const CRASH_OF = wordKind('WHO', ['group', 'caller'], 'group or caller');
/** The most runs at the same time, of commands and of flows. */
export const CONCURRENCY_MAX = 64;
/** The number of orders that are tried for each `together`. It stands here, because every start reads the options, and none the sweep. */
export const RACES_DEFAULT = 64;
export const RACES_MAX = 10_000;

/** The options of `sweep`. */
export const SWEEP = {
  ...fromEnvironment({
    dialect: WORLD.dialect,
    strict: WORLD.strict,
    knownProvidersOnly: WORLD.knownProvidersOnly,
    tokenTtl: WORLD.tokenTtl,
    authorisationTtl: WORLD.authorisationTtl,
    checkoutTtl: WORLD.checkoutTtl,
    webhookSecret: WORLD.webhookSecret,
    keys: repeatable(
      secretKey('a secret key (no spaces, no live key) or any'),
      'accept this key as well as sk_test_… keys; repeatable',
    ),
  }),
  ...fromCommandLine({
    // PORT belongs to the program under test.
    port: option(PORT, `${WHERE_TO_LISTEN}; default: a free port for each run`, '0', HIDDEN),
    https: START.https,
    tlsDir: START.tlsDir,
    orders: option(COMMAND, 'command that prints {world, reference, amount, currency, paid} as JSON lines'),
    expect: option(
      nonEmptyKind('FILE', 'a file, such as expected.json'),
      'file of what the buyers agreed to pay, in the form of --orders',
    ),
    recover: option(COMMAND, 'command that checks open orders, run an hour later on the clock'),
    faults: repeatable(
      textKind(
        'NAME|FILE',
        'a fault such as lost, or a .json or .yaml file of own ones',
        (name) => name !== '',
      ),
      'inject only this fault, or those of a file; repeatable',
    ),
    pairs: toggleOption('inject a second fault into calls that only a recovery makes'),
    twice: toggleOption('run COMMAND twice at the same time, as when a buyer presses twice'),
    races: option(
      wholeNumber(0, RACES_MAX),
      `try at most this many orders of the calls of --twice; default: ${RACES_DEFAULT}`,
      String(RACES_DEFAULT),
      { isHidden: true },
    ),
    all: toggleOption('try all calls of one shape, not only the first three in each world'),
    crash: toggleOption(
      'kill the command at each call, before and after it is performed, and start it again',
    ),
    crashOf: option(
      CRASH_OF,
      'kill the whole group, or only the caller of the call; default: group',
      'group',
      {
        isHidden: true,
      },
    ),
    restart: option(RESTART, "command that is started after a crash, '' for none; default: COMMAND"),
    concurrency: option(wholeNumber(1, CONCURRENCY_MAX), 'number of runs at the same time; default: 1', '1', {
      isHidden: true,
    }),
    time: option(TIMEOUT, 'time for all runs; the faults most likely to find something come first'),
    timeout: option(TIMEOUT, 'time for one run; default: ten times that of the first run, at least 10s'),
    settle: option(
      TTL_KIND,
      'time that passes at the end of each run, such as 4d for bank debits; default: 1d',
      '1d',
      HIDDEN,
    ),
    accepts: {
      ...repeatable(
        nonEmptyKind('FINDING|FILE', 'the name of a finding, or a .json file'),
        'a finding that is known, or a file of {finding, reason, by, on}; repeatable',
      ),
      hasCommas: true as const,
    },
    report: option(
      nonEmptyKind('DIR', 'a folder, such as ./sweep'),
      'folder for the report in each format, and for scenarios',
    ),
    evidence: option(
      nonEmptyKind('DIR', 'a folder, such as ./evidence'),
      'folder for evidence of what was proved, for readers who were not there',
    ),
    verify: option(
      nonEmptyKind('DIR', 'a folder that --evidence wrote'),
      'run no command; say whether the evidence in this folder was edited',
    ),
  }),
};

export type SweepCommandOptions = OptionValues<typeof SWEEP>;
