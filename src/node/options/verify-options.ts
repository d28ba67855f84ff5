import { nonEmptyKind, option, toggleOption, type OptionValues } from '../../core/option.js';
import { fromCommandLine, fromEnvironment } from './option.js';
import * as kind from './option-kinds.js';
import { RECORD } from './replay-options.js';

/** The options of `verify`. */
export const VERIFY = {
  ...fromEnvironment({
    key: {
      ...option(
        nonEmptyKind('KEY', 'the secret key of your account at the service'),
        'secret key of your account, for COMMAND as PLAYMONEY_KEY',
      ),
      isSecret: true as const,
    },
  }),
  ...fromCommandLine({
    upstream: option(
      kind.address('the address of the service, such as https://sandbox-api.payfurl.com'),
      'address of the service that COMMAND is to call; default: playmoney itself',
    ),
    out: option(
      nonEmptyKind('FILE', 'a file, such as payfurl.shapes.json'),
      'file for the shapes of the answers; default with --upstream: payfurl.shapes.json',
    ),
    merge: toggleOption('write the shapes of all FILEs into one, unless they contradict each other'),
    strict: toggleOption('fail also if an answer is not covered by a shape'),
  }),
  ca: RECORD.ca,
  timeout: RECORD.timeout,
};

export type VerifyOptions = OptionValues<typeof VERIFY>;
