import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type Ended, type Program, runProgram } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { temporaryFolder } from '../support/folder.js';
import { portOf } from '../support/serving.js';

const ENV = { PATH: process.env['PATH'] ?? '' };
const folder = temporaryFolder();
const start = startingPrograms();

/** What a script under test begins with. */
const PRELUDE = `
const { PLAYMONEY_URL: url, PLAYMONEY_KEY: key } = process.env;
const call = (method, path, body, headers = {}) => fetch(url + path, {
  method, headers: { 'x-secretkey': key, 'content-type': 'application/json', ...headers },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});
const charge = (more = {}) => call('POST', '/charge/token', { Amount: 5, Token: 'tok_approve', ...more });
`;

function execProgram(options: readonly string[], script: string, env: Record<string, string> = {}): Program {
  const command = [process.execPath, '--input-type=module', '-e', PRELUDE + script];
  return runProgram(['exec', ...options, '--', ...command], { ...ENV, ...env });
}

async function exec(
  options: readonly string[],
  script: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  return execProgram(options, script, env).ended;
}

function file(name: string, text?: string): string {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

const SCENARIO = `
name: two rules
rules:
  - name: declined
    when: { operation: charge.create, reference: bad }
    then: { outcome: insufficient_funds }
  - name: idle
    when: { operation: charge.create, reference: never }
    then: { outcome: do_not_honor }
`;

const REFUSING = `
name: refusing
rules:
  - when: { reference: refused }
    then: { respond: { status: 401, body: {} } }
`;

describe('exec', () => {
  test('gives the command a server that is ready, its address and a key', async () => {
    const { code, stdout, stderr } = await exec(
      [],
      'console.log(url, key, (await charge()).status, process.argv.length)',
    );
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ sk_test_exec 201 1\n$/);
    expect(stderr).toBe('playmoney: 1 request, no warnings.\n');
    expect(code).toBe(0);
  });

  test.each([
    ['its exit code', 'process.exit(3)', 3],
    ['128 and the number of the signal', "process.kill(process.pid, 'SIGKILL')", 137],
  ])('ends as the command did, with %s', async (_, script, code) => {
    expect((await exec([], script)).code).toBe(code);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('passes %s on', async (signal, code) => {
    const program = execProgram([], "setInterval(() => {}, 1000); console.log('up')");
    await program.until('stdout', 'up');
    program.child.kill(signal);
    expect((await program.ended).code).toBe(code);
  });

  test('a command that takes a signal its own way ends as it likes', async () => {
    const program = execProgram(
      [],
      "setInterval(() => {}, 1000); process.once('SIGTERM', () => process.exit(7)); console.log('up')",
    );
    await program.until('stdout', 'up');
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(7);
  });

  test('leaves nothing behind: no port, and nothing that the command started', async () => {
    const { stdout } = await exec(
      [],
      `const { spawn } = await import('node:child_process');
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
       left.unref();
       console.log(url);`,
    );
    // The end of the output says that nobody is left who could write there.
    await expect(fetch(stdout.trim())).rejects.toThrow('fetch failed');
  });

  test('ends a command at the third signal, whatever it does about signals', async () => {
    const program = execProgram(
      [],
      "setInterval(() => {}, 1000); process.on('SIGTERM', () => console.log('no')); console.log('up')",
    );
    await program.until('stdout', 'up');
    program.child.kill('SIGTERM');
    await program.until('stdout', 'no\n');
    program.child.kill('SIGTERM');
    await program.until('stdout', 'no\nno\n');
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(137);
  });

  test('names a command that is not there with 127, and one that is no program with 126', async () => {
    const missing = await runProgram(['exec', '--', 'no-such-command'], ENV).ended;
    const stderr = 'playmoney: command not found: "no-such-command"\n';
    expect(missing).toMatchObject({ code: 127, stderr });
    const plain = await runProgram(['exec', '--', file('plain.txt', 'no program')], ENV).ended;
    expect(plain.stderr).toContain('plain.txt": it is not an executable file');
    expect(plain.code).toBe(126);
  });

  test('options before the command are those of start; behind it they are its own, also without --', async () => {
    const script = `${PRELUDE} console.log(process.argv.slice(1).join(), (await call('GET', '/charge?Colour=1')).status)`;
    const command = [process.execPath, '--input-type=module', '-e', script, 'x', '--port', '1'];
    const { code, stdout } = await runProgram(['exec', '--strict', ...command], ENV).ended;
    expect(stdout).toBe('x,--port,1 400\n');
    expect(code).toBe(0);
  });

  test('takes a free port though PORT is set: that is the port of the program under test', async () => {
    const port = await portOf(createServer());
    const { stdout } = await exec([], 'console.log(process.env.PORT, url)', { PORT: String(port) });
    expect(stdout).toMatch(new RegExp(`^${port} http://127\\.0\\.0\\.1:(?!${port}\n)`));
  });

  test('--key is the key of the command, which gets the admin token too', async () => {
    const { stdout } = await exec(
      ['--key', 'any', '--key', 'shop', '--admin-token', 'T'],
      `const admin = { 'x-sandbox-admin': process.env.PLAYMONEY_ADMIN_TOKEN };
       console.log(key, (await call('GET', '/_sandbox/world', undefined, admin)).status)`,
    );
    expect(stdout).toBe('shop 200\n');
  });

  test('--https: the command trusts the server, and whom it trusted before', async () => {
    await exec(['--https', '--tls-dir', file('other')], '');
    const other = `${file('other')}/ca.pem`;
    const script = `
      const { readFileSync } = await import('node:fs');
      const file = process.env.NODE_EXTRA_CA_CERTS;
      console.log(file, (await charge()).status, readFileSync(file, 'utf8').split('BEGIN').length - 1);`;
    const options = ['--https', '--tls-dir', file('tls'), '--quiet'];
    const alone = await exec(options, script);
    expect(alone.stdout).toBe(`${file('tls')}/ca.pem 201 1\n`);
    const both = await exec(options, script, { NODE_EXTRA_CA_CERTS: other });
    expect(both.stdout).toMatch(/ 201 2\n$/);
    expect(existsSync(both.stdout.split(' ')[0] ?? '')).toBe(false);
  });
});

describe('the summary of exec', () => {
  test('names rules that never matched, warnings, and webhooks that did not arrive', async () => {
    const { code, stderr } = await exec(
      ['--scenario', file('two.yaml', SCENARIO)],
      `await charge({ Reference: 'bad', Colour: 'red' });
       await charge({ Reference: 'told', Webhook: { Url: 'http://127.0.0.1:1/hook', Authorization: 'x' } });
       await call('POST', '/_sandbox/settle', {});`,
    );
    expect(stderr.split('\n')).toEqual([
      'playmoney: 2 requests, with warnings:',
      '  1 rule never matched:',
      '    idle (two rules)',
      '  1 request with unknown fields, filters or headers:',
      '    ignored unknown field "Colour"',
      '  1 webhook not delivered:',
      expect.stringMatching(/^ {4}transaction\.status\.changed to http:\/\/127\.0\.0\.1:1\/hook: /),
      '',
    ]);
    expect(code).toBe(0);
  });

  test('--fail-on-warnings exits with 1 and says why where the command went well', async () => {
    const { code, stderr } = await exec(['--fail-on-warnings'], "await charge({ Colour: 'red' })");
    expect(stderr).toContain(
      'playmoney: --fail-on-warnings: 1 request with unknown fields, filters or headers',
    );
    expect(code).toBe(1);
  });

  test('--fail-on-warnings: rules of a scenario that nobody played never matched', async () => {
    const { code, stderr } = await exec(['--fail-on-warnings', '--scenario', file('two.yaml', SCENARIO)], '');
    expect(stderr).toContain('--fail-on-warnings: no call reached the server; 2 rules never matched');
    expect(code).toBe(1);
  });

  test('says that no call reached the server, as when the program under test ignores its address', async () => {
    const unreached = await exec(['--fail-on-warnings'], "await call('POST', '/_sandbox/reset', {})");
    expect(unreached.stderr).toBe(
      [
        'playmoney: 0 requests, with warnings:',
        '  no call reached the server:',
        '    The address was in PLAYMONEY_URL and the key in PLAYMONEY_KEY. Check that the program under test uses them. Only /_sandbox was called (1 call).',
        'playmoney: --fail-on-warnings: no call reached the server',
        '',
      ].join('\n'),
    );
    expect(unreached.code).toBe(1);
    expect((await exec([], '')).code).toBe(0);
  });

  test('lists calls to unknown paths and methods, without an accepted key, and of another content type', async () => {
    const { stderr, code } = await exec(
      ['--scenario', file('refusing.yaml', REFUSING)],
      `await charge();
       for (let n = 0; n < 2; n++) await call('GET', '/v1/charges/4242424242424242');
       await call('PATCH', '/charge/token', {});
       await call('GET', '/charge/00000000000000000000000000000000');
       await call('GET', '/charge', undefined, { 'x-secretkey': 'wrong' });
       await call('GET', '/charge', undefined, { 'x-secretkey': 'sk_test_invalid' });
       await call('POST', '/charge/token', {}, { 'content-type': 'text/plain' });
       await charge({ Reference: 'refused' });`,
    );
    expect(stderr.split('\n')).toEqual([
      'playmoney: 9 requests, with warnings:',
      '  3 calls to unknown paths or methods:',
      '    GET /v1/charges/4242********4242 (2 times)',
      '    PATCH /charge/token',
      '  1 call without an accepted key (401):',
      '    GET /charge',
      '  1 call with a content type other than JSON (415):',
      '    POST /charge/token: text/plain',
      '',
    ]);
    expect(code).toBe(0);
  });

  test('lists at most twenty of many unknown paths', async () => {
    const { stderr } = await exec([], "for (let n = 0; n < 25; n++) await call('GET', '/nowhere/' + n)");
    expect(stderr).toContain('  25 calls to unknown paths or methods:\n');
    expect(stderr).toContain('/nowhere/19\n    and 5 more\n');
  });

  test('--fail-on-warnings passes where there is no warnings, and leaves a failure its own code', async () => {
    expect((await exec(['--fail-on-warnings'], 'await charge()')).code).toBe(0);
    const failed = await exec(['--fail-on-warnings'], "await charge({ Colour: 'red' }); process.exit(9)");
    expect(failed.code).toBe(9);
  });

  test('counts what happened before a reset, another scenario, and in every world', async () => {
    const { stderr } = await exec(
      ['--scenario', file('two.yaml', SCENARIO)],
      `await charge({ Reference: 'bad' });
       await call('POST', '/_sandbox/reset', {});
       await call('POST', '/charge/token', { Amount: 5, Token: 'tok_approve', Reference: 'never' }, { 'x-secretkey': 'sk_test_other' });
       await call('PUT', '/_sandbox/scenario', { Name: 'lost-answer' });`,
    );
    expect(stderr).toMatch(/^playmoney: 2 requests, with warnings:\n {2}\d rules? never matched:\n/);
    expect(stderr).not.toContain('(two rules)');
  });

  test('--quiet prints no summary', async () => {
    expect((await exec(['--quiet'], "await charge({ Colour: 'red' })")).stderr).toBe('');
  });
});

describe('exec --bundle', () => {
  const FAILING = 'await charge(); await charge(); process.exit(3);';

  /** Opens a file on another port, and replays it there as the note of `open` says. */
  async function reopened(bundle: string): Promise<Ended & { readonly url: string }> {
    const { url, until, printed } = await start(['open', bundle, '--port', '0']);
    await until('stderr', '--move-clock\n');
    const [, words = ''] = /\n {2}playmoney (replay .*)\n/.exec(printed.stderr) ?? [];
    return { ...(await runProgram(words.replaceAll("'", '').split(' '), ENV).ended), url };
  }

  test('keeps the world of a failure, and says how to open it', async () => {
    const bundle = file('failure.json');
    const { code, stderr } = await exec(['--bundle', bundle, '--clock', 'manual'], FAILING);
    const line = `playmoney: ${bundle}: \\d+ KiB, 2 calls of 1 world\\. Open it with: playmoney open ${bundle}`;
    expect(stderr).toMatch(new RegExp(`\n${line}\n$`));
    expect(code).toBe(3);
    expect(statSync(bundle).mode & 0o777).toBe(0o600);
  });

  test('writes nothing where the command went well', async () => {
    const bundle = file('none.json');
    expect(await exec(['--bundle', bundle], 'await charge()')).toMatchObject({
      code: 0,
      stderr: 'playmoney: 1 request, no warnings.\n',
    });
    expect(existsSync(bundle)).toBe(false);
  });

  test('keeps a failure of --fail-on-warnings', async () => {
    const bundle = file('warned.json');
    const { code, stderr } = await exec(
      ['--bundle', bundle, '--fail-on-warnings', '--quiet'],
      "await charge({ Colour: 'red' })",
    );
    expect(stderr).toContain(
      `Open it with: playmoney open ${bundle}\nplaymoney: --fail-on-warnings: 1 request`,
    );
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(bundle, 'utf8'))).toMatchObject({ Format: 'playmoney-bundle' });
  });

  test('says that there is nothing to keep if no call reached the server', async () => {
    const bundle = file('empty.json');
    const { code, stderr } = await exec(['--bundle', bundle, '--quiet'], 'process.exit(1)');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'playmoney: --bundle: no call reached the server, so there is no bundle.\n',
    });
    expect(existsSync(bundle)).toBe(false);
  });

  test('keeps every world, what came before a reset, and more calls than a journal holds', async () => {
    const [bundle, json] = [file('worlds.json'), file('many.json')];
    const { code, stderr } = await exec(
      ['--bundle', bundle, '--journal', json, '--quiet', '--clock', 'manual'],
      `const other = { 'x-secretkey': 'sk_test_other' };
       await charge({ Reference: 'before' });
       await call('POST', '/_sandbox/reset', { Seed: 'second' });
       await charge({ Reference: 'after' });
       for (let n = 0; n < 1100; n++) await call('GET', '/charge', undefined, other);
       await call('DELETE', '/_sandbox/journal', undefined, other);
       await call('POST', '/charge/token', { Amount: 5, Token: 'tok_approve', Reference: 'other' }, other);
       process.exit(1);`,
    );
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1103 calls of 3 worlds') as string,
    });
    const { Evicted, Worlds } = JSON.parse(readFileSync(json, 'utf8'));
    expect(Evicted).toBe(0);
    const counts = Worlds.map(({ Entries }: { Entries: unknown[] }) => Entries.length);
    expect(counts.toSorted((a: number, b: number) => a - b)).toEqual([2, 1101]);
    const again = await reopened(bundle);
    expect(again.stdout).toContain('3 worlds, 1103 calls: 1103 equal.\n');
    expect(again.code).toBe(0);
    const referencesOf = async (key: string): Promise<string[]> => {
      const found = await fetch(`${again.url}/charge`, { headers: { 'x-secretkey': key } });
      return ((await found.json()) as { Charges: { Reference: string }[] }).Charges.map(
        ({ Reference }) => Reference,
      );
    };
    const keys = ['sk_test_local', 'sk_test_local_2', 'sk_test_local_3'];
    expect(await Promise.all(keys.map(referencesOf))).toEqual([['before'], ['after'], ['other']]);
  });
});

describe('exec --journal', () => {
  const SCRIPT = `
    await charge({ Reference: 'one' });
    await call('POST', '/_sandbox/reset', {});
    await charge({ Reference: 'two' });
    await call('DELETE', '/_sandbox/journal');
    await call('GET', '/charge', undefined, { 'x-secretkey': 'sk_test_other' });`;

  test('writes the calls of all worlds, before and after a reset, as HAR and as JSON, in place of what was there', async () => {
    const [har, json] = [file('calls.har'), file('calls.json', 'old')];
    expect((await exec(['--journal', har, '--journal', json], SCRIPT)).code).toBe(0);
    const { log } = JSON.parse(readFileSync(har, 'utf8'));
    expect(log.version).toBe('1.2');
    expect(
      log.entries.map((entry: { request: { method: string; url: string } }) => [
        entry.request.method,
        new URL(entry.request.url).pathname,
      ]),
    ).toEqual([
      ['POST', '/charge/token'],
      ['POST', '/charge/token'],
      ['GET', '/charge'],
    ]);
    expect(statSync(har).mode & 0o777).toBe(0o600);
    const { Format, Version, Evicted, Worlds } = JSON.parse(readFileSync(json, 'utf8'));
    expect({ Format, Version, Evicted }).toEqual({ Format: 'playmoney-journal', Version: 1, Evicted: 0 });
    expect(Worlds).toMatchObject([
      {
        Entries: [
          { EntryId: 1, RequestBody: { Reference: 'one' } },
          { EntryId: 2, RequestBody: { Reference: 'two' } },
        ],
      },
      { Entries: [{ EntryId: 1, Path: '/charge' }] },
    ]);
  });

  test.each(['opened.har', 'opened.json'])('writes %s, which open plays to new worlds', async (name) => {
    const calls = file(name);
    const script = `
      const { ChargeId } = await (await charge({ Reference: 'one' })).json();
      await call('DELETE', '/refund/' + ChargeId + '?Amount=2');
      await call('GET', '/charge', undefined, { 'x-secretkey': 'sk_test_other' });
      process.exit(1);`;
    await exec(['--journal', calls, '--clock', 'manual'], script);
    const { url, until, printed } = await start(['open', calls, '--port', '0']);
    await until('stderr', '--move-clock\n');
    expect(printed.stderr).toMatch(
      / is an? .*: it has the calls, but not the state, seed and scenario of their world/,
    );
    expect(printed.stderr).toContain(
      'Its 3 calls were sent to 2 new worlds, whose webhooks are off: all answers are equal.',
    );
    const headers = { 'x-secretkey': 'sk_test_local' };
    expect(await (await fetch(`${url}/charge`, { headers })).json()).toMatchObject({
      Charges: [{ Reference: 'one', RefundedAmount: 2 }],
    });
  });

  test.each([
    ['journal', 'calls.txt', '--journal must be a file name that ends in .har or .json, not "calls.txt"'],
    [
      'journal',
      '/no/such/c.har',
      '--journal: cannot write /no/such/c.har: the folder /no/such does not exist',
    ],
    [
      'bundle',
      '/no/such/f.json',
      '--bundle: cannot write /no/such/f.json: the folder /no/such does not exist',
    ],
  ])('--%s %s is refused before anything runs', async (option, name, message) => {
    const { code, stdout, stderr } = await exec([`--${option}`, name], "console.log('ran')");
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `playmoney: ${message}\n` });
  });
});
