import { nonEmptyKind, option, textKind, toggleOption, type OptionValues } from '../../core/option.js';
import { WORLD_OPTIONS as WORLD } from '../../world/settings.js';
import { fromCommandLine, fromEnvironment, repeatable } from './option.js';
import { secretKey, TIMEOUT } from './option-kinds.js';

const COMMAND = nonEmptyKind('COMMAND', 'a command line, such as "node orders.mjs"');
/** The options of `sweep`. */
export const SWEEP = {
  ...fromEnvironment({
    dialect: WORLD.dialect,
    strict: WORLD.strict,
    knownProvidersOnly: WORLD.knownProvidersOnly,
    tokenTtl: WORLD.tokenTtl,
    authorisationTtl: WORLD.authorisationTtl,
    webhookSecret: WORLD.webhookSecret,
    keys: repeatable(
      secretKey('a secret key (no spaces, no live key) or any'),
      'accept this key as well as sk_test_… keys; repeatable',
    ),
  }),
  ...fromCommandLine({
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
    all: toggleOption('try all calls of one shape, not only the first three in each world'),
    time: option(TIMEOUT, 'time for all runs; the most telling faults come first'),
    timeout: option(TIMEOUT, 'time for one run; default: 5m', '5m', { isHidden: true }),
    accepts: {
      ...repeatable(nonEmptyKind('FINDING', 'the name of a finding'), 'a finding that is known; repeatable'),
      hasCommas: true as const,
    },
    report: option(
      nonEmptyKind('DIR', 'a folder, such as ./sweep'),
      'folder for the report in each format, and for scenarios',
    ),
  }),
};

export type SweepCommandOptions = OptionValues<typeof SWEEP>;
