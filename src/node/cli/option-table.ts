import { isIP } from 'node:net';
import { DEFAULT_AUTHORISATION_TTL } from '../../charges/record.js';
import { type ClockMode, RATE_MAX, RATE_MIN } from '../../core/clock.js';
import { DEFAULT_DIALECT, type Dialect, dialectNamed, DIALECTS } from '../../core/dialect.js';
import { parseDuration, parseInstant } from '../../core/time.js';
import { isWebhookSecret, SECRET_TAKES } from '../../core/webhook-secret.js';
import { DEFAULT_BATCH_BODY_LIMIT, DEFAULT_BODY_LIMIT, DEFAULT_WORLDS_MAX } from '../../sandbox.js';
import { DEFAULT_TOKEN_TTL } from '../../tokens/record.js';
import type { Reach } from '../../webhooks/record.js';
import { LIMIT_MAX } from '../../http/list-fields.js';
import { DEFAULT_REQUESTS_MAX } from '../http/load.js';

/** What `playmoney start` was told, from the command line, the environment and the defaults. */
export interface StartOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  readonly seed: string;
  /** A scenario file, or the name of a scenario that comes along; null: not given. */
  readonly scenario: string | null;
  /** Whether the scenario file is read again when it changes. */
  readonly watch: boolean;
  readonly clock: { readonly mode: ClockMode; readonly rate: number };
  /** Where the clock begins, in milliseconds since 1970; null: not given. */
  readonly startTime: number | null;
  /** What worlds speak unless their scenario or a request says otherwise. */
  readonly dialect: Dialect;
  /** Keys accepted besides those that begin with sk_test_; `any` accepts every key. */
  readonly keys: readonly string[];
  readonly strict: boolean;
  readonly testCardsOnly: boolean;
  /** Milliseconds a batch row; null: not given, so the pace depends on the number of rows. */
  readonly batchPaceMs: number | null;
  readonly tokenTtlMs: number;
  readonly authorisationTtlMs: number;
  readonly https: boolean;
  /** Where certificates are kept; null: not given. */
  readonly tlsDir: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly adminToken: string | null;
  readonly webhooks: Reach;
  /** What webhooks are signed with; null: they are not. */
  readonly webhookSecret: string | null;
  readonly bodyLimitBytes: number;
  readonly batchBodyLimitBytes: number;
  readonly worldsMax: number;
  readonly requestsMax: number;
  /** The file that keeps all worlds over a restart; null: they are not kept. */
  readonly state: string | null;
  readonly quiet: boolean;
  readonly log: (typeof LOG_FORMATS)[number];
}

/** What `exec` was told: how the server is started, and what is said and kept at the end. */
export interface ExecOptions extends StartOptions {
  /** The file that the calls of all worlds are written to; null: they are not. */
  readonly journal: string | null;
  /** Whether a command that went well fails where there is something to warn of. */
  readonly failOnWarnings: boolean;
}

/** What `doctor` was told; null: not given, so the environment and the defaults say it. */
export interface DoctorOptions {
  /** Without a slash at its end. */
  readonly url: string | null;
  readonly key: string | null;
  readonly adminToken: string | null;
  readonly port: number | null;
  readonly scenario: string | null;
  readonly json: boolean;
}

/** What `health` was told; null: not given, so the server of this container is meant. */
export interface HealthOptions {
  /** Without a slash at its end. */
  readonly url: string | null;
}

/** What `advance`, `reset` and `journal` were told: where the server is, and whose world is meant. */
export interface ClientOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly adminToken: string | null;
  /** How many entries at most; null: not given. */
  readonly limit: number | null;
  /** The seed of the fresh world; null: not given. */
  readonly seed: string | null;
  /** What the fresh world plays, by its name in the library; null: not given. */
  readonly scenario: string | null;
}

/** How `triggers` prints. */
export interface TriggersOptions {
  readonly json: boolean;
}

/** What `replay` was told: where the calls go, and how answers are compared. */
export interface ReplayOptions {
  /** Without a slash at its end. */
  readonly against: string;
  readonly key: string;
  readonly adminToken: string | null;
  /** A file of certificates to trust; null: those of the system. */
  readonly ca: string | null;
  readonly timeoutMs: number;
  readonly moveClock: boolean;
  /** Names of members that are not compared. */
  readonly ignored: readonly string[];
}

const REACHES: readonly Reach[] = ['private', 'public', 'off'];
const LOG_FORMATS = ['off', 'text', 'json'] as const;

const MIB = 1024 * 1024;
/** A body is read into one string, and V8's longest is just short of 512 MiB. */
const BODY_BYTES_MAX = 500 * MIB;
const WORLDS_MAX = 1_000_000;
const REQUESTS_MAX = 1_000_000;
const TIMEOUT_MAX_MS = 3_600_000;

/** One option: its names, its words in messages and --help, and how it is read. */
export interface Row<T> {
  readonly flag: string;
  /** Stands for the value in --help; a switch has none. */
  readonly argument?: string;
  /** Ends the sentence "--port takes …". */
  readonly takes: string;
  readonly help: string;
  readonly fallback: T;
  /** The default as --help shows it; absent where there is nothing to show. */
  readonly shown?: string;
  /** Fixed words among the values, for "did you mean". */
  readonly words?: readonly string[];
  /** A variable that is read where that of its own name is not set. */
  readonly variable?: string;
  /** What of the variable counts, where that holds more than this option takes; undefined: nothing. */
  readonly ofVariable?: (text: string) => string | undefined;
  /** Not read from the environment, where its name means something else. */
  readonly isCommandLineOnly?: true;
  /** The value is never repeated in a message. */
  readonly secret?: true;
  /** Reads all that was given for this option; calls `refuse` with the first text that it cannot take. */
  readonly read: (texts: readonly string[], refuse: (text: string) => never) => T;
}

type RowOf<T> = Omit<Row<T>, 'read'>;

/** Given more than once, the last one counts. */
function one<T>(row: RowOf<T>, read: (text: string) => T | undefined): Row<T> {
  return {
    ...row,
    read: (texts, refuse) => {
      const text = texts.at(-1) ?? '';
      return read(text) ?? refuse(text);
    },
  };
}

/** Given more than once or separated by commas, all of them count. */
function many(row: RowOf<readonly string[]>, read: (text: string) => string | undefined) {
  return {
    ...row,
    read: (texts: readonly string[], refuse: (text: string) => never) => {
      const items = texts.flatMap(splitList);
      return items.map((item) => read(item) ?? refuse(item));
    },
  };
}

function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function flag(name: string, help: string): Row<boolean> {
  const words = ['1', 'true', '0', 'false'];
  return one({ flag: name, takes: '1, true, 0 or false', help, fallback: false, words }, (text) =>
    words.includes(text) ? text === '1' || text === 'true' : undefined,
  );
}

/** Every option of `start`: the command line, the environment, --help and the messages are made from it. */
export const OPTIONS: { readonly [K in keyof StartOptions]: Row<StartOptions[K]> } = {
  port: one(
    {
      flag: 'port',
      argument: 'N',
      takes: 'a whole number from 0 to 65535',
      help: 'port to listen on; 0 takes a free one',
      fallback: 4010,
      shown: '4010',
      variable: 'PORT',
    },
    (text) => readWhole(text, 0, 65_535),
  ),
  host: one(
    {
      flag: 'host',
      argument: 'ADDRESS',
      takes: 'an address or a name without a port, such as 127.0.0.1, 0.0.0.0 or ::1',
      help: 'address to listen on',
      fallback: '127.0.0.1',
      shown: '127.0.0.1',
    },
    readHost,
  ),
  seed: one(
    {
      flag: 'seed',
      argument: 'TEXT',
      takes: 'a text of at least one character',
      help: 'seed of every identifier and random draw',
      fallback: '1',
      shown: '1',
    },
    (text) => text || undefined,
  ),
  scenario: one(
    {
      flag: 'scenario',
      argument: 'FILE|NAME',
      takes: 'a scenario file such as ./declines.yaml, or a name that `playmoney scenarios` lists',
      help: 'scenario that worlds play: a file, or a name that `playmoney scenarios` lists',
      fallback: null,
    },
    (text) => text || undefined,
  ),
  watch: flag('watch', 'plays the scenario file anew whenever it changes'),
  clock: one(
    {
      flag: 'clock',
      argument: 'MODE',
      takes: `real, manual or a speed such as x60 (x${RATE_MIN} to x${RATE_MAX})`,
      help: 'real, manual (stands still until advanced) or a speed such as x60',
      fallback: { mode: 'real', rate: 1 },
      shown: 'real',
      words: ['real', 'manual', 'x60'],
    },
    readClock,
  ),
  startTime: one(
    {
      flag: 'start-time',
      argument: 'INSTANT',
      takes: 'a date and time such as 2026-01-01T00:00:00Z',
      help: 'where the clock begins; otherwise now, or 2026-01-01T00:00:00Z unless the clock is real',
      fallback: null,
    },
    parseInstant,
  ),
  dialect: one(
    {
      flag: 'dialect',
      argument: 'NAME',
      takes: DIALECTS.join(' or '),
      help: 'documented, or sdk: spelt as client libraries of the service send and read',
      fallback: DEFAULT_DIALECT,
      shown: DEFAULT_DIALECT,
      words: DIALECTS,
    },
    dialectNamed,
  ),
  keys: many(
    {
      flag: 'key',
      argument: 'KEY',
      takes: 'a secret key without blanks that is not a live one, or any',
      help: 'accepts this key besides sk_test_…, `any` accepts all; repeatable',
      fallback: [],
      secret: true,
    },
    readKey,
  ),
  strict: flag('strict', 'refuses unknown members and filters instead of warning'),
  testCardsOnly: flag('test-cards-only', 'refuses card numbers that are not test cards'),
  batchPaceMs: one(
    {
      flag: 'batch-pace',
      argument: 'PACE',
      takes: 'immediate or a duration such as 100ms, 2s or PT1M',
      help: 'time that each row of a batch takes; otherwise 100ms, and less in batches above 300 rows',
      fallback: null,
      words: ['immediate'],
    },
    (text) => (text === 'immediate' ? 0 : parseDuration(text)),
  ),
  tokenTtlMs: ttl('token-ttl', 'life of a single-use token', DEFAULT_TOKEN_TTL, '15m'),
  authorisationTtlMs: ttl(
    'authorisation-ttl',
    'life of an authorisation not captured',
    DEFAULT_AUTHORISATION_TTL,
    '7d',
  ),
  https: flag('https', 'serves HTTPS and HTTP/2, with a certificate of its own making'),
  tlsDir: one(
    {
      flag: 'tls-dir',
      argument: 'DIR',
      takes: 'a folder, such as ./tls',
      help: 'where --https keeps its certificates; otherwise in your data folder',
      fallback: null,
    },
    (text) => text || undefined,
  ),
  allowedHosts: many(
    {
      flag: 'allowed-host',
      argument: 'NAME',
      takes: 'a host name or address without scheme and port, such as sandbox.example.com',
      help: 'answers requests for this Host too, and names it in the certificate; repeatable',
      fallback: [],
    },
    (text) => readHost(text)?.toLowerCase(),
  ),
  allowedOrigins: many(
    {
      flag: 'allowed-origin',
      argument: 'ORIGIN',
      takes: 'an origin such as https://shop.example.com, without a path, or null',
      help: 'answers pages of this Origin too (`null`: file:// pages); repeatable',
      fallback: [],
    },
    readOrigin,
  ),
  adminToken: adminToken('asks for this x-sandbox-admin header on /_sandbox'),
  webhooks: one(
    {
      flag: 'webhooks',
      argument: 'WHERE',
      takes: REACHES.join(' or '),
      help: 'delivers webhooks to private addresses, also to public ones, or nowhere: off',
      fallback: 'private',
      shown: 'private',
      words: REACHES,
    },
    (text) => REACHES.find((reach) => reach === text),
  ),
  webhookSecret: one<string | null>(
    {
      flag: 'webhook-secret',
      argument: 'SECRET',
      takes: SECRET_TAKES,
      help: 'signs webhooks: whsec_… as Standard Webhooks have it',
      fallback: null,
      secret: true,
    },
    (text) => (isWebhookSecret(text) ? text : undefined),
  ),
  bodyLimitBytes: size('body-limit', 'largest request body', DEFAULT_BODY_LIMIT, '1mb'),
  batchBodyLimitBytes: size(
    'batch-body-limit',
    'largest body of POST /batch',
    DEFAULT_BATCH_BODY_LIMIT,
    '16mb',
  ),
  worldsMax: one(
    {
      flag: 'worlds-max',
      argument: 'N',
      takes: `a whole number from 1 to ${WORLDS_MAX}`,
      help: 'most worlds (keys) at a time; one more is refused',
      fallback: DEFAULT_WORLDS_MAX,
      shown: '10000',
    },
    (text) => readWhole(text, 1, WORLDS_MAX),
  ),
  requestsMax: one(
    {
      flag: 'requests-max',
      argument: 'N',
      takes: `a whole number from 1 to ${REQUESTS_MAX}`,
      help: 'most requests under way at a time; one more is answered 503 with Retry-After',
      fallback: DEFAULT_REQUESTS_MAX,
      shown: '10000',
    },
    (text) => readWhole(text, 1, REQUESTS_MAX),
  ),
  state: one(
    {
      flag: 'state',
      argument: 'FILE',
      takes: 'a file, such as ./worlds.json',
      help: 'keeps all worlds in this file over a restart, with their keys and whole card numbers',
      fallback: null,
    },
    (text) => text || undefined,
  ),
  quiet: flag('quiet', 'prints the ready line alone'),
  log: one(
    {
      flag: 'log',
      argument: 'FORMAT',
      takes: 'off, text or json',
      help: 'a line for each request on stderr, as text or json; off prints none',
      fallback: 'off',
      shown: 'off',
      words: LOG_FORMATS,
    },
    (text) => LOG_FORMATS.find((format) => format === text),
  ),
};

/** The options of the verbs that speak to a running server. */
export const CLIENT_OPTIONS: { readonly [K in keyof ClientOptions]: Row<ClientOptions[K]> } = {
  url: one(
    {
      flag: 'url',
      argument: 'URL',
      takes: 'the address of a server, such as http://127.0.0.1:4010',
      help: 'where the server is; otherwise http://127.0.0.1:4010',
      fallback: 'http://127.0.0.1:4010',
    },
    readUrl,
  ),
  key: one(
    {
      flag: 'key',
      argument: 'KEY',
      takes: 'a secret key without blanks that is not a live one',
      help: 'whose world is meant; otherwise that of sk_test_local',
      fallback: 'sk_test_local',
      secret: true,
      // A start reads all keys of the variable; `any` is none.
      ofVariable: (text) => splitList(text).find((key) => key !== 'any'),
    },
    readKey,
  ),
  adminToken: adminToken('the one that the server was started with'),
  limit: one(
    {
      flag: 'limit',
      argument: 'N',
      takes: `a whole number from 1 to ${LIMIT_MAX}`,
      help: 'journal: how many entries at most, the newest',
      fallback: null,
      isCommandLineOnly: true,
    },
    (text) => readWhole(text, 1, LIMIT_MAX),
  ),
  seed: one(
    {
      flag: 'seed',
      argument: 'TEXT',
      takes: 'a text of at least one character',
      help: 'reset: the seed of the fresh world',
      fallback: null,
      isCommandLineOnly: true,
    },
    (text) => text || undefined,
  ),
  scenario: one(
    {
      flag: 'scenario',
      argument: 'NAME',
      takes: 'the name of a scenario that `playmoney scenarios` lists',
      help: 'reset: what the fresh world plays, by a name that `playmoney scenarios` lists',
      fallback: null,
      isCommandLineOnly: true,
    },
    (text) => (text === '' || isScenarioFile(text) ? undefined : text),
  ),
};

const { variable: _shared, shown: _default, ...ownPort } = OPTIONS.port;

/** Every option of `exec`: those of start, and its own. */
export const EXEC_OPTIONS: { readonly [K in keyof ExecOptions]: Row<ExecOptions[K]> } = {
  ...OPTIONS,
  // PORT is that of the program under test.
  port: {
    ...ownPort,
    help: 'port to listen on, not read from PORT; otherwise a free one',
    fallback: 0,
  },
  journal: one(
    {
      flag: 'journal',
      argument: 'FILE',
      takes: 'a file that ends in .har or .json',
      help: 'writes the calls of all worlds to this file, as HAR or JSON by its extension',
      fallback: null,
    },
    (text) => (/\.(?:har|json)$/i.test(text) ? text : undefined),
  ),
  failOnWarnings: flag(
    'fail-on-warnings',
    'exits with 1 where the command went well, but there is something to warn of',
  ),
};

const { adminToken: ADMIN_TOKEN, key: KEY, url: URL_ROW } = CLIENT_OPTIONS;

/** The options of `doctor`, which looks at the environment by itself. */
export const DOCTOR_OPTIONS: { readonly [K in keyof DoctorOptions]: Row<DoctorOptions[K]> } = {
  url: { ...URL_ROW, fallback: null, isCommandLineOnly: true },
  key: { ...KEY, fallback: null, isCommandLineOnly: true },
  adminToken: { ...ADMIN_TOKEN, isCommandLineOnly: true },
  port: { ...ownPort, fallback: null, isCommandLineOnly: true },
  scenario: { ...OPTIONS.scenario, isCommandLineOnly: true },
  json: { ...flag('json', 'prints what it found as JSON'), isCommandLineOnly: true },
};

/** The options of `health`. */
export const HEALTH_OPTIONS: { readonly [K in keyof HealthOptions]: Row<HealthOptions[K]> } = {
  url: {
    ...URL_ROW,
    help: "where the server is; otherwise the container's own, by its port and scheme",
    fallback: null,
    isCommandLineOnly: true,
  },
};

/** The options of `triggers`. */
export const TRIGGERS_OPTIONS: { readonly [K in keyof TriggersOptions]: Row<TriggersOptions[K]> } = {
  json: {
    ...flag('json', 'prints them as the JSON of GET /_sandbox/triggers'),
    isCommandLineOnly: true,
  },
};

/** The options of `replay`. */
export const REPLAY_OPTIONS: { readonly [K in keyof ReplayOptions]: Row<ReplayOptions[K]> } = {
  against: one(
    {
      flag: 'against',
      argument: 'URL',
      takes: 'the address that the calls are sent to, such as http://127.0.0.1:4010',
      help: 'where the calls are sent: a sandbox, or the service; has to be given',
      fallback: '',
      isCommandLineOnly: true,
    },
    readUrl,
  ),
  key: CLIENT_OPTIONS.key,
  adminToken: CLIENT_OPTIONS.adminToken,
  ca: one(
    {
      flag: 'ca',
      argument: 'FILE',
      takes: 'a file of certificates (PEM)',
      help: 'whom to trust behind https, in place of those that the system trusts',
      fallback: null,
      isCommandLineOnly: true,
    },
    (text) => text || undefined,
  ),
  timeoutMs: one(
    {
      flag: 'timeout',
      argument: 'DURATION',
      takes: 'a duration above zero and up to 1h, such as 500ms or 10s',
      help: 'how long an answer may take; otherwise 30s',
      fallback: 30_000,
      isCommandLineOnly: true,
    },
    readTimeout,
  ),
  moveClock: {
    ...flag('move-clock', 'moves the manual clock of a sandbox as the recorded one moved'),
    isCommandLineOnly: true,
  },
  ignored: many(
    {
      flag: 'ignore',
      argument: 'MEMBER',
      takes: 'the name of a member, such as Message',
      help: 'leaves members of this name out of the comparison; repeatable',
      fallback: [],
      isCommandLineOnly: true,
    },
    (text) => text || undefined,
  ),
};

/** Whether --scenario names a file; otherwise it names a scenario that comes along. */
export function isScenarioFile(given: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(given);
}

function adminToken(help: string): Row<string | null> {
  const takes = 'a text of visible ASCII characters';
  const row = { flag: 'admin-token', argument: 'TOKEN', takes, help, fallback: null, secret: true } as const;
  return one<string | null>(row, readHeaderText);
}

function ttl(name: string, help: string, fallback: number, shown: string): Row<number> {
  const takes = 'a duration above zero, such as 30s, 15m, 2h, 7d or PT2H';
  return one({ flag: name, argument: 'DURATION', takes, help, fallback, shown }, (text) => {
    const ms = parseDuration(text);
    return ms !== undefined && ms > 0 ? ms : undefined;
  });
}

function size(name: string, help: string, fallback: number, shown: string): Row<number> {
  const takes = `bytes or a size such as 512kb or 2mb, at most ${BODY_BYTES_MAX / MIB}mb`;
  return one({ flag: name, argument: 'SIZE', takes, help, fallback, shown }, readSize);
}

function readWhole(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}

function readSize(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9})(|b|kb|mb)$/.exec(text.toLowerCase()) ?? [];
  const bytes = Number(digits) * (unit === 'mb' ? MIB : unit === 'kb' ? 1024 : 1);
  return bytes > 0 && bytes <= BODY_BYTES_MAX ? bytes : undefined;
}

function readClock(text: string): StartOptions['clock'] | undefined {
  if (text === 'real') return { mode: 'real', rate: 1 };
  if (text === 'manual') return { mode: 'manual', rate: 0 };
  if (!/^x\d+(\.\d+)?$/.test(text)) return undefined;
  const rate = Number(text.slice(1));
  return rate >= RATE_MIN && rate <= RATE_MAX ? { mode: 'scaled', rate } : undefined;
}

function readHost(text: string): string | undefined {
  return isIP(text) > 0 || /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(text) ? text : undefined;
}

/** As browsers write it: lower case, the scheme's own port left out. */
function readOrigin(text: string): string | undefined {
  if (text === 'null') return text;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, protocol, host } = new URL(text);
  return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin;
}

function readUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^?#\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  // fetch() takes no address that holds them.
  return username === '' && password === '' ? text.replace(/\/+$/, '') : undefined;
}

function readKey(text: string): string | undefined {
  return readHeaderText(text)?.startsWith('sk_live_') === false ? text : undefined;
}

function readTimeout(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms > 0 && ms <= TIMEOUT_MAX_MS ? ms : undefined;
}

function readHeaderText(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
