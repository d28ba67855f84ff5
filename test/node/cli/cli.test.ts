import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runProgram } from './program.js';
import { CHARGE, JSON_KEY, KEY, startingPrograms } from './starting.js';
import { folder as folderOfTest, temporaryFolder } from '../../support/folder.js';
import { portOf } from '../../support/serving.js';
import { words } from '../../support/tables.js';

const start = startingPrograms();

describe('start', () => {
  test('prints one line on stdout when it is ready, and answers', async () => {
    const { url, printed, child, ended } = await start();
    expect(printed.stdout).toBe(`playmoney listening on ${url}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ Status: 'SUCCESS', Amount: 20 });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stdout: `playmoney listening on ${url}\n` });
  });

  test('may be given as a verb, and stands beside another with --port 0', async () => {
    const [one, two] = await Promise.all([start(), start(['start', '--port=0'])]);
    expect(one.port).not.toBe(two.port);
  });

  test('options reach the sandbox', async () => {
    const { url } = await start(words`
      --port 0 --clock manual --seed 7 --key mine --strict
    `);
    const world = await fetch(`${url}/_sandbox/world`, { headers: { 'x-secretkey': 'mine' } });
    expect(await world.json()).toMatchObject({
      Seed: '7',
      Clock: { Mode: 'manual', Now: '2026-01-01T00:00:00.000Z' },
    });
    expect((await fetch(`${url}/charge?colour=red`, { headers: KEY })).status).toBe(400);
  });

  test('the address that is bound is served as a Host', async () => {
    const { url, port } = await start(['--port', '0', '--host', 'localhost']);
    expect(url).toBe(`http://localhost:${port}`);
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
  });
});

/** What the lines say is in test/node/cli/parse.test.ts. */
describe('exit codes', () => {
  test.each([
    [['--port', '99999'], {}, '--port must be a whole number from 0 to 65535'],
    [[], { PLAYMONEY_STRICT: 'maybe' }, 'PLAYMONEY_STRICT must be'],
    [
      ['--memory-max', '1gb'],
      { NODE_OPTIONS: '--max-old-space-size=512' },
      '--memory-max must be at most 358mb with the heap limit of this process. To use more, raise that limit, for example with NODE_OPTIONS=--max-old-space-size=1463.',
    ],
  ])('%j with %j: 2, and one line that says why', async (args, env, reason) => {
    const { code, stdout, stderr } = await runProgram(args, env).ended;
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^playmoney: [^\n]+\n$/);
    expect(stderr).toContain(reason);
  });

  test('a port in use: 1, and one line that says what to do', async () => {
    const port = await portOf(createServer());
    const { code, stdout, stderr } = await runProgram(['--port', String(port)]).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^playmoney: [^\n]+\n$/);
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is already in use`);
    expect(stderr).toContain('--port');
  });

  test.each(['192.0.2.1', 'no-such-host.invalid'])(
    '%s is not an address of this machine: 1',
    async (host) => {
      const { code, stderr } = await runProgram(['--port', '0', '--host', host]).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^playmoney: [^\n]*--host[^\n]*\n$/);
    },
  );

  test('an internal error: 70 with the reason, and no hang', async () => {
    const bomb = 'process.on("SIGUSR2",()=>{throw new Error("boom 4539 5787 6362 1486 sk_test_4f9a8b7c")})';
    const program = await start(undefined, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}`,
    });
    program.child.kill('SIGUSR2');
    const { code, stderr } = await program.ended;
    expect(code).toBe(70);
    expect(stderr).toContain('playmoney: stopped by an internal error. This is a bug');
    expect(stderr).toContain('boom 4539********1486 sk_***');
  });
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'record passes calls on until %s, then writes the trace and ends with 0',
  async (signal) => {
    const { url } = await start();
    const out = join(folderOfTest(), 'trace.json');
    const proxy = await start(['record', '--upstream', url, '--out', out, '--port', '0']);
    const answer = await fetch(`${proxy.url}/charge/card`, {
      method: 'POST',
      headers: JSON_KEY,
      body: CHARGE,
    });
    expect(await answer.json()).toMatchObject({ Status: 'SUCCESS', Amount: 20 });
    proxy.child.kill(signal);
    const { code, stdout } = await proxy.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`${out}: 1 call to ${url}. Send them to a sandbox with: `);
    const again = await runProgram(['replay', out, '--against', url, '--key', 'sk_test_again']).ended;
    expect(again.stdout).toMatch(/^1 call to the world \w+ of sk_test_again: 1 equal\.\n$/);
  },
);

describe('--log', () => {
  const secrets = ['4242424242424242', '4929123456781236', 'sk_test_a', 'sk_test_b', 'Ccv', 'private'];

  async function linesOf(format: string): Promise<string[]> {
    const { url, child, ended } = await start(words`--port 0 --quiet --clock manual --log`.concat(format));
    const charge = (body: string) => fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body });
    await charge(CHARGE.replace('{', '{"Reference":"order-1",'));
    await charge(CHARGE.replace('{', '{"Reference":"to 4929123456781236",'));
    await fetch(`${url}/charge?Reference=private&CardNumber=4242424242424242`, { headers: KEY });
    await fetch(`${url}/vault/4242424242424242`, { headers: KEY });
    await fetch(`${url}/charge/4242%204242%204242%204242/void`, { method: 'DELETE', headers: KEY });
    await fetch(`${url}/customer/sk_test_b`, { headers: KEY });
    await fetch(`${url}/_sandbox/health`);
    const lost = charge(CHARGE.replace('4242424242424242', '4000000000004087'));
    await expect(lost).rejects.toThrow(TypeError);
    child.kill('SIGTERM');
    const { stderr } = await ended;
    for (const secret of secrets) expect(stderr).not.toContain(secret);
    return stderr.trimEnd().split('\n');
  }

  test('json prints one object a request, with the time of a manual clock and the reference', async () => {
    const lines = (await linesOf('json')).map((line) => JSON.parse(line) as Record<string, unknown>);
    const began = '2026-01-01T00:00:00.000Z';
    expect(
      lines.map((line) => ['Method', 'Path', 'Status', 'WorldAt', 'Reference'].map((name) => line[name])),
    ).toEqual([
      ['POST', '/charge/card', 201, began, 'order-1'],
      ['POST', '/charge/card', 201, began, expect.stringMatching(/^to 4929\*+1236$/)],
      ['GET', '/charge', 200, began, null],
      ['GET', '/vault/***', 404, began, null],
      ['DELETE', '/charge/***/void', 404, began, null],
      ['GET', '/customer/***', 404, began, null],
      ['GET', '/_sandbox/health', 200, null, null],
      ['POST', '/charge/card', null, began, null],
    ]);
    for (const line of lines) {
      const names = ['At', 'Method', 'Path', 'Status', 'DurationMs', 'WorldAt', 'Reference'];
      expect(Object.keys(line)).toEqual(names);
      expect(line['At']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(line['DurationMs']).toEqual(expect.any(Number));
    }
  });

  test('text prints one line a request, with the same', async () => {
    const lines = await linesOf('text');
    expect(lines).toHaveLength(8);
    const date = String.raw`[\d-]{10}T[\d:.]{12}Z`;
    expect(lines[0]).toMatch(
      new RegExp(
        String.raw`^${date} POST /charge/card 201 [\d.]+ ms world=2026-01-01T00:00:00\.000Z reference=order-1$`,
      ),
    );
    expect(lines[1]).toMatch(/ reference="to 4929\*+1236"$/);
    expect(lines[6]).toMatch(/ ms$/);
    expect(lines[7]).toMatch(/ POST \/charge\/card no answer [\d.]+ ms world=/);
  });
});

describe('scenarios', () => {
  const folder = temporaryFolder();

  function write(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  const declining = (name: string, outcome: string): string =>
    `name: ${name}\nclock: manual\nrules:\n  - name: all\n    then: { outcome: ${outcome} }\n`;
  const BROKEN = 'name: x\nrules: 3\n';

  async function chargeOf(url: string): Promise<string | null> {
    const answer = await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    const { GatewayMessage } = (await answer.json()) as { GatewayMessage: string };
    return GatewayMessage;
  }

  test('check says what is wrong and where, and which files are good', async () => {
    const [good, bad] = [write('good.yaml', declining('good', 'do_not_honor')), write('bad.yaml', BROKEN)];
    const { code, stdout, stderr } = await runProgram(['check', good, bad]).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(`${good}: ok\n${bad}:2:8: `);
  });

  test('a file that is not there: 2, and one line', async () => {
    const file = join(folder, 'none.yaml');
    const stderr = `playmoney: cannot read ${file}: no such file\n`;
    expect(await runProgram(['check', file]).ended).toEqual({ code: 2, stdout: '', stderr });
    expect(await runProgram(['--scenario', file]).ended).toEqual({ code: 2, stdout: '', stderr });
  });

  test('the library is part of the package: it is listed, played by name, and named in the note', async () => {
    const { code, stdout } = await runProgram(['scenarios']).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^every-decline +A charge whose Reference/m);
    const { url, printed, until } = await start(['--port', '0', '--scenario', 'every-decline']);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain('Scenario: every-decline, in every world.\n');
    const world = await fetch(`${url}/_sandbox/world`, { headers: KEY });
    expect(await world.json()).toMatchObject({ Scenario: 'every-decline' });
  });

  test('a name that is almost right is guessed, a broken file is explained: 2', async () => {
    const unknown = await runProgram(['--scenario', 'evry-decline']).ended;
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean every-decline?');
    const bad = write('bad.yaml', BROKEN);
    const broken = await runProgram([], { PLAYMONEY_SCENARIO: bad }).ended;
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toContain(`${bad}:2:8: `);
  });

  test('--watch plays a file that is replaced, and keeps on when it is broken', async () => {
    const file = write('watched.yaml', declining('one', 'expired_card'));
    const { url, until } = await start(['--port', '0', '--scenario', file, '--watch']);
    expect(await chargeOf(url)).toBe('Expired card');
    renameSync(write('watched.new', declining('two', 'insufficient_funds')), file);
    await until('stderr', 'reloaded, scenario two');
    expect(await chargeOf(url)).toBe('Insufficient funds');
    write('watched.yaml', BROKEN);
    await until('stderr', `${file}:2:8: `);
    expect(await chargeOf(url)).toBe('Insufficient funds');
  });
});
