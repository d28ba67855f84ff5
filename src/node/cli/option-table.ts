import { DEFAULT_DIALECT, DIALECTS } from '../../core/dialect.js';
import { LIMIT_MAX } from '../../http/list-fields.js';
import { DEFAULT_WORLDS_MAX } from '../../sandbox.js';
import { DEFAULT_HEADER_PREFIX, type Reach } from '../../webhooks/record.js';
import { DEFAULT_REQUESTS_MAX } from '../http/load.js';
import {
  fromCommandLine,
  fromEnvironment,
  list,
  type Option,
  option,
  splitList,
  toggle,
  type ValuesOf,
} from './option.js';
import * as kind from './option-kinds.js';

const REACHES: readonly Reach[] = ['private', 'public', 'off'];
const WORLDS_MAX = 1_000_000;
const REQUESTS_MAX = 1_000_000;
const DEFAULT_URL = 'http://127.0.0.1:4010';
const DEFAULT_KEY = 'sk_test_local';
export const HIDDEN = { isHidden: true } as const;

const SEED = kind.anyText('TEXT', 'a text of at least one character');
export const PORT = kind.wholeNumber(0, 65_535);
export const WHERE_TO_LISTEN = 'port to listen on; 0 takes a free one';
const SCENARIO = option(
  kind.anyText(
    'FILE|NAME',
    'a scenario file such as ./declines.yaml, or a name that `playmoney scenarios` lists',
  ),
  'scenario that worlds play: a file, or a name that `playmoney scenarios` lists',
);

/** The options of `start`. From these rows follow the command line, the environment, --help, the messages and `doctor`. */
export const START = fromEnvironment({
  port: { ...option(PORT, WHERE_TO_LISTEN, '4010'), variable: 'PORT' },
  host: option(kind.HOST, 'address to listen on', '127.0.0.1'),
  seed: option(SEED, 'seed of every identifier and random draw', '1'),
  scenario: SCENARIO,
  watch: toggle('plays the scenario file anew whenever it changes'),
  clock: option(kind.CLOCK, 'real, manual (stands still until advanced) or a speed such as x60', 'real'),
  startTime: option(
    kind.INSTANT,
    'where the clock begins; otherwise now, or 2026-01-01T00:00:00Z unless the clock is real',
  ),
  dialect: option(
    kind.oneOf('NAME', DIALECTS, DIALECTS.join(' or ')),
    'documented, or sdk: spelt as client libraries of the service send and read',
    DEFAULT_DIALECT,
  ),
  /** Accepted besides those that begin with sk_test_. */
  keys: list(
    kind.secretKey('a secret key without blanks that is not a live one, or any'),
    'accepts this key besides sk_test_…, `any` accepts all; repeatable',
  ),
  strict: toggle('refuses unknown members and filters instead of warning'),
  testCardsOnly: toggle('refuses card numbers that are not test cards'),
  knownProvidersOnly: toggle('refuses a ProviderId that is neither built in nor configured (code 39)'),
  batchPace: option(
    kind.PACE,
    'time that each row of a batch takes; otherwise 100ms, and less in batches above 300 rows',
  ),
  tokenTtl: option(kind.TTL, 'life of a single-use token', '15m'),
  authorisationTtl: option(kind.TTL, 'life of an authorisation not captured', '7d'),
  ccvTtl: option(kind.TTL, 'how long the vault keeps a Ccv that no charge uses; otherwise until one does'),
  https: toggle('serves HTTPS and HTTP/2, with a certificate of its own making'),
  tlsDir: option(
    kind.anyText('DIR', 'a folder, such as ./tls'),
    'where --https keeps its certificates; otherwise in your data folder',
  ),
  allowedHosts: list(
    kind.HOST_NAME,
    'answers requests for this Host too, and names it in the certificate; repeatable',
  ),
  allowedOrigins: list(kind.ORIGIN, 'answers pages of this Origin too (`null`: file:// pages); repeatable'),
  adminToken: option(kind.ADMIN_TOKEN, 'asks for this x-sandbox-admin header on /_sandbox'),
  webhooks: option(
    kind.oneOf('WHERE', REACHES, REACHES.join(' or ')),
    'delivers webhooks to private addresses, also to public ones, or nowhere: off',
    'private',
  ),
  webhookSecret: option(
    kind.WEBHOOK_SECRET,
    'signs webhooks: the text of the key, as the dashboard shows it',
  ),
  webhookHeaderPrefix: option(
    kind.HEADER_PREFIX,
    'begins the names of the headers Version and Signature of webhooks',
    DEFAULT_HEADER_PREFIX,
  ),
  bodyLimit: option(kind.SIZE, 'largest request body', '1mb'),
  batchBodyLimit: option(kind.SIZE, 'largest body of POST /batch', '16mb'),
  worldsMax: option(
    kind.wholeNumber(1, WORLDS_MAX),
    'most worlds (keys) at a time; one more is refused',
    String(DEFAULT_WORLDS_MAX),
  ),
  requestsMax: option(
    kind.wholeNumber(1, REQUESTS_MAX),
    'most requests under way at a time; one more is answered 503 with Retry-After',
    String(DEFAULT_REQUESTS_MAX),
  ),
  state: option(
    kind.anyText('FILE', 'a file, such as ./worlds.json'),
    'keeps all worlds in this file over a restart, with their keys and whole card numbers',
  ),
  quiet: toggle('prints the ready line alone'),
  log: option(
    kind.oneOf('FORMAT', ['off', 'text', 'json'], 'off, text or json'),
    'a line for each request on stderr, as text or json; off prints none',
    'off',
  ),
});

export type StartOptions = ValuesOf<typeof START>;

const BUNDLED: ReadonlySet<string> = new Set<keyof StartOptions>([
  'seed',
  'scenario',
  'watch',
  'clock',
  'startTime',
  'batchPace',
  'tokenTtl',
  'authorisationTtl',
  'ccvTtl',
  'knownProvidersOnly',
  'dialect',
  'state',
]);

export const OPEN = Object.fromEntries(
  Object.entries<Option<unknown>>(START).map(([name, row]) => [name, { ...row, isFixed: BUNDLED.has(name) }]),
) as typeof START;

export const EXEC = {
  ...START,
  ...fromEnvironment({
    // PORT is that of the program under test.
    port: option(PORT, 'port to listen on, not read from PORT; otherwise a free one', '0', HIDDEN),
    journal: option(
      kind.JOURNAL_FILE,
      'writes the calls of all worlds to this file, as HAR or JSON by its extension',
    ),
    failOnWarnings: toggle('exits with 1 where the command went well, but there is something to warn of'),
  }),
};

export type ExecOptions = ValuesOf<typeof EXEC>;

const ADDRESS = kind.address('the address of a server, such as http://127.0.0.1:4010');
const KEY = kind.secretKey('a secret key without blanks that is not a live one');
const WHERE = `where the server is; otherwise ${DEFAULT_URL}`;
const WHOSE = `whose world is meant; otherwise that of ${DEFAULT_KEY}`;
const SERVER_TOKEN = option(kind.ADMIN_TOKEN, 'the one that the server was started with');

export const CLIENT = fromEnvironment({
  url: option(ADDRESS, WHERE, DEFAULT_URL, HIDDEN),
  key: {
    ...option(KEY, WHOSE, DEFAULT_KEY, HIDDEN),
    // A start reads all keys of the variable; `any` is none.
    ofVariable: (given: string) => splitList(given).find((key) => key !== 'any'),
  },
  adminToken: SERVER_TOKEN,
});

export type ClientOptions = ValuesOf<typeof CLIENT>;

export const JOURNAL = {
  ...CLIENT,
  ...fromCommandLine({
    limit: option(kind.wholeNumber(1, LIMIT_MAX), 'journal: how many entries at most, the newest'),
  }),
};

export const RESET = {
  ...CLIENT,
  ...fromCommandLine({
    seed: option(SEED, 'reset: the seed of the fresh world'),
    scenario: option(
      kind.SCENARIO_NAME,
      'reset: what the fresh world plays, by a name that `playmoney scenarios` lists',
    ),
  }),
};

export const TRIGGERS = fromCommandLine({
  json: toggle('prints them as the JSON of GET /_sandbox/triggers'),
});

/** Null: not given, so the environment and the defaults say it. The doctor looks at the environment by itself. */
export const DOCTOR = fromCommandLine({
  url: option(ADDRESS, WHERE),
  key: option(KEY, WHOSE),
  adminToken: SERVER_TOKEN,
  port: option(PORT, WHERE_TO_LISTEN),
  scenario: SCENARIO,
  json: toggle('prints what it found as JSON'),
});

export type DoctorOptions = ValuesOf<typeof DOCTOR>;

export const HEALTH = fromCommandLine({
  url: option(ADDRESS, "where the server is; otherwise the container's own, by its port and scheme"),
});
