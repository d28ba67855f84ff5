import { fromCommandLine, type Kind, list, option, toggle, type ValuesOf } from './option.js';
import * as kind from './option-kinds.js';
import { CLIENT, HIDDEN, PORT, WHERE_TO_LISTEN } from './option-table.js';

/** An option without which its verb means nothing. */
function required(takes: Kind<string>, help: string) {
  return { ...option(takes, `${help}; has to be given`, '', HIDDEN), isRequired: true as const };
}

const { key, adminToken } = CLIENT;
const AGAINST = required(
  kind.address('the address that the calls are sent to, such as http://127.0.0.1:4010'),
  'where the calls are sent: a sandbox, or the service',
);

const CA = option(
  kind.anyText('FILE', 'a file of certificates (PEM)'),
  'whom to trust behind https, in place of those that the system trusts',
);
const TIMEOUT = option(kind.TIMEOUT, 'how long an answer may take; otherwise 30s', '30s', HIDDEN);

export const REPLAY = {
  ...fromCommandLine({ against: AGAINST }),
  key,
  adminToken,
  ...fromCommandLine({
    ca: CA,
    timeout: TIMEOUT,
    moveClock: toggle('moves the manual clock of a sandbox as the recorded one moved'),
    ignores: list(
      kind.anyText('MEMBER', 'the name of a member, such as Message'),
      'leaves members of this name out of the comparison; repeatable',
    ),
  }),
};

export type ReplayOptions = ValuesOf<typeof REPLAY>;

const OUT_FILE = kind.anyText('FILE', 'the name of a file that is not there yet');

export const RECORD = fromCommandLine({
  upstream: required(
    kind.address('the address of the service, such as https://sandbox-api.payfurl.com'),
    'where the calls go on to',
  ),
  out: required(OUT_FILE, 'where the trace is written'),
  port: option(PORT, WHERE_TO_LISTEN, '4010'),
  ca: CA,
  timeout: TIMEOUT,
});

export type RecordOptions = ValuesOf<typeof RECORD>;

export const SCENARIO = fromCommandLine({
  out: option(OUT_FILE, 'where the scenario is written; otherwise it is printed'),
});

export type ScenarioOptions = ValuesOf<typeof SCENARIO>;
