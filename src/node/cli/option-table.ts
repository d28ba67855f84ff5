import { DEFAULT_AUTHORISATION_TTL } from '../../charges/record.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../core/dialect.js';
import { parseInstant } from '../../core/time.js';
import { isWebhookSecret, SECRET_TAKES } from '../../core/webhook-secret.js';
import { LIMIT_MAX } from '../../http/list-fields.js';
import { DEFAULT_BATCH_BODY_LIMIT, DEFAULT_BODY_LIMIT, DEFAULT_WORLDS_MAX } from '../../sandbox.js';
import { DEFAULT_TOKEN_TTL } from '../../tokens/record.js';
import type { Reach } from '../../webhooks/record.js';
import { DEFAULT_REQUESTS_MAX } from '../http/load.js';
import { commandLineOnly, list, type Option, option, splitList, toggle, type ValuesOf } from './option.js';
import {
  address,
  ADMIN_TOKEN,
  anyText,
  CLOCK,
  HOST,
  HOST_NAME,
  oneOf,
  ORIGIN,
  PACE,
  secretKey,
  SIZE,
  TIMEOUT,
  TTL,
  wholeNumber,
} from './option-kinds.js';

const REACHES: readonly Reach[] = ['private', 'public', 'off'];
const WORLDS_MAX = 1_000_000;
const REQUESTS_MAX = 1_000_000;
const SEED = anyText('TEXT', 'a text of at least one character');
const DEFAULT_URL = 'http://127.0.0.1:4010';
const DEFAULT_KEY = 'sk_test_local';

const PORT = option('port', wholeNumber(0, 65_535), 'port to listen on; 0 takes a free one', 4010);

/** The options of `start`. From these rows follow the command line, the environment, --help, the messages and `doctor`. */
export const START = {
  port: { ...PORT, shown: '4010', variable: 'PORT' },
  host: option('host', HOST, 'address to listen on', '127.0.0.1', '127.0.0.1'),
  seed: option('seed', SEED, 'seed of every identifier and random draw', '1', '1'),
  scenario: option(
    'scenario',
    anyText(
      'FILE|NAME',
      'a scenario file such as ./declines.yaml, or a name that `playmoney scenarios` lists',
    ),
    'scenario that worlds play: a file, or a name that `playmoney scenarios` lists',
  ),
  watch: toggle('watch', 'plays the scenario file anew whenever it changes'),
  clock: option(
    'clock',
    CLOCK,
    'real, manual (stands still until advanced) or a speed such as x60',
    { mode: 'real', rate: 1 },
    'real',
  ),
  startTime: option(
    'start-time',
    { argument: 'INSTANT', takes: 'a date and time such as 2026-01-01T00:00:00Z', read: parseInstant },
    'where the clock begins; otherwise now, or 2026-01-01T00:00:00Z unless the clock is real',
  ),
  dialect: option(
    'dialect',
    oneOf('NAME', DIALECTS, DIALECTS.join(' or ')),
    'documented, or sdk: spelt as client libraries of the service send and read',
    DEFAULT_DIALECT,
    DEFAULT_DIALECT,
  ),
  /** Keys accepted besides those that begin with sk_test_. */
  keys: list(
    'key',
    secretKey('a secret key without blanks that is not a live one, or any'),
    'accepts this key besides sk_test_…, `any` accepts all; repeatable',
  ),
  strict: toggle('strict', 'refuses unknown members and filters instead of warning'),
  testCardsOnly: toggle('test-cards-only', 'refuses card numbers that are not test cards'),
  batchPaceMs: option(
    'batch-pace',
    PACE,
    'time that each row of a batch takes; otherwise 100ms, and less in batches above 300 rows',
  ),
  tokenTtlMs: option('token-ttl', TTL, 'life of a single-use token', DEFAULT_TOKEN_TTL, '15m'),
  authorisationTtlMs: option(
    'authorisation-ttl',
    TTL,
    'life of an authorisation not captured',
    DEFAULT_AUTHORISATION_TTL,
    '7d',
  ),
  https: toggle('https', 'serves HTTPS and HTTP/2, with a certificate of its own making'),
  tlsDir: option(
    'tls-dir',
    anyText('DIR', 'a folder, such as ./tls'),
    'where --https keeps its certificates; otherwise in your data folder',
  ),
  allowedHosts: list(
    'allowed-host',
    HOST_NAME,
    'answers requests for this Host too, and names it in the certificate; repeatable',
  ),
  allowedOrigins: list(
    'allowed-origin',
    ORIGIN,
    'answers pages of this Origin too (`null`: file:// pages); repeatable',
  ),
  adminToken: option('admin-token', ADMIN_TOKEN, 'asks for this x-sandbox-admin header on /_sandbox'),
  webhooks: option(
    'webhooks',
    oneOf('WHERE', REACHES, REACHES.join(' or ')),
    'delivers webhooks to private addresses, also to public ones, or nowhere: off',
    'private',
    'private',
  ),
  webhookSecret: option(
    'webhook-secret',
    {
      argument: 'SECRET',
      takes: SECRET_TAKES,
      isSecret: true,
      read: (given: string) => (isWebhookSecret(given) ? given : undefined),
    },
    'signs webhooks: whsec_… as Standard Webhooks have it',
  ),
  bodyLimitBytes: option('body-limit', SIZE, 'largest request body', DEFAULT_BODY_LIMIT, '1mb'),
  batchBodyLimitBytes: option(
    'batch-body-limit',
    SIZE,
    'largest body of POST /batch',
    DEFAULT_BATCH_BODY_LIMIT,
    '16mb',
  ),
  worldsMax: option(
    'worlds-max',
    wholeNumber(1, WORLDS_MAX),
    'most worlds (keys) at a time; one more is refused',
    DEFAULT_WORLDS_MAX,
    '10000',
  ),
  requestsMax: option(
    'requests-max',
    wholeNumber(1, REQUESTS_MAX),
    'most requests under way at a time; one more is answered 503 with Retry-After',
    DEFAULT_REQUESTS_MAX,
    '10000',
  ),
  state: option(
    'state',
    anyText('FILE', 'a file, such as ./worlds.json'),
    'keeps all worlds in this file over a restart, with their keys and whole card numbers',
  ),
  quiet: toggle('quiet', 'prints the ready line alone'),
  log: option(
    'log',
    oneOf('FORMAT', ['off', 'text', 'json'], 'off, text or json'),
    'a line for each request on stderr, as text or json; off prints none',
    'off',
    'off',
  ),
} as const;

export type StartOptions = ValuesOf<typeof START>;

/** What the bundle of `open` says by itself. */
const BUNDLED: readonly (keyof StartOptions)[] = [
  'seed',
  'scenario',
  'watch',
  'clock',
  'startTime',
  'batchPaceMs',
  'tokenTtlMs',
  'authorisationTtlMs',
  'dialect',
  'state',
];

export const OPEN = Object.fromEntries(
  Object.entries<Option<unknown>>(START).map(([name, row]) => [
    name,
    BUNDLED.some((bundled) => bundled === name) ? { ...row, isFixed: true } : row,
  ]),
) as typeof START;

export const EXEC = {
  ...START,
  // PORT is that of the program under test.
  port: { ...PORT, help: 'port to listen on, not read from PORT; otherwise a free one', fallback: 0 },
  journal: option(
    'journal',
    {
      argument: 'FILE',
      takes: 'a file that ends in .har or .json',
      read: (given: string) => (/\.(?:har|json)$/i.test(given) ? given : undefined),
    },
    'writes the calls of all worlds to this file, as HAR or JSON by its extension',
  ),
  failOnWarnings: toggle(
    'fail-on-warnings',
    'exits with 1 where the command went well, but there is something to warn of',
  ),
} as const;

export type ExecOptions = ValuesOf<typeof EXEC>;

const ADDRESS = address('the address of a server, such as http://127.0.0.1:4010');
const KEY = secretKey('a secret key without blanks that is not a live one');

/** The options of every verb that calls a running server: where it is, and whose world is meant. */
export const CLIENT = {
  url: option('url', ADDRESS, `where the server is; otherwise ${DEFAULT_URL}`, DEFAULT_URL),
  key: {
    ...option('key', KEY, `whose world is meant; otherwise that of ${DEFAULT_KEY}`, DEFAULT_KEY),
    // A start reads all keys of the variable; `any` is none.
    ofVariable: (given: string) => splitList(given).find((key) => key !== 'any'),
  },
  adminToken: option('admin-token', ADMIN_TOKEN, 'the one that the server was started with'),
} as const;

export type ClientOptions = ValuesOf<typeof CLIENT>;

export const JOURNAL = {
  ...CLIENT,
  limit: commandLineOnly(
    option('limit', wholeNumber(1, LIMIT_MAX), 'journal: how many entries at most, the newest'),
  ),
} as const;

export const RESET = {
  ...CLIENT,
  seed: commandLineOnly(option('seed', SEED, 'reset: the seed of the fresh world')),
  scenario: commandLineOnly(
    option(
      'scenario',
      {
        argument: 'NAME',
        takes: 'the name of a scenario that `playmoney scenarios` lists',
        read: (given: string) => (given === '' || isScenarioFile(given) ? undefined : given),
      },
      'reset: what the fresh world plays, by a name that `playmoney scenarios` lists',
    ),
  ),
} as const;

export const REPLAY = {
  against: {
    ...option(
      'against',
      address('the address that the calls are sent to, such as http://127.0.0.1:4010'),
      'where the calls are sent: a sandbox, or the service; has to be given',
      '',
    ),
    isCommandLineOnly: true,
    isRequired: true,
  },
  key: CLIENT.key,
  adminToken: CLIENT.adminToken,
  ca: commandLineOnly(
    option(
      'ca',
      anyText('FILE', 'a file of certificates (PEM)'),
      'whom to trust behind https, in place of those that the system trusts',
    ),
  ),
  timeoutMs: commandLineOnly(
    option('timeout', TIMEOUT, 'how long an answer may take; otherwise 30s', 30_000),
  ),
  moveClock: commandLineOnly(
    toggle('move-clock', 'moves the manual clock of a sandbox as the recorded one moved'),
  ),
  ignored: commandLineOnly(
    list(
      'ignore',
      anyText('MEMBER', 'the name of a member, such as Message'),
      'leaves members of this name out of the comparison; repeatable',
    ),
  ),
} as const;

export type ReplayOptions = ValuesOf<typeof REPLAY>;

export const TRIGGERS = {
  json: commandLineOnly(toggle('json', 'prints them as the JSON of GET /_sandbox/triggers')),
} as const;

/** Null: not given, so the environment and the defaults say it. The doctor looks at the environment by itself. */
export const DOCTOR = {
  url: commandLineOnly(option('url', ADDRESS, CLIENT.url.help)),
  key: commandLineOnly(option('key', KEY, CLIENT.key.help)),
  adminToken: commandLineOnly(CLIENT.adminToken),
  port: commandLineOnly({ ...PORT, fallback: null }),
  scenario: commandLineOnly(START.scenario),
  json: commandLineOnly(toggle('json', 'prints what it found as JSON')),
} as const;

export type DoctorOptions = ValuesOf<typeof DOCTOR>;

export const HEALTH = {
  url: commandLineOnly(
    option('url', ADDRESS, "where the server is; otherwise the container's own, by its port and scheme"),
  ),
} as const;

/** Whether --scenario names a file; otherwise it names a scenario that comes along. */
export function isScenarioFile(given: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(given);
}
