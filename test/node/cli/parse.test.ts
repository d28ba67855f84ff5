import { describe, expect, test } from 'vitest';
import { helpText } from '../../../src/node/cli/help.js';
import type { StartOptions } from '../../../src/node/cli/option-table.js';
import { type Command, parseCommand } from '../../../src/node/cli/parse.js';
import { OptionError } from '../../../src/node/cli/option.js';
import { optionsOf, type Verb, VERBS } from '../../../src/node/cli/verbs.js';

const MIB = 1024 * 1024;

const DEFAULTS: StartOptions = {
  port: 4010,
  host: '127.0.0.1',
  seed: '1',
  scenario: null,
  watch: false,
  clock: { mode: 'real', rate: 1 },
  startTime: null,
  dialect: 'documented',
  keys: [],
  strict: false,
  testCardsOnly: false,
  knownProvidersOnly: false,
  batchPace: null,
  tokenTtl: 900_000,
  authorisationTtl: 604_800_000,
  ccvTtl: null,
  https: false,
  tlsDir: null,
  allowedHosts: [],
  allowedOrigins: [],
  adminToken: null,
  webhooks: 'private',
  state: null,
  webhookSecret: null,
  webhookHeaderPrefix: 'X-Payfurl-',
  bodyLimit: MIB,
  batchBodyLimit: 16 * MIB,
  worldsMax: 10_000,
  requestsMax: 10_000,
  quiet: false,
  log: 'off',
};

/** A command line: its words, parted by blanks; as a list where one of them holds a blank, or nothing. */
type Line = string | readonly string[];

function parse(line: Line, env: Record<string, string> = {}): Command {
  return parseCommand(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, env);
}

function start(line: Line, env: Record<string, string> = {}): StartOptions {
  const command = parse(line, env);
  if (command.verb !== 'start') throw new Error(`got the verb ${command.verb}`);
  return command.options;
}

function refusal(line: Line, env: Record<string, string> = {}): string {
  try {
    parse(line, env);
  } catch (error) {
    if (error instanceof OptionError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

function environmentName(option: string): string {
  return `PLAYMONEY_${option.toUpperCase().replaceAll('-', '_')}`;
}

const SECRET = 'any text, e.g. schlüssel';

const GOOD: [option: string, text: string, expected: Partial<StartOptions>][] = [
  ['port', '0', { port: 0 }],
  ['port', '65535', { port: 65_535 }],
  ['state', './worlds.json', { state: './worlds.json' }],
  ['host', '0.0.0.0', { host: '0.0.0.0' }],
  ['host', '::1', { host: '::1' }],
  ['host', 'localhost', { host: 'localhost' }],
  ['seed', 'a seed of words', { seed: 'a seed of words' }],
  ['scenario', './declines.yaml', { scenario: './declines.yaml' }],
  ['scenario', 'happy-path', { scenario: 'happy-path' }],
  ['watch', 'false', { watch: false }],
  ['clock', 'real', { clock: { mode: 'real', rate: 1 } }],
  ['clock', 'manual', { clock: { mode: 'manual', rate: 0 } }],
  ['clock', 'x60', { clock: { mode: 'scaled', rate: 60 } }],
  ['clock', 'x0.001', { clock: { mode: 'scaled', rate: 0.001 } }],
  ['clock', 'x1000000', { clock: { mode: 'scaled', rate: 1_000_000 } }],
  ['start-time', '2030-01-01T00:00:00Z', { startTime: Date.UTC(2030, 0, 1) }],
  ['start-time', '1970-01-01T00:00:00Z', { startTime: 0 }],
  ['dialect', 'documented', { dialect: 'documented' }],
  ['dialect', 'sdk', { dialect: 'sdk' }],
  ['key', 'sk_mine', { keys: ['sk_mine'] }],
  ['key', 'any', { keys: ['any'] }],
  ['key', 'sk_one, sk_two', { keys: ['sk_one', 'sk_two'] }],
  ['batch-pace', 'immediate', { batchPace: 0 }],
  ['batch-pace', '100ms', { batchPace: 100 }],
  ['token-ttl', '30s', { tokenTtl: 30_000 }],
  ['authorisation-ttl', 'PT2H', { authorisationTtl: 7_200_000 }],
  ['ccv-ttl', '10m', { ccvTtl: 600_000 }],
  ['known-providers-only', 'true', { knownProvidersOnly: true }],
  ['https', 'true', { https: true }],
  ['https', '0', { https: false }],
  ['allowed-host', 'Sandbox.Example.com', { allowedHosts: ['sandbox.example.com'] }],
  ['allowed-host', '10.0.0.7,2001:db8::1', { allowedHosts: ['10.0.0.7', '2001:db8::1'] }],
  ['allowed-origin', 'https://shop.example.com', { allowedOrigins: ['https://shop.example.com'] }],
  ['allowed-origin', 'HTTP://Phone.example:80/', { allowedOrigins: ['http://phone.example'] }],
  ['allowed-origin', 'capacitor://localhost', { allowedOrigins: ['capacitor://localhost'] }],
  ['allowed-origin', 'null', { allowedOrigins: ['null'] }],
  ['admin-token', 's3cret', { adminToken: 's3cret' }],
  ['webhooks', 'public', { webhooks: 'public' }],
  ['webhooks', 'off', { webhooks: 'off' }],
  ['webhook-secret', SECRET, { webhookSecret: SECRET }],
  ['webhook-header-prefix', 'X-NeoDeos-', { webhookHeaderPrefix: 'X-NeoDeos-' }],
  ['body-limit', '2048', { bodyLimit: 2048 }],
  ['body-limit', '512kb', { bodyLimit: 512 * 1024 }],
  ['batch-body-limit', '2MB', { batchBodyLimit: 2 * MIB }],
  ['worlds-max', '1', { worldsMax: 1 }],
  ['requests-max', '20', { requestsMax: 20 }],
  ['strict', 'true', { strict: true }],
  ['strict', '0', { strict: false }],
  ['test-cards-only', '1', { testCardsOnly: true }],
  ['quiet', 'true', { quiet: true }],
  ['quiet', 'false', { quiet: false }],
  ['log', 'json', { log: 'json' }],
];

const BAD: [option: string, text: string, takes: string][] = [
  ['port', '65536', 'takes a whole number from 0 to 65535, not "65536"'],
  ['port', '-1', 'takes a whole number from 0 to 65535, not "-1"'],
  ['port', '80.5', 'takes a whole number from 0 to 65535, not "80.5"'],
  ['host', 'http://localhost', 'without a port, such as 127.0.0.1, 0.0.0.0 or ::1, not "http://localhost"'],
  ['host', 'localhost:4010', 'takes an address or a name without a port'],
  ['watch', 'yes', 'takes 1, true, 0 or false, not "yes"'],
  ['clock', 'manul', 'not "manul"; did you mean manual?'],
  ['clock', 'x0', 'takes real, manual or a speed such as x60 (x0.001 to x1000000), not "x0"'],
  ['clock', 'x1000001', 'not "x1000001"'],
  ['start-time', 'tomorrow', 'takes a date and time such as 2026-01-01T00:00:00Z, not "tomorrow"'],
  ['start-time', '2026-02-30T00:00:00Z', 'not "2026-02-30T00:00:00Z"'],
  ['dialect', 'SDK', 'takes documented or sdk, not "SDK"; did you mean sdk?'],
  ['dialect', 'documentd', 'takes documented or sdk, not "documentd"; did you mean documented?'],
  ['key', ',', 'takes a secret key'],
  ['key', 'two words', 'takes a secret key'],
  ['batch-pace', 'imediate', 'not "imediate"; did you mean immediate?'],
  ['batch-pace', '100', 'takes immediate or a duration such as 100ms, 2s or PT1M, not "100"'],
  ['token-ttl', '0s', 'takes a duration above zero, such as 30s, 15m, 2h, 7d or PT2H, not "0s"'],
  ['authorisation-ttl', 'a week', 'takes a duration above zero'],
  ['ccv-ttl', '0s', 'takes a duration above zero'],
  ['known-providers-only', 'yes', 'takes 1, true, 0 or false, not "yes"'],
  ['https', 'on', 'takes 1, true, 0 or false, not "on"'],
  ['allowed-host', 'https://example.com', 'takes a host name or address without scheme and port'],
  ['allowed-host', 'example.com:80', 'not "example.com:80"'],
  ['allowed-origin', 'shop.example.com', 'takes an origin such as https://shop.example.com'],
  ['allowed-origin', 'https://shop.example.com/pay', 'without a path, or null'],
  ['allowed-origin', '*', 'not "*"'],
  ['admin-token', 'has blanks', 'takes a text of visible ASCII characters'],
  ['webhooks', 'on', 'takes private or public or off'],
  ['webhooks', 'publik', 'did you mean public?'],
  ['webhook-header-prefix', 'X Y-', 'takes the beginning of a header'],
  ['webhook-header-prefix', 'X-Y:', 'such as X-Payfurl-'],
  ['body-limit', '2tb', 'takes bytes or a size such as 512kb or 2mb, at most 500mb, not "2tb"'],
  ['body-limit', '0', 'not "0"'],
  ['batch-body-limit', '501mb', 'at most 500mb, not "501mb"'],
  ['worlds-max', '0', 'takes a whole number from 1 to 1000000, not "0"'],
  ['requests-max', 'many', 'takes a whole number from 1 to 1000000, not "many"'],
  ['strict', 'yes', 'takes 1, true, 0 or false, not "yes"'],
  ['test-cards-only', 'on', 'takes 1, true, 0 or false, not "on"'],
  ['quiet', 'flase', 'not "flase"; did you mean false?'],
  ['log', 'jsn', 'takes off, text or json, not "jsn"; did you mean json?'],
];

describe('values of options', () => {
  test.each(GOOD)('--%s=%s is taken from the command line', (option, text, expected) => {
    expect(start([`--${option}=${text}`])).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each(GOOD)('%s: %s is taken from the environment', (option, text, expected) => {
    expect(start('', { [environmentName(option)]: text })).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each(BAD)('--%s=%s is refused in one line that says what it takes', (option, text, takes) => {
    const message = refusal([`--${option}=${text}`]);
    expect(message).toMatch(new RegExp(`^--${option} takes .+$`));
    expect(message).toContain(takes);
  });

  test.each(BAD)('%s: %s is refused in the environment too', (option, text, takes) => {
    const message = refusal('', { [environmentName(option)]: text });
    expect(message).toMatch(new RegExp(`^${environmentName(option)} takes .+$`));
    expect(message).toContain(takes);
  });

  test('an empty secret or prefix of webhooks is refused', () => {
    expect(refusal(['--webhook-secret='])).toBe('--webhook-secret takes any text, not what was given');
    expect(refusal(['--webhook-header-prefix='])).toContain('takes the beginning of a header');
  });

  test('keys and the admin token are not repeated in a message', () => {
    expect(refusal('--key sk_live_4f9')).toBe(
      '--key takes a secret key without blanks that is not a live one, or any, not what was given',
    );
    expect(refusal(['--admin-token', 'hush hush'])).not.toContain('hush');
  });

  test('line breaks and long texts do not break the line', () => {
    expect(refusal(['--log', `a\nb${'c'.repeat(500)}`])).toMatch(
      /^--log takes off, text or json, not "a\\nb.{0,80}$/,
    );
  });
});

describe('the command line', () => {
  test('without arguments everything has its default', () => {
    expect(start('')).toEqual(DEFAULTS);
    expect(start('start')).toEqual(DEFAULTS);
  });

  test('beats the environment, which beats the default', () => {
    const env = {
      PLAYMONEY_PORT: '5000',
      PLAYMONEY_STRICT: '1',
      PLAYMONEY_KEY: 'sk_env',
      PLAYMONEY_SEED: 'env',
    };
    expect(start('--port 6000 --strict=false --key sk_cli', env)).toEqual({
      ...DEFAULTS,
      port: 6000,
      strict: false,
      keys: ['sk_cli'],
      seed: 'env',
    });
  });

  test('repeats lists and lets the last of other options count', () => {
    const options = start('--key sk_a --port 1 --key sk_b --port=2');
    expect(options.keys).toEqual(['sk_a', 'sk_b']);
    expect(options.port).toBe(2);
  });

  test('takes a switch without a value as on', () => {
    expect(start('--strict --quiet --test-cards-only')).toMatchObject({
      strict: true,
      quiet: true,
      testCardsOnly: true,
    });
  });

  test.each([
    ['--port', '--port takes a whole number from 0 to 65535, but nothing was given'],
    ['--host --quiet', /^--host takes .+, but nothing was given$/],
    ['--prot 1', 'there is no option --prot; did you mean --port?'],
    ['--no-strict', 'there is no option --no-strict; did you mean --strict?'],
    ['--dashboard on', 'there is no option --dashboard; --help lists them'],
    ['--watch', '--watch watches the file of --scenario, but no file was given there'],
    ['--scenario happy-path --watch', /^--watch watches the file of --scenario/],
    ['open a.json --tls-dir ./tls', /^--tls-dir is where --https keeps/],
    ['--tls-dir ./tls', '--tls-dir is where --https keeps its certificates, but --https was not given'],
    ['--limit 5', /^start takes the options --port, .*, but got --limit$/],
    ['-p 80', /^there is no option -p; /],
    [
      'strat',
      'there is no command "strat", but start, exec, check, scenarios, triggers, advance, reset, journal, record, replay, scenario, bundle, open, doctor, health, help; did you mean start?',
    ],
    ['serve', /^there is no command "serve", but start, exec, check, /],
    ['toString', /^there is no command "toString", /],
    ['start 4010', 'start takes options only, not "4010"'],
    ['scenarios --port 1', 'scenarios takes no options, but got --port'],
    ['triggers --port 1', 'triggers takes the options --json, but got --port'],
    ['scenarios happy-path', 'scenarios takes nothing more, not "happy-path"'],
    ['check', 'check takes the names of scenario files, but got none'],
    ['advance', /^advance takes a duration such as 30s or 2h, or a date and time .*, but got none$/],
    ['advance soon', /, not "soon"$/],
    ['advance 2h 3h', /, not "2h 3h"$/],
    ['advance 2h --port 1', 'advance takes the options --url, --key, --admin-token, but got --port'],
    ['journal --limit 0', '--limit takes a whole number from 1 to 500, not "0"'],
    [
      'reset --limit 1',
      'reset takes the options --url, --key, --admin-token, --seed, --scenario, but got --limit',
    ],
    [['reset', '--seed', ''], '--seed takes a text of at least one character, not ""'],
    [
      'reset --scenario ./bad-day.yaml',
      '--scenario takes the name of a scenario that `playmoney scenarios` lists, not "./bad-day.yaml"',
    ],
    ['journal --seed 1', /^journal takes the options .*, but got --seed$/],
    ['reset --url localhost:4010', /^--url takes the address of a server, .*, not "localhost:4010"$/],
    ['reset --url http://u:p@localhost', /^--url takes the address of a server/],
    ['reset --key sk_live_4f9', /^--key takes a secret key .*, not what was given$/],
    ['replay --against http://a', 'replay takes a trace or a bundle, but got none'],
    ['replay a b --against http://a', 'replay takes a trace or a bundle, not "a b"'],
    [
      'replay a',
      '--against takes the address that the calls are sent to, such as http://127.0.0.1:4010, but nothing was given',
    ],
    ['replay a --against', /^--against takes .*, but nothing was given$/],
    ['replay a --against localhost', /^--against takes the address .*, not "localhost"$/],
    ['replay a --against http://a --key sk_live_4f9', /^--key takes .*, not what was given$/],
    [
      'replay a --against http://a --timeout 2h',
      /^--timeout takes a duration above zero and up to 1h, .*, not "2h"$/,
    ],
    [['replay', 'a', '--against', 'http://a', '--ca', ''], /^--ca takes a file of certificates/],
    ['replay a --against http://a --ignore ,', /^--ignore takes the name of a member/],
    ['replay a --url http://a', /^replay takes the options --against, .*, but got --url$/],
    ['bundle a b', 'bundle takes one file to write, not "a b"'],
    ['bundle --against http://a', 'bundle takes the options --url, --key, --admin-token, but got --against'],
    ['open', 'open takes a bundle, but got none'],
    ['open a --against http://a', /^open takes the options --port, .*, but got --against$/],
  ])('%j is refused', (line, message) => {
    expect(refusal(line)).toMatch(message);
  });

  test('a refusal asks for exit code 2', () => {
    expect(new OptionError('').exitCode).toBe(2);
  });
});

describe('exec', () => {
  function exec(line: Line, env = {}) {
    const command = parse(typeof line === 'string' ? `exec ${line}` : ['exec', ...line], env);
    if (command.verb !== 'exec') throw new Error(`${command.verb} is not exec`);
    return command;
  }

  test.each([
    ['-- npm test', {}],
    ['npm test', {}],
    ['--strict -- npm test', { strict: true }],
    ['--seed 7 npm test', { seed: '7' }],
    ['--port 4011 -- npm test', { port: 4011 }],
    ['--journal calls.har --fail-on-warnings -- npm test', { journal: 'calls.har', failOnWarnings: true }],
  ])('%j takes its own options, and the command behind them', (line, options) => {
    const own = { ...DEFAULTS, port: 0, journal: null, failOnWarnings: false };
    expect(exec(line)).toEqual({ verb: 'exec', words: ['npm', 'test'], options: { ...own, ...options } });
  });

  test('what stands behind the first word, or behind --, belongs to the command', () => {
    const parts = ['npm', 'test', '--', '--port', 'x', '--no-such-option', '--help'];
    expect(exec(parts).words).toEqual(parts);
    expect(exec(['--', ...parts]).words).toEqual(parts);
    expect(exec('-- --version').words).toEqual(['--version']);
  });

  test('reads the environment as start does, but not PORT', () => {
    const env = { PORT: '80', PLAYMONEY_SEED: '9', PLAYMONEY_JOURNAL: 'a.json' };
    expect(exec('x', env).options).toMatchObject({ port: 0, seed: '9', journal: 'a.json' });
    expect(exec('x', { PLAYMONEY_PORT: '4011' }).options.port).toBe(4011);
  });

  test.each([
    ['', 'exec takes the command that it runs behind --, but got none'],
    ['--', 'exec takes the command that it runs behind --, but got none'],
    ['--limit 5 -- x', /^exec takes the options .*, but got --limit$/],
    ['--journal a.txt -- x', '--journal takes a file that ends in .har or .json, not "a.txt"'],
  ])('%j is refused', (line, message) => {
    expect(refusal(`exec ${line}`)).toMatch(message);
  });
});

describe('the environment', () => {
  test('PORT is read where PLAYMONEY_PORT is not set, HOST never', () => {
    expect(start('', { PORT: '5000', HOST: 'my-laptop' })).toEqual({ ...DEFAULTS, port: 5000 });
    expect(start('', { PORT: '5000', PLAYMONEY_PORT: '6000' }).port).toBe(6000);
    expect(refusal('', { PORT: 'http' })).toBe('PORT takes a whole number from 0 to 65535, not "http"');
  });

  test('an empty variable is as if not set', () => {
    expect(start('', { PLAYMONEY_PORT: '', PORT: '5000', PLAYMONEY_KEY: '', PLAYMONEY_STRICT: '' })).toEqual({
      ...DEFAULTS,
      port: 5000,
    });
  });

  test('the service link that Kubernetes sets as PLAYMONEY_PORT is not taken for a port', () => {
    expect(start('', { PLAYMONEY_PORT: 'tcp://10.0.0.7:4010' }).port).toBe(4010);
  });

  test('a variable that names no option of start is left to whom it belongs', () => {
    expect(start('', { PLAYMONEY_URL: 'http://127.0.0.1:4010' })).toEqual(DEFAULTS);
  });
});

describe('the other commands', () => {
  test.each(['help', '--help', '-h', 'start --help --port x', '--prot --help'])(
    '%j prints the help, whatever else is wrong',
    (line) => expect(parse(line, { PLAYMONEY_PORT: 'x' }).verb).toBe('help'),
  );

  test.each([
    ['replay --help', 'replay'],
    ['help replay', 'replay'],
    ['-h journal', 'journal'],
    ['exec --help -- npm test', 'exec'],
    ['--prot x --help', null],
    ['help', null],
  ])('%j asks for the help of %s', (line, about) => {
    expect(parse(line)).toEqual({ verb: 'help', options: {}, words: about });
  });

  test('help for an unknown command is refused', () => {
    expect(() => parse('help rplay')).toThrow('did you mean replay?');
  });

  test('the help of a command has its words, its options and its variables, and no others', () => {
    const text = helpText('bundle');
    expect(text).toContain('playmoney bundle [options] [FILE]: ');
    expect([...text.matchAll(/^ {2}--(\S+)/gm)].map(([, flag]) => flag)).toEqual([
      'url',
      'key',
      'admin-token',
      'help,',
    ]);
    expect(text).toContain('not given: PLAYMONEY_URL, PLAYMONEY_KEY, PLAYMONEY_ADMIN_TOKEN\n');
    expect(helpText('exec')).toContain('--start-time is PLAYMONEY_START_TIME');
    expect(helpText('check')).not.toContain('PLAYMONEY_');
  });

  test.each(Object.keys(VERBS) as Verb[])('the whole help lists %s and each of its options', (verb) => {
    const text = helpText();
    expect(text).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
    for (const { flag } of optionsOf(verb)) expect(text).toMatch(new RegExp(`^ {2}--${flag} `, 'm'));
  });

  test('the help names every option with its default', () => {
    const text = helpText();
    for (const [option] of GOOD) expect(text).toContain(`--${option}`);
    expect(text).toMatch(/--port N +port to listen on; 0 takes a free one \(4010\)\n/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('each default that the help shows is the one that is used', () => {
    const shown = [...helpText().matchAll(/--(\S+) .*\((\S+)\)\n/g)].map(
      ([, option, text]) => `--${option}=${text}`,
    );
    expect(shown).toHaveLength(14);
    expect(start(shown)).toEqual(DEFAULTS);
  });

  test.each(['replay TRACE|BUNDLE', 'bundle [FILE]', 'open BUNDLE', '--against URL'])(
    'the help names %s',
    (name) => expect(helpText()).toContain(`\n  ${name}`),
  );

  test('check takes files, also such as begin with a dash', () => {
    const check = { verb: 'check', options: {} };
    expect(parse('check a.yaml b.yaml')).toEqual({ ...check, words: ['a.yaml', 'b.yaml'] });
    expect(parse('check -- -a.yaml')).toEqual({ ...check, words: ['-a.yaml'] });
  });

  const CLIENT = { url: 'http://127.0.0.1:4010', key: 'sk_test_local', adminToken: null };

  test.each([
    ['2h', { By: '2h' }],
    ['PT2H', { By: 'PT2H' }],
    ['2030-01-01T00:00:00Z', { To: '2030-01-01T00:00:00Z' }],
  ])('advance %s', (text, change) => {
    expect(parse(`advance ${text}`)).toEqual({ verb: 'advance', options: CLIENT, words: change });
  });

  test('the server and the key are taken from the environment: of several keys the first, and `any` is none', () => {
    const env = {
      PLAYMONEY_URL: 'https://pay.example/',
      PLAYMONEY_ADMIN_TOKEN: 's3cret',
      PLAYMONEY_KEY: 'any, sk_a,sk_b',
      PLAYMONEY_LIMIT: 'x',
    };
    expect(parse('journal', env)).toMatchObject({
      verb: 'journal',
      options: { ...CLIENT, limit: null, url: 'https://pay.example', key: 'sk_a', adminToken: 's3cret' },
    });
    expect(parse('journal', { PLAYMONEY_KEY: 'any' })).toMatchObject({ options: CLIENT });
    expect(parse('journal --key sk_mine --limit 5', { PLAYMONEY_KEY: 'sk_a' })).toEqual({
      verb: 'journal',
      words: null,
      options: { ...CLIENT, key: 'sk_mine', limit: 5 },
    });
  });

  test('replay takes a file, and where its calls go', () => {
    expect(parse('replay trace.json --against https://pay.example/v1/')).toEqual({
      verb: 'replay',
      words: 'trace.json',
      options: {
        against: 'https://pay.example/v1',
        key: 'sk_test_local',
        adminToken: null,
        ca: null,
        timeout: 30_000,
        moveClock: false,
        ignores: [],
      },
    });
    const more = '--key k --ca ca.pem --timeout 500ms --ignore Message,Type --ignore Code';
    const env = { PLAYMONEY_ADMIN_TOKEN: 's3cret', PLAYMONEY_TIMEOUT: '1s', PLAYMONEY_AGAINST: 'http://b' };
    expect(parse(`replay t --against http://a --move-clock ${more}`, env)).toMatchObject({
      options: {
        against: 'http://a',
        key: 'k',
        adminToken: 's3cret',
        ca: 'ca.pem',
        timeout: 500,
        moveClock: true,
        ignores: ['Message', 'Type', 'Code'],
      },
    });
  });

  test('bundle takes a file, or writes one of its own name', () => {
    expect(parse('bundle')).toEqual({ verb: 'bundle', words: 'playmoney-bundle.json', options: CLIENT });
    expect(parse('bundle b.json --key sk_a')).toMatchObject({ words: 'b.json' });
  });

  const BUNDLED = {
    seed: '7',
    scenario: 'happy-path',
    clock: 'manual',
    'start-time': '2030-01-01T00:00:00Z',
    dialect: 'documented',
    'batch-pace': 'immediate',
    'token-ttl': '1m',
    'authorisation-ttl': '1m',
    'ccv-ttl': '1m',
    'known-providers-only': '1',
    watch: '1',
  };

  test('open takes a bundle and the options of start that it leaves open', () => {
    expect(parse('open b.json --port 0 --key mine')).toEqual({
      verb: 'open',
      words: 'b.json',
      options: { ...DEFAULTS, port: 0, keys: ['mine'] },
    });
  });

  test.each(Object.entries(BUNDLED))('open takes no --%s: the bundle says it', (option, text) => {
    expect(refusal(['open', 'b.json', `--${option}=${text}`])).toBe(
      `open takes no --${option}: the bundle says how its world went`,
    );
    // In the environment it is meant for other starts.
    const env = { [environmentName(option)]: text };
    expect(parse('open b.json', env)).toMatchObject({ options: DEFAULTS });
  });

  test('reset takes a seed and a scenario, which the environment holds for start alone', () => {
    const env = { PLAYMONEY_SEED: 'a', PLAYMONEY_SCENARIO: 'lost-answer' };
    expect(parse('reset', env)).toMatchObject({ options: { ...CLIENT, seed: null, scenario: null } });
    expect(parse('reset --seed 7 --scenario happy-path', env)).toEqual({
      verb: 'reset',
      words: null,
      options: { ...CLIENT, seed: '7', scenario: 'happy-path' },
    });
  });

  test('triggers and --version read no environment', () => {
    const env = { PLAYMONEY_PORT: 'x', PLAYMONEY_JSON: '1' };
    expect(parse('triggers', env)).toMatchObject({ options: { json: false } });
    expect(parse('triggers --json', env)).toMatchObject({ options: { json: true } });
    expect(parse('--version', { PLAYMONEY_PORT: 'x' })).toEqual({ verb: 'version' });
  });
});
