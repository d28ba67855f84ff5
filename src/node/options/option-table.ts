import { DEFAULT_KEY } from '../../core/keys.js';
import {
  nonEmptyKind,
  GUARD,
  wordKind,
  option,
  textKind,
  toggleOption,
  TTL_KIND,
  type OptionValues,
} from '../../core/option.js';
import { LIMIT_MAX } from '../../http/fields/list-fields.js';
import { WORLD_NAME_MAX, WORLD_OPTIONS as WORLD } from '../../world/settings.js';
import { DEFAULT_REQUESTS_MAX } from '../http/load.js';
import { fromCommandLine, fromEnvironment, repeatable, type Option, splitList } from './option.js';
import * as kind from './option-kinds.js';

const WORLDS_MAX = 1_000_000;
const REQUESTS_MAX = 1_000_000;
const DEFAULT_URL = 'http://127.0.0.1:4010';
export const HIDDEN = { isHidden: true } as const;

const WORLD_NAME = textKind(
  'TEXT',
  `a text of 1 to ${WORLD_NAME_MAX} characters`,
  (name) => name.trim() !== '' && name.length <= WORLD_NAME_MAX,
);
const SEED = nonEmptyKind('TEXT', 'a non-empty text');
export const PORT = kind.wholeNumber(0, 65_535);
export const WHERE_TO_LISTEN = 'port to listen on; 0 picks a free port';
export const FILE_OR_NAME = 'a scenario file such as ./declines.yaml, or a name from `playmoney scenarios`';
const scenarioOption = (act: string) =>
  option(
    nonEmptyKind('FILE|NAME', FILE_OR_NAME),
    `scenario to ${act}: a file, or a name from \`playmoney scenarios\``,
  );

/** The options of `start`. The command line, the environment, --help, messages and `doctor` are all derived from them. */
export const START = fromEnvironment({
  port: { ...option(PORT, WHERE_TO_LISTEN, '4010'), variable: 'PORT' },
  host: option(kind.HOST, 'address to listen on', '127.0.0.1'),
  seed: option(SEED, 'seed of all identifiers and random choices', '1'),
  scenario: scenarioOption('run'),
  watch: toggleOption('reload the scenario file whenever it changes'),
  clock: option(kind.CLOCK, 'real, manual (stands still until advanced) or a speed such as x60', 'real'),
  startTime: option(
    kind.INSTANT,
    'initial clock time; default: now with a real clock, otherwise 2026-01-01T00:00:00Z',
  ),
  dialect: WORLD.dialect,
  /** Accepted in addition to keys that begin with sk_test_. */
  keys: repeatable(
    kind.secretKey('a secret key (no spaces, no live key) or any'),
    'accept this key as well as sk_test_… keys; `any` accepts every key; repeatable',
  ),
  strict: WORLD.strict,
  testCardsOnly: WORLD.testCardsOnly,
  knownProvidersOnly: WORLD.knownProvidersOnly,
  batchPace: WORLD.batchPace,
  tokenTtl: WORLD.tokenTtl,
  authorisationTtl: WORLD.authorisationTtl,
  checkoutTtl: WORLD.checkoutTtl,
  ccvTtl: WORLD.ccvTtl,
  delay: WORLD.delay,
  https: { ...toggleOption('serve HTTPS and HTTP/2 with a locally generated certificate'), ...GUARD },
  tlsDir: option(
    nonEmptyKind('DIR', 'a folder, such as ./tls'),
    'folder for the certificates of --https; default: playmoney/tls in your data folder',
  ),
  allowedHosts: repeatable(
    kind.HOST_NAME,
    'also answer requests for this Host, and add it to the certificate; repeatable',
  ),
  allowedOrigins: repeatable(
    kind.ORIGIN,
    'also answer pages from this Origin (`null`: file:// pages); repeatable',
  ),
  adminToken: option(kind.ADMIN_TOKEN, 'require this x-sandbox-admin header on /_sandbox'),
  webhooks: WORLD.webhooks,
  webhookSecret: WORLD.webhookSecret,
  webhookHeaderPrefix: WORLD.webhookHeaderPrefix,
  bodyLimit: option(kind.SIZE, 'maximum size of a request body', '1mb'),
  batchBodyLimit: option(kind.SIZE, 'maximum size of the body of POST /batch and of `reconcile`', '16mb'),
  memoryMax: option(
    kind.MEMORY,
    'maximum memory; calls that need more get 503; default: 70 % of the heap limit of Node',
  ),
  worldsMax: option(
    kind.wholeNumber(1, WORLDS_MAX),
    'maximum number of worlds in memory; default: 10000, 1000 with --state',
  ),
  requestsMax: option(
    kind.wholeNumber(1, REQUESTS_MAX),
    'maximum number of concurrent requests; more get 503 with Retry-After',
    String(DEFAULT_REQUESTS_MAX),
  ),
  state: option(
    nonEmptyKind('FOLDER', 'a folder, such as ./worlds'),
    'keep all worlds in this folder across restarts, with their keys and full card numbers',
  ),
  expire: option(TTL_KIND, 'delete worlds that were not called for this time, such as 7d; default: never'),
  quiet: toggleOption('print only the ready line'),
  log: option(
    wordKind('FORMAT', ['off', 'text', 'json'], 'off, text or json'),
    'log each request on stderr as text or json, or off',
    'off',
  ),
});

export type StartOptions = OptionValues<typeof START>;

/** The options that a bundle determines. */
const BUNDLED: ReadonlySet<string> = new Set<keyof StartOptions>([
  'seed',
  'scenario',
  'watch',
  'clock',
  'startTime',
  'batchPace',
  'tokenTtl',
  'authorisationTtl',
  'checkoutTtl',
  'ccvTtl',
  'knownProvidersOnly',
  'dialect',
  'state',
]);

/** The options of `open` that differ from those of `start`: a file must not call the receivers in it, whatever PLAYMONEY_WEBHOOKS says. */
const OF_OPEN: Readonly<Record<string, Partial<Option<unknown>>>> = {
  keys: { help: `key of the world of the bundle; default: ${DEFAULT_KEY}` },
  webhooks: { fallback: 'off', shown: 'off', isFromEnvironment: false },
};

export const OPEN = Object.fromEntries(
  Object.entries<Option<unknown>>(START).map(([name, row]) => [
    name,
    {
      ...row,
      isFixed: BUNDLED.has(name),
      ...OF_OPEN[name],
    },
  ]),
) as typeof START;

export const EXEC = {
  ...START,
  ...fromEnvironment({
    // PORT belongs to the program under test.
    port: option(PORT, 'port to listen on (PORT is ignored); default: a free port', '0', HIDDEN),
    journals: repeatable(
      kind.JOURNAL_FILE,
      'save the calls of all worlds in this file: .har or .json; repeatable',
    ),
    bundle: option(
      nonEmptyKind('FILE', 'a file name, such as failure.json'),
      'if the command or --fail-on-warnings fails, save all worlds here',
    ),
    failOnWarnings: toggleOption('exit with 1 if the command succeeded but the summary has warnings'),
  }),
};

export type ExecOptions = OptionValues<typeof EXEC>;

const ADDRESS = kind.address('the address of a server, such as http://127.0.0.1:4010');
const KEY = kind.secretKey('a secret key (no spaces, no live key)');
const WHERE = `address of the server; default: ${DEFAULT_URL}`;
const WHOSE = `key of the world to use; default: ${DEFAULT_KEY}`;
const SERVER_TOKEN = option(kind.ADMIN_TOKEN, 'admin token that the server was started with');

export const CLIENT = fromEnvironment({
  url: option(ADDRESS, WHERE, DEFAULT_URL, HIDDEN),
  key: {
    ...option(KEY, WHOSE, DEFAULT_KEY, HIDDEN),
    // `start` reads all keys of the variable; `any` is not a key.
    ofVariable: (given: string) => splitList(given).find((key) => key !== 'any'),
  },
  adminToken: SERVER_TOKEN,
});

export type ClientOptions = OptionValues<typeof CLIENT>;

export const MCP = {
  ...CLIENT,
  ...fromEnvironment({
    url: option(ADDRESS, 'address of the server; default: a sandbox within this process'),
  }),
  ...fromCommandLine({
    sweep: option(
      nonEmptyKind('COMMAND', 'a command line, such as "npm test"'),
      'also let agents sweep this command, and no other',
    ),
  }),
};

export type McpOptions = OptionValues<typeof MCP>;

export const JOURNAL = {
  ...CLIENT,
  ...fromCommandLine({
    limit: option(kind.wholeNumber(1, LIMIT_MAX), 'journal: print only this many of the newest calls'),
  }),
};

export const RESET = {
  ...CLIENT,
  ...fromCommandLine({
    seed: option(SEED, 'reset: seed of the new world'),
    name: option(WORLD_NAME, 'reset: name of the new world, which decides its identifiers; default: the key'),
    scenario: option(
      kind.SCENARIO_NAME,
      'reset: scenario of the new world, a name from `playmoney scenarios`',
    ),
  }),
};

export const RECONCILE = {
  ...CLIENT,
  ...fromCommandLine({
    orders: {
      ...option(
        nonEmptyKind('FILE', 'a file of orders, as JSON or as JSON lines, or - for standard input'),
        'JSON or JSON lines of {reference, amount, currency, paid, refunded}; - for stdin',
      ),
      isRequired: true,
    },
    json: toggleOption('print the JSON of POST /_sandbox/reconcile'),
  }),
};

export const CHECK = fromCommandLine({ json: toggleOption('print the problems as JSON') });
export const SCENARIOS = fromCommandLine({ json: toggleOption('print the JSON of GET /_sandbox/scenarios') });
export const TRIGGERS = fromCommandLine({ json: toggleOption('print the JSON of GET /_sandbox/triggers') });

/** For an option that is not given, the doctor reads the environment itself, to report mistakes there. */
export const DOCTOR = fromCommandLine({
  url: option(ADDRESS, WHERE),
  key: option(KEY, WHOSE),
  adminToken: SERVER_TOKEN,
  port: option(PORT, 'port to check'),
  scenario: scenarioOption('check'),
  json: toggleOption('print the findings as JSON'),
});

export type DoctorOptions = OptionValues<typeof DOCTOR>;

export const HEALTH = fromCommandLine({
  url: option(ADDRESS, "address of the server; default: the container's own, from its port and scheme"),
});
