import { describe, expect, test } from 'vitest';
import { EXAMPLES, formatHelp } from '../../../src/node/cli/help.js';
import { OPEN, START, type StartOptions } from '../../../src/node/options/option-table.js';
import { type Command, parseCommand } from '../../../src/node/cli/parse.js';
import { OptionError } from '../../../src/node/options/option.js';
import { listOptions, type Verb, VERBS } from '../../../src/node/cli/verbs.js';

const MIB = 1024 * 1024;

const DEFAULTS = Object.fromEntries(
  Object.entries(START).map(([name, { fallback }]) => [name, fallback]),
) as StartOptions;

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
  ['dialect', 'auto', { dialect: 'auto' }],
  ['key', 'sk_mine', { keys: ['sk_mine'] }],
  ['key', 'any', { keys: ['any'] }],
  ['key', 'sk_one, sk_two', { keys: ['sk_one', 'sk_two'] }],
  ['batch-pace', 'immediate', { batchPace: 0 }],
  ['batch-pace', '100ms', { batchPace: 100 }],
  ['token-ttl', '30s', { tokenTtl: 30_000 }],
  ['authorisation-ttl', 'PT2H', { authorisationTtl: 7_200_000 }],
  ['ccv-ttl', '10m', { ccvTtl: 600_000 }],
  ['known-providers-only', 'true', { knownProvidersOnly: true }],
  ['delay', '200ms', { delay: 200 }],
  ['delay', '1m', { delay: 60_000 }],
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
  ['memory-max', '512mb', { memoryMax: 512 * MIB }],
  ['memory-max', '2GB', { memoryMax: 2048 * MIB }],
  ['worlds-max', '1', { worldsMax: 1 }],
  ['requests-max', '20', { requestsMax: 20 }],
  ['strict', 'true', { strict: true }],
  ['strict', '0', { strict: false }],
  ['test-cards-only', '1', { testCardsOnly: true }],
  ['quiet', 'true', { quiet: true }],
  ['quiet', 'false', { quiet: false }],
  ['log', 'json', { log: 'json' }],
];

const BAD: [option: string, text: string, mustBe: string][] = [
  ['port', '65536', 'must be a whole number from 0 to 65535, not "65536"'],
  ['port', '-1', 'must be a whole number from 0 to 65535, not "-1"'],
  ['port', '80.5', 'must be a whole number from 0 to 65535, not "80.5"'],
  ['host', 'http://localhost', 'without a port, such as 127.0.0.1, 0.0.0.0 or ::1, not "http://localhost"'],
  ['host', 'localhost:4010', 'must be an address or host name without a port'],
  ['watch', 'yes', 'must be 1, true, 0 or false, not "yes"'],
  ['clock', 'manul', 'not "manul". Did you mean manual?'],
  ['clock', 'x0', 'must be real, manual or a speed such as x60 (x0.001 to x1000000), not "x0"'],
  ['clock', 'x1000001', 'not "x1000001"'],
  ['start-time', 'tomorrow', 'must be a date and time such as 2026-01-01T00:00:00Z, not "tomorrow"'],
  ['start-time', '2026-02-30T00:00:00Z', 'not "2026-02-30T00:00:00Z"'],
  ['dialect', 'SDK', 'must be auto, documented or sdk, not "SDK". Did you mean sdk?'],
  ['dialect', 'documentd', 'must be auto, documented or sdk, not "documentd". Did you mean documented?'],
  ['key', ',', 'must be a secret key'],
  ['key', 'two words', 'must be a secret key'],
  ['key', 'sk_live_4f9', 'must be a secret key (no spaces, no live key) or any, not "***"'],
  ['batch-pace', 'imediate', 'not "imediate". Did you mean immediate?'],
  ['batch-pace', '100', 'must be immediate or a duration such as 100ms, 2s or PT1M, not "100"'],
  [
    'token-ttl',
    '0s',
    'must be a duration above zero and up to 36525d, such as 30s, 15m, 2h, 7d or PT2H, not "0s"',
  ],
  ['authorisation-ttl', 'a week', 'must be a duration above zero'],
  ['ccv-ttl', '0s', 'must be a duration above zero'],
  ['known-providers-only', 'yes', 'must be 1, true, 0 or false, not "yes"'],
  ['https', 'on', 'must be 1, true, 0 or false, not "on"'],
  ['allowed-host', 'https://example.com', 'must be a host name or address without scheme and port'],
  ['allowed-host', 'example.com:80', 'not "example.com:80"'],
  ['allowed-origin', 'shop.example.com', 'must be an origin without a path, such as https://'],
  ['allowed-origin', 'https://shop.example.com/pay', 'or null, not "https://shop.example.com/pay"'],
  ['allowed-origin', '*', 'not "*"'],
  ['admin-token', 'has blanks', 'must be printable ASCII characters without spaces, not "***"'],
  ['admin-token', '  ', 'must be printable ASCII characters'],
  ['webhooks', 'on', 'must be private, public or off'],
  ['webhooks', 'publik', 'Did you mean public?'],
  ['webhook-header-prefix', 'X Y-', 'must be a header prefix of 1 to 64'],
  ['webhook-header-prefix', 'X-Y:', 'such as X-Payfurl-'],
  ['body-limit', '2tb', 'must be a number of bytes or a size such as 512kb or 2mb, up to 500mb, not "2tb"'],
  ['body-limit', '0', 'not "0"'],
  ['batch-body-limit', '501mb', 'up to 500mb, not "501mb"'],
  ['worlds-max', '0', 'must be a whole number from 1 to 1000000, not "0"'],
  ['requests-max', 'many', 'must be a whole number from 1 to 1000000, not "many"'],
  ['memory-max', '10mb', 'must be a size such as 512mb or 2gb, from 64mb to 1024gb, not "10mb"'],
  ['strict', 'yes', 'must be 1, true, 0 or false, not "yes"'],
  ['test-cards-only', 'on', 'must be 1, true, 0 or false, not "on"'],
  ['quiet', 'flase', 'not "flase". Did you mean false?'],
  ['log', 'jsn', 'must be off, text or json, not "jsn". Did you mean json?'],
];

describe('values of options', () => {
  test.each(GOOD)('--%s=%s is taken from the command line', (option, text, expected) => {
    expect(start([`--${option}=${text}`])).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each(GOOD)('%s: %s is taken from the environment', (option, text, expected) => {
    expect(start('', { [environmentName(option)]: text })).toEqual({ ...DEFAULTS, ...expected });
  });

  test.each(BAD)('--%s=%s is refused in one line with the accepted values', (option, text, mustBe) => {
    const message = refusal([`--${option}=${text}`]);
    expect(message).toMatch(new RegExp(`^--${option} must be .+$`));
    expect(message).toContain(mustBe);
  });

  test.each(BAD)('%s: %s is refused in the environment too', (option, text, mustBe) => {
    const message = refusal('', { [environmentName(option)]: text });
    expect(message).toMatch(new RegExp(`^${environmentName(option)} must be .+$`));
    expect(message).toContain(mustBe);
  });

  test.each([
    ['admin-token', 'printable ASCII characters without spaces'],
    ['webhook-secret', 'a non-empty text'],
    ['test-cards-only', '1, true, 0 or false'],
    ['https', '1, true, 0 or false'],
  ])('an empty --%s is refused, because it would protect nothing', (option, mustBe) => {
    const isSwitch = mustBe.startsWith('1');
    expect(refusal([`--${option}=`])).toBe(`--${option} must be ${mustBe}, not ""`);
    const name = environmentName(option);
    expect(refusal('', { [name]: '' })).toBe(
      `${name} is empty; it must be ${mustBe}. Unset it to start without it`,
    );
    // The command line overrides the environment.
    expect(start([`--${option}=${isSwitch ? 1 : 't0ken'}`], { [name]: '' })).not.toEqual(DEFAULTS);
  });

  test('an empty prefix of webhooks is refused', () => {
    expect(refusal(['--webhook-header-prefix='])).toContain('must be a header prefix');
  });

  test('line breaks and long texts do not break the line', () => {
    expect(refusal(['--log', `a\nb${'c'.repeat(500)}`])).toMatch(
      /^--log must be off, text or json, not "a\\nb.{0,80}$/,
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
    const expected = { ...DEFAULTS, port: 6000, strict: false, keys: ['sk_cli'], seed: 'env' };
    expect(start('--port 6000 --strict=false --key sk_cli', env)).toEqual(expected);
  });

  test('repeats lists and lets the last of other options count', () => {
    const options = start('--key sk_a --port 1 --key sk_b --port=2');
    expect(options.keys).toEqual(['sk_a', 'sk_b']);
    expect(options.port).toBe(2);
  });

  test('takes a switch without a value as on', () => {
    const on = { strict: true, quiet: true, testCardsOnly: true };
    expect(start('--strict --quiet --test-cards-only')).toMatchObject(on);
  });

  test.each([
    ['--port', '--port needs a value: a whole number from 0 to 65535'],
    ['--host --quiet', /^--host needs a value: .+$/],
    ['--port -1', '--port must be a whole number from 0 to 65535, not "-1"'],
    ['--token-ttl -2h', /^--token-ttl must be a duration above zero and up to 36525d, .*, not "-2h"$/],
    ['start -5', 'unexpected argument "-5": start takes only options'],
    ['--prot 1', 'unknown option --prot. Did you mean --port?'],
    ['--no-strict', 'unknown option --no-strict. Did you mean --strict?'],
    ['--dashboard on', 'unknown option --dashboard. `playmoney help start` lists all options of start.'],
    ['exec --bogus -- true', 'unknown option --bogus. `playmoney help exec` lists all options of exec.'],
    ['advance 36600d', 'advance takes a duration of at most 36525d, not "36600d"'],
    ['advance P36526D', /at most 36525d, not "P36526D"$/],
    ['--watch', '--watch needs a scenario file: --scenario FILE'],
    ['--scenario happy-path --watch', /^--watch needs a scenario file/],
    ['open a.json --tls-dir ./tls', '--tls-dir needs --https'],
    ['--tls-dir ./tls', '--tls-dir needs --https'],
    ['--limit 5', /^start does not take --limit\. Options of start: --port, /],
    ['-p 80', /^unknown option -p\. /],
    ['strat', `unknown command "strat". Commands: ${Object.keys(VERBS).join(', ')}. Did you mean start?`],
    ['serve', /^unknown command "serve"\. Commands: start, exec, sweep, check, /],
    ['toString', /^unknown command "toString"\. /],
    ['start 4010', 'unexpected argument "4010": start takes only options'],
    ['scenarios --port 1', 'scenarios does not take --port. Options of scenarios: --json'],
    ['triggers --port 1', 'triggers does not take --port. Options of triggers: --json'],
    ['scenarios happy-path', 'unexpected argument "happy-path": scenarios takes only options'],
    ['check', 'check needs one or more scenario files'],
    ['advance', /^advance needs a duration such as 30s or 2h, or a date and time such as/],
    ['advance soon', /, not "soon"$/],
    ['advance -2h', /^advance takes a duration such as 30s or 2h, .*, not "-2h"$/],
    ['advance --key k -.5h', /^advance takes a duration .*, not "-\.5h"$/],
    ['advance 2h 3h', /, not "2h 3h"$/],
    ['advance 2h --port 1', 'advance does not take --port. Options of advance: --url, --key, --admin-token'],
    ['journal --limit 0', '--limit must be a whole number from 1 to 500, not "0"'],
    [
      'reset --limit 1',
      'reset does not take --limit. Options of reset: --url, --key, --admin-token, --seed, --',
    ],
    [['reset', '--seed', ''], '--seed must be a non-empty text, not ""'],
    [
      'reset --scenario ./a.yaml',
      '--scenario must be a scenario name from `playmoney scenarios`, not "./a.yaml"',
    ],
    ['journal --seed 1', /^journal does not take --seed\. Options of journal: /],
    ['reset --url localhost:4010', /^--url must be the address of a server, .*, not "localhost:4010"$/],
    ['reset --url http://u:p@localhost', /^--url must be the address of a server/],
    ['reset --key sk_live_4f9', /^--key must be a secret key .*, not "\*\*\*"$/],
    ['replay', 'replay needs one trace, bundle, journal or HAR file'],
    ['replay --against http://a', 'replay needs one trace, bundle, journal or HAR file'],
    ['replay a b --against http://a', 'replay takes one trace, bundle, journal or HAR file, not "a b"'],
    ['replay a', '--against is required: the address to send the calls to, such as http://127.0.0.1:4010'],
    ['replay a --against', /^--against needs a value: the address/],
    ['replay a --against localhost', /^--against must be the address .*, not "localhost"$/],
    ['replay a --against http://a --key sk_live_4f9', /^--key must be .*, not "\*\*\*"$/],
    ['replay a --against http://a --timeout 2h', /^--timeout must be a duration .* up to 1h, .*, not "2h"$/],
    [['replay', 'a', '--against', 'http://a', '--ca', ''], /^--ca must be a file with certificates/],
    ['replay a --against http://a --ignore ,', /^--ignore must be the name of a field/],
    ['replay a --url http://a', /^replay does not take --url\. Options of replay: --against, /],
    ['bundle a b', 'bundle takes one file to write, not "a b"'],
    ['bundle --against http://a', 'bundle does not take --against. Options of bundle: --url, --key, --'],
    ['open', 'open needs one bundle, state, trace, journal or HAR file'],
    ['open a --against http://a', /^open does not take --against\. Options of open: --port, /],
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
    ['--journal calls.har --fail-on-warnings -- npm test', { journals: ['calls.har'], failOnWarnings: true }],
  ])('%j takes its own options, and the command behind them', (line, options) => {
    const own = { ...DEFAULTS, port: 0, journals: [], bundle: null, failOnWarnings: false };
    expect(exec(line)).toEqual({ verb: 'exec', words: ['npm', 'test'], options: { ...own, ...options } });
  });

  test('what stands behind the first word, or behind --, belongs to the command', () => {
    const parts = ['npm', 'test', '--', '--port', 'x', '--no-such-option', '--help'];
    expect(exec(parts).words).toEqual(parts);
    expect(exec(['--', ...parts]).words).toEqual(parts);
    expect(exec('-- --version').words).toEqual(['--version']);
    expect(parse(['sweep', '--all', ...parts])).toMatchObject({ words: parts, options: { all: true } });
  });

  test('sweep needs a command, unless it verifies evidence', () => {
    expect(() => parse(['sweep'])).toThrow('sweep needs a command to run');
    expect(parse(['sweep', '--verify', 'evidence'])).toMatchObject({
      words: [],
      options: { verify: 'evidence' },
    });
    expect(() => parse(['sweep', '--tls-dir', 'tls', '--', 'true'])).toThrow('--tls-dir needs --https');
  });

  test('the names of findings may have commas', () => {
    const options = { accepts: ['paid, not delivered at a', 'b'], faults: ['lost', 'late'] };
    const accepted = options.accepts.map((finding) => `--accept=${finding}`);
    expect(parse(['sweep', ...accepted, '--fault', 'lost,late', 'x'])).toMatchObject({ options });
  });

  test('reads the environment as start does, but not PORT', () => {
    const env = { PORT: '80', PLAYMONEY_SEED: '9', PLAYMONEY_JOURNAL: 'a.json' };
    expect(exec('x', env).options).toMatchObject({ port: 0, seed: '9', journals: ['a.json'] });
    expect(exec('x', { PLAYMONEY_PORT: '4011' }).options.port).toBe(4011);
  });

  test.each([
    ['', 'exec needs a command to run, such as: playmoney exec -- npm test'],
    ['--', 'exec needs a command to run, such as: playmoney exec -- npm test'],
    ['--limit 5 -- x', /^exec does not take --limit\. Options of exec: /],
    ['--journal a.txt -- x', '--journal must be a file name that ends in .har or .json, not "a.txt"'],
  ])('%j is refused', (line, message) => {
    expect(refusal(`exec ${line}`)).toMatch(message);
  });
});

describe('the environment', () => {
  test('PORT is read where PLAYMONEY_PORT is not set, HOST never', () => {
    expect(start('', { PORT: '5000', HOST: 'my-laptop' })).toEqual({ ...DEFAULTS, port: 5000 });
    expect(start('', { PORT: '5000', PLAYMONEY_PORT: '6000' }).port).toBe(6000);
    expect(refusal('', { PORT: 'http' })).toBe('PORT must be a whole number from 0 to 65535, not "http"');
  });

  test('an empty variable is as if not set', () => {
    const env = { PLAYMONEY_PORT: '', PORT: '5000', PLAYMONEY_KEY: '', PLAYMONEY_STRICT: '' };
    expect(start('', env)).toEqual({ ...DEFAULTS, port: 5000 });
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
    expect(() => parse('help rplay')).toThrow('Did you mean replay?');
  });

  test('the help of a command has its words, its options and its variables, and no others', () => {
    const text = formatHelp('bundle');
    expect(text).toContain('Usage: playmoney bundle [options] [FILE]\n');
    const flags = listOptions('bundle').map(({ flag }) => flag);
    expect([...text.matchAll(/^ {2}--(\S+)/gm)].map(([, flag]) => flag)).toEqual([...flags, 'help,']);
    expect(text).toContain('not given: PLAYMONEY_URL, PLAYMONEY_KEY, PLAYMONEY_ADMIN_TOKEN\n');
    expect(formatHelp('exec')).toContain('environment variables, such as PLAYMONEY_');
    expect(formatHelp('check')).not.toContain('PLAYMONEY_');
  });

  test.each(Object.entries(EXAMPLES))('the help of %s has an example, a valid command', (verb, example) => {
    expect(formatHelp(verb)).toContain(`\n\nExample: playmoney ${example}\n\n`);
    expect(parse(example)).toMatchObject({ verb });
  });

  test('every command but help has an example, and none of doctor starts anything', () => {
    expect([...Object.keys(EXAMPLES), 'help'].toSorted()).toEqual(Object.keys(VERBS).toSorted());
    expect(formatHelp('doctor')).not.toMatch(/listen on; 0|to run/);
  });

  test.each(Object.keys(EXAMPLES))('the help lists %s, and its own help each of its options', (verb) => {
    expect(formatHelp()).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
    const own = formatHelp(verb);
    for (const { flag } of listOptions(verb as Verb)) expect(own).toMatch(new RegExp(`^ {2}--${flag} `, 'm'));
  });

  test('the help fits on two screens: the commands and the everyday options of start', () => {
    const lines = formatHelp().split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.startsWith('  --'))).toHaveLength(8);
    expect(lines.find((line) => line.includes('--port N'))).toMatch(
      /listen on; 0 picks a free port \(default: 4010\)$/,
    );
  });

  test('the help names every option with its default', () => {
    const texts = [null, ...Object.keys(EXAMPLES)].map((verb) => formatHelp(verb));
    for (const [option] of GOOD) expect(texts[1]).toContain(`--${option}`);
    expect(
      Math.max(
        ...texts
          .join('\n')
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(120);
  });

  test('each default that the help shows is the one that is used', () => {
    const shown = [...formatHelp('start').matchAll(/--(\S+) .*\(default: (\S+)\)\n/g)].map(
      ([, option, text]) => `--${option}=${text}`,
    );
    expect(shown.length).toBeGreaterThan(10);
    expect(start(shown)).toEqual(DEFAULTS);
  });

  test.each(['replay FILE', 'bundle [FILE]', 'open FILE'])('the help names %s', (name) =>
    expect(formatHelp()).toContain(`\n  ${name}`),
  );

  test('check takes files, also such as begin with a dash', () => {
    const check = { verb: 'check', options: { json: false } };
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

  test('reconcile takes a file of orders, and the server', () => {
    expect(parse('reconcile --orders - --key sk_mine --json')).toEqual({
      verb: 'reconcile',
      words: null,
      options: { ...CLIENT, key: 'sk_mine', orders: '-', json: true },
    });
    expect(refusal('reconcile')).toBe(
      '--orders is required: a file of orders, as JSON or as JSON lines, or - for standard input',
    );
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
    const OTHERS = { against: 'http://a', key: 'k', adminToken: 's3cret', ca: 'ca.pem' };
    const more = '--key k --ca ca.pem --timeout 500ms --ignore Message,Type --ignore Code';
    const env = { PLAYMONEY_ADMIN_TOKEN: 's3cret', PLAYMONEY_TIMEOUT: '1s', PLAYMONEY_AGAINST: 'http://b' };
    expect(parse(`replay t --against http://a --move-clock ${more}`, env)).toMatchObject({
      options: { ...OTHERS, timeout: 500, moveClock: true, ignores: ['Message', 'Type', 'Code'] },
    });
  });

  test('bundle takes a file, or writes one of its own name', () => {
    const options = { ...CLIENT, html: false };
    expect(parse('bundle')).toEqual({ verb: 'bundle', words: null, options });
    expect(parse('bundle --html b.html')).toMatchObject({ words: 'b.html', options: { html: true } });
    expect(parse('bundle b.json --key sk_a')).toMatchObject({ words: 'b.json' });
  });

  const OPENED = { ...DEFAULTS, webhooks: 'off' };
  /** The options of start that open does not take, each with a value. */
  const FIXED = Object.values(OPEN)
    .filter(({ isFixed }) => isFixed)
    .map(({ flag }) => [flag, GOOD.find(([option]) => option === flag)?.[1] ?? ''] as const);

  test('open takes a bundle and the options of start that it leaves open', () => {
    expect(parse('open b.json --port 0 --key mine')).toEqual({
      verb: 'open',
      words: 'b.json',
      options: { ...OPENED, port: 0, keys: ['mine'] },
    });
    // A file names its receivers, so only the command line can ask to call them.
    expect(parse('open b.json', { PLAYMONEY_WEBHOOKS: 'public' })).toMatchObject({ options: OPENED });
    expect(parse('open b.json --webhooks private')).toMatchObject({ options: { webhooks: 'private' } });
  });

  test.each(FIXED)('open does not take --%s: the bundle determines it', (option, text) => {
    expect(refusal(['open', 'b.json', `--${option}=${text}`])).toBe(
      `open does not take --${option}: the bundle determines its world`,
    );
    // In the environment it is meant for other starts.
    const env = { [environmentName(option)]: text };
    expect(parse('open b.json', env)).toMatchObject({ options: OPENED });
  });

  test('reset accepts a seed and a scenario, but does not read them from the environment', () => {
    const env = { PLAYMONEY_SEED: 'a', PLAYMONEY_SCENARIO: 'lost-answer' };
    expect(parse('reset', env)).toMatchObject({ options: { ...CLIENT, seed: null, scenario: null } });
    expect(parse('reset --seed 7 --scenario happy-path', env)).toEqual({
      verb: 'reset',
      words: null,
      options: { ...CLIENT, seed: '7', name: null, scenario: 'happy-path' },
    });
    const named = parse(['reset', '--name', 'shop > pays by card']);
    expect(named).toMatchObject({ options: { name: 'shop > pays by card' } });
    expect(refusal(['reset', '--name', ' '])).toBe('--name must be a text of 1 to 200 characters, not " "');
  });

  test('triggers and --version read no environment', () => {
    const env = { PLAYMONEY_PORT: 'x', PLAYMONEY_JSON: '1' };
    expect(parse('triggers', env)).toMatchObject({ options: { json: false } });
    expect(parse('triggers --json', env)).toMatchObject({ options: { json: true } });
    expect(parse('--version', { PLAYMONEY_PORT: 'x' })).toEqual({ verb: 'version' });
    expect(parse('-v')).toEqual({ verb: 'version' });
  });

  test('replay sends its calls to PLAYMONEY_URL unless --against is given', () => {
    const env = { PLAYMONEY_URL: 'http://a:1/', PLAYMONEY_AGAINST: 'http://c' };
    expect(parse('replay a', env)).toMatchObject({ options: { against: 'http://a:1' } });
    const given = parse('replay a --against http://b', env);
    expect(given).toMatchObject({ options: { against: 'http://b' } });
    expect(refusal('replay a', { PLAYMONEY_AGAINST: 'http://c' })).toMatch('--against is required');
    expect(refusal('replay a', { PLAYMONEY_URL: 'b' })).toMatch(
      /^PLAYMONEY_URL must be the address .*, not "b"$/,
    );
  });
});
