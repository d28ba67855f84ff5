import { nonEmptyKind, type OptionKind, option, toggleOption, type OptionValues } from '../../core/option.js';
import { fromCommandLine, repeatable } from './option.js';
import * as kind from './option-kinds.js';
import { CLIENT, HIDDEN, PORT, START, WHERE_TO_LISTEN } from './option-table.js';

function requiredOption(value: OptionKind<string>, help: string, shown = 'required') {
  return { ...option(value, `${help}; ${shown}`, '', HIDDEN), isRequired: true as const };
}

const { key, adminToken } = CLIENT;
const AGAINST = {
  ...requiredOption(
    kind.address('the address to send the calls to, such as http://127.0.0.1:4010'),
    'address to send the calls to: a sandbox or the service',
    'required without PLAYMONEY_URL',
  ),
  variable: 'PLAYMONEY_URL',
};

const CA = option(
  nonEmptyKind('FILE', 'a file with certificates (PEM)'),
  'certificates (PEM) to trust for https, instead of those of the system',
);
const TIMEOUT = option(kind.TIMEOUT, 'maximum time to wait for an answer; default: 30s', '30s', HIDDEN);

export const REPLAY = {
  ...fromCommandLine({ against: AGAINST }),
  key,
  adminToken,
  ...fromCommandLine({
    ca: CA,
    timeout: TIMEOUT,
    moveClock: toggleOption('move the manual clock of a sandbox as the recorded clock moved'),
    ignores: repeatable(
      nonEmptyKind('FIELD', 'the name of a field, such as Message'),
      'ignore fields with this name in the comparison; repeatable',
    ),
  }),
};

export type ReplayOptions = OptionValues<typeof REPLAY>;

const OUT_FILE = nonEmptyKind('FILE', 'the name of a file that does not exist yet');

export const RECORD = fromCommandLine({
  upstream: requiredOption(
    kind.address('the address of the service, such as https://sandbox-api.payfurl.com'),
    'address of the service to forward calls to',
  ),
  out: requiredOption(OUT_FILE, 'trace file to write'),
  port: option(PORT, WHERE_TO_LISTEN, '4010'),
  host: START.host,
  allowedHosts: START.allowedHosts,
  allowedOrigins: START.allowedOrigins,
  ca: CA,
  timeout: TIMEOUT,
});

export type RecordOptions = OptionValues<typeof RECORD>;

export const SCENARIO = {
  ...CLIENT,
  ...fromCommandLine({
    out: option(OUT_FILE, 'from-trace: scenario file to write; default: print the scenario'),
  }),
};

export type ScenarioOptions = OptionValues<typeof SCENARIO>;

export const BUNDLE = {
  ...CLIENT,
  ...fromCommandLine({
    html: toggleOption('bundle: write a page that opens without a server, with stand-ins for card numbers'),
  }),
};

export type BundleOptions = OptionValues<typeof BUNDLE>;
