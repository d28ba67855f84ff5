import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { buildIfMissing, type Ended, type Program, runProgram } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { portOf } from '../support/serving.js';

const ENV = { PATH: process.env['PATH'] ?? '' };
const folder = temporaryFolder();

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

beforeAll(buildIfMissing);

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

  test('ends with the exit code of the command', async () => {
    expect((await exec([], 'process.exit(3)')).code).toBe(3);
  });

  test('ends with 128 and the number of the signal that ended the command', async () => {
    expect((await exec([], "process.kill(process.pid, 'SIGKILL')")).code).toBe(137);
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

  test('names a command that is not there, and exits with 127', async () => {
    const { code, stderr } = await runProgram(['exec', '--', 'no-such-command'], ENV).ended;
    expect(stderr).toBe('playmoney: exec: command not found: "no-such-command"\n');
    expect(code).toBe(127);
  });

  test('names a command that is not a program, and exits with 126', async () => {
    const { code, stderr } = await runProgram(['exec', '--', file('plain.txt', 'no program')], ENV).ended;
    expect(stderr).toContain('plain.txt": it is not an executable file');
    expect(code).toBe(126);
  });

  test('says that it takes a command', async () => {
    const { code, stderr } = await runProgram(['exec', '--strict'], ENV).ended;
    expect(stderr).toBe('playmoney: exec needs a command to run, such as: playmoney exec -- npm test\n');
    expect(code).toBe(2);
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
      '  1 request with unknown fields or filters:',
      '    ignored unknown field "Colour"',
      '  1 webhook not delivered:',
      expect.stringMatching(/^ {4}transaction\.status\.changed to http:\/\/127\.0\.0\.1:1\/hook: /),
      '',
    ]);
    expect(code).toBe(0);
  });

  test('--fail-on-warnings exits with 1 and says why where the command went well', async () => {
    const { code, stderr } = await exec(['--fail-on-warnings'], "await charge({ Colour: 'red' })");
    expect(stderr).toContain('playmoney: --fail-on-warnings: 1 request with unknown fields or filters');
    expect(code).toBe(1);
  });

  test('--fail-on-warnings: rules of a scenario that nobody played never matched', async () => {
    const { code, stderr } = await exec(['--fail-on-warnings', '--scenario', file('two.yaml', SCENARIO)], '');
    expect(stderr).toContain('--fail-on-warnings: 2 rules never matched');
    expect(code).toBe(1);
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

describe('exec --journal', () => {
  const SCRIPT = `
    await charge({ Reference: 'one' });
    await call('POST', '/_sandbox/reset', {});
    await charge({ Reference: 'two' });
    await call('DELETE', '/_sandbox/journal');
    await call('GET', '/charge', undefined, { 'x-secretkey': 'sk_test_other' });`;

  test('writes the calls of all worlds, before and after a reset, as HAR', async () => {
    const har = file('calls.har');
    expect((await exec(['--journal', har], SCRIPT)).code).toBe(0);
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
  });

  test('writes them by world as JSON, in place of what was there', async () => {
    const json = file('calls.json', 'old');
    expect((await exec(['--journal', json], SCRIPT)).code).toBe(0);
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

  test('keeps more calls than a journal holds', async () => {
    const json = file('many.json');
    const script = "await Promise.all(Array.from({ length: 1100 }, () => call('GET', '/charge')))";
    expect((await exec(['--journal', json, '--quiet'], script)).code).toBe(0);
    const { Evicted, Worlds } = JSON.parse(readFileSync(json, 'utf8'));
    expect(Evicted).toBe(0);
    expect(Worlds[0].Entries).toHaveLength(1100);
  });

  test.each([
    ['calls.txt', '--journal must be a file name that ends in .har or .json, not "calls.txt"'],
    ['/no/such/calls.har', '--journal: cannot write /no/such/calls.har: the folder /no/such does not exist'],
  ])('%s is refused before anything runs', async (name, message) => {
    const { code, stdout, stderr } = await exec(['--journal', name], "console.log('ran')");
    expect(stderr).toBe(`playmoney: ${message}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
