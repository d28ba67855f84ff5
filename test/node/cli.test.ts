import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import { lanAddresses } from '../../src/node/lan.js';
import { buildIfMissing, runProgram, startProgram, type Program, type Started } from './program.js';
import { openWire, requestText } from './support.js';

const KEY = { 'x-secretkey': 'sk_test_a' };
const JSON_KEY = { ...KEY, 'content-type': 'application/json' };
const CHARGE = JSON.stringify({
  Amount: '20.00',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' },
});

const running: Program[] = [];

async function start(args?: readonly string[], env?: Record<string, string>): Promise<Started> {
  const started = await startProgram(args, env);
  running.push(started);
  return started;
}

/** Ends a program by a signal; how long that took, in milliseconds. */
async function endWith(
  program: Program,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; ms: number }> {
  const begun = performance.now();
  program.child.kill(signal);
  const { code } = await program.ended;
  return { code, ms: performance.now() - begun };
}

beforeAll(buildIfMissing);

afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGKILL');
    await program.ended;
  }
});

describe('start', () => {
  test('prints one line on stdout when it is ready, and answers', async () => {
    const { url, printed, child, ended } = await start();
    expect(printed.stdout).toBe(`playmoney listening on ${url}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ Status: 'SUCCESS', Amount: 20 });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stdout: `playmoney listening on ${url}\n` });
  });

  test('the verb may be given', async () => {
    expect((await start(['start', '--port=0'])).port).toBeGreaterThan(0);
  });

  test('two with --port 0 stand side by side', async () => {
    const [one, two] = [await start(), await start()];
    expect(one.port).not.toBe(two.port);
  });

  test('options reach the sandbox', async () => {
    const { url } = await start([
      '--port',
      '0',
      '--clock',
      'manual',
      '--seed',
      '7',
      '--key',
      'mine',
      '--strict',
    ]);
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

describe('the start-up note', () => {
  test('begins with the address, a key and the dashboard, and names world rule, scenario and clock', async () => {
    const { url, printed, until } = await start();
    await until('stderr', "}'\n");
    expect(printed.stderr).toMatch(
      new RegExp(`^Base address ${url}, key sk_test_local, dashboard ${url}/_sandbox\n`),
    );
    for (const said of ['opens a world of its own', 'No scenario is played', 'The clock of a world runs']) {
      expect(printed.stderr).toContain(said);
    }
  });

  test('where other machines can call, it says what they call', async () => {
    const { port, printed, until } = await start(['--port', '0', '--host', '0.0.0.0']);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain(`Base address http://127.0.0.1:${port}, `);
    for (const address of lanAddresses()) expect(printed.stderr).toContain(address);
  });

  test('is followed by why a page was turned away, once, unless --quiet', async () => {
    const told = 'playmoney: The origin null may not call this server.';
    for (const quiet of [[], ['--quiet']]) {
      const { url, child, ended } = await start(['--port', '0', ...quiet]);
      const headers = { ...KEY, origin: 'null' };
      for (let n = 0; n < 3; n++) await fetch(`${url}/charge`, { headers });
      child.kill('SIGTERM');
      const { stderr } = await ended;
      expect(stderr.split(told).length - 1).toBe(quiet.length === 0 ? 1 : 0);
    }
  });

  test('shows the key rule, the clock, and a first charge that works as it stands', async () => {
    const { url, printed, until } = await start();
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain('sk_test_local');
    expect(printed.stderr).toContain('runs in real time');
    expect(printed.stderr).not.toContain('Warning');
    const [, address, key, type, body] =
      /curl (\S+) -H 'x-secretkey: (\S+)' \\\n\s+-H 'content-type: (\S+)' -d '(.*)'/.exec(printed.stderr) ??
      [];
    expect(address).toBe(`${url}/charge/card`);
    const headers = { 'x-secretkey': String(key), 'content-type': String(type) };
    expect((await fetch(String(address), { method: 'POST', headers, body: String(body) })).status).toBe(200);
  });

  test.each([
    [['--clock', 'manual'], 'stands at 2026-01-01T00:00:00.000Z'],
    [['--clock', 'x60'], '60 times as fast from 2026-01-01T00:00:00.000Z on'],
    [['--start-time', '2031-05-06T00:00:00Z'], 'in real time from 2031-05-06T00:00:00.000Z on'],
    [['--key', 'any'], 'so does every other key'],
    [['--key', 'mine'], 'so do the --key ones'],
    [['--dialect', 'documented'], 'Answers are spelt as documented'],
    [['--dialect', 'sdk'], 'Answers are spelt for client libraries (dialect sdk)'],
  ])('%j: says %s', async (args, expected) => {
    const { printed, until } = await start(['--port', '0', ...args]);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain(expected);
  });

  test('--dialect sdk: its first charge is answered so', async () => {
    const { url } = await start(['--port', '0', '--quiet', '--dialect', 'sdk']);
    const charge = await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    expect(await charge.json()).toMatchObject({ status: 'SUCCESS', chargeId: expect.any(String) });
  });

  test('its card is not expired where the clock stands in the future', async () => {
    const { until, printed } = await start([
      '--port',
      '0',
      '--clock',
      'manual',
      '--start-time',
      '2044-01-01T00:00:00Z',
    ]);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain('"ExpiryDate":"12/46"');
  });

  test('warns beyond loopback, unless an admin token guards the control plane', async () => {
    const open = await start(['--port', '0', '--host', '0.0.0.0']);
    expect(open.url).toBe(`http://0.0.0.0:${open.port}`);
    await open.until('stderr', "}'\n");
    expect(open.printed.stderr).toMatch(/^Warning: 0\.0\.0\.0 .*--admin-token/);
    expect(open.printed.stderr).toContain(`curl http://127.0.0.1:${open.port}/`);
    const guarded = await start(['--port', '0', '--host', '0.0.0.0', '--admin-token', 'sesame']);
    await guarded.until('stderr', "}'\n");
    expect(guarded.printed.stderr).not.toContain('Warning');
    expect(guarded.printed.stderr).not.toContain('sesame');
  });

  test('--quiet leaves the ready line alone', async () => {
    const program = await start(['--port', '0', '--quiet']);
    expect((await fetch(`${program.url}/_sandbox/health`)).status).toBe(200);
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, stdout: program.printed.stdout, stderr: '' });
  });
});

describe('the environment', () => {
  test.each([
    ['PORT', { PORT: '0' }],
    ['PLAYMONEY_PORT before PORT', { PLAYMONEY_PORT: '0', PORT: '1' }],
  ])('%s is read', async (_, env) => {
    expect((await start([], env)).port).toBeGreaterThan(1);
  });

  test('the command line wins', async () => {
    expect((await start(['--port', '0'], { PLAYMONEY_PORT: '1', PORT: '2' })).port).toBeGreaterThan(2);
  });

  test('HOST is not read, since shells set it: PLAYMONEY_HOST is', async () => {
    expect((await start(['--port', '0'], { HOST: '0.0.0.0' })).url).toContain('127.0.0.1');
    expect((await start(['--port', '0'], { PLAYMONEY_HOST: '0.0.0.0' })).url).toContain('0.0.0.0');
  });
});

describe('exit codes', () => {
  test.each([
    [['--port', '99999'], {}, '--port takes a whole number from 0 to 65535'],
    [['--port'], {}, '--port takes'],
    [['--prot', '1'], {}, 'did you mean --port?'],
    [['stat'], {}, 'did you mean start?'],
    [['--clock', 'fast'], {}, '--clock takes'],
    [['--dialect', 'skd'], {}, 'did you mean sdk?'],
    [[], { PORT: 'abc' }, 'PORT takes'],
    [[], { PLAYMONEY_STRICT: 'maybe' }, 'PLAYMONEY_STRICT takes'],
  ])('%j with %j: 2, and one line that says why', async (args, env, reason) => {
    const { code, stdout, stderr } = await runProgram(args, env).ended;
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^playmoney: [^\n]+\n$/);
    expect(stderr).toContain(reason);
  });

  test('a port that is taken: 1, and one line that says what to do', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const { code, stdout, stderr } = await runProgram(['--port', String(port)]).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^playmoney: [^\n]+\n$/);
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is taken`);
    expect(stderr).toContain('--port');
    await new Promise((resolve) => other.close(resolve));
  });

  test.each(['192.0.2.1', 'no-such-host.invalid'])('%s is no address of this machine: 1', async (host) => {
    const { code, stderr } = await runProgram(['--port', '0', '--host', host]).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^playmoney: [^\n]*--host[^\n]*\n$/);
  });

  test('a bug of its own: 70 with the reason, and no hang', async () => {
    const bomb = 'process.on("SIGUSR2",()=>{throw new Error("boom")})';
    const program = await start(undefined, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}`,
    });
    program.child.kill('SIGUSR2');
    const { code, stderr } = await program.ended;
    expect(code).toBe(70);
    expect(stderr).toContain('playmoney: stopped by a bug of its own');
    expect(stderr).toContain('boom');
  });
});

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s with a connection kept open: 0 at once', async (signal) => {
    const program = await start();
    const wire = await openWire(program.port);
    wire.send(requestText('GET /charge', ['Host: localhost', 'x-secretkey: sk_test_a']));
    await wire.until('"Charges"');
    const { code, ms } = await endWith(program, signal);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(1000);
    await wire.closed();
  });

  test('SIGTERM with a connection that has sent nothing, one in its headers and one in its body: 0 within 2 s', async () => {
    const program = await start();
    const [silent, headers, body] = [
      await openWire(program.port),
      await openWire(program.port),
      await openWire(program.port),
    ];
    headers.send('GET /charge HTTP/1.1\r\nHost: local');
    const more = [
      'Host: localhost',
      'x-secretkey: sk_test_a',
      'Content-Type: application/json',
      'Content-Length: 9',
    ];
    body.send(requestText('POST /charge/card', [...more, 'Expect: 100-continue']));
    await body.until('100 Continue');
    const { code, ms } = await endWith(program, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2000);
    await Promise.all([silent.closed(), headers.closed(), body.closed()]);
  });

  test('SIGTERM while an answer is held back for a minute: 0 within 2 s', async () => {
    const program = await start();
    const headers = { ...JSON_KEY, 'x-sandbox-outcome': 'approve, delay=60s' };
    const hanging = fetch(`${program.url}/charge/card`, { method: 'POST', headers, body: CHARGE });
    const outcome = hanging.then(
      () => 'an answer',
      () => 'a closed connection',
    );
    const count = async (): Promise<unknown> =>
      ((await (await fetch(`${program.url}/charge`, { headers: KEY })).json()) as { Count: number }).Count;
    while ((await count()) !== 1);
    const { code, ms } = await endWith(program, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2000);
    expect(await outcome).toBe('a closed connection');
  });
});

describe('whoever reads the output may go away', () => {
  test('the server goes on', async () => {
    const program = await start(['--port', '0', '--log', 'text']);
    program.child.stdout.destroy();
    program.child.stderr.destroy();
    for (let call = 0; call < 5; call++) {
      expect((await fetch(`${program.url}/charge`, { headers: KEY })).status).toBe(200);
    }
    expect((await endWith(program, 'SIGTERM')).code).toBe(0);
  });

  test('a table that is cut off is no error', async () => {
    const program = runProgram(['triggers']);
    program.child.stdout.destroy();
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a client that leaves in the midst of a streamed answer', () => {
  test('costs neither the server nor a line of output', async () => {
    const program = await start(['--port', '0', '--quiet', '--batch-pace', 'immediate', '--clock', 'manual']);
    const rows = `${'0'.repeat(32)},1.00,AUD,x\n`.repeat(20_000);
    const batch = {
      Count: 20_000,
      Description: 'x',
      Batch: `PaymentMethodId,Amount,Currency,Reference\n${rows}`,
    };
    const path = `${program.url}/batch/transaction/payment_method`;
    const made = await fetch(path, { method: 'POST', headers: JSON_KEY, body: JSON.stringify(batch) });
    const { BatchId } = (await made.json()) as { BatchId: string };
    for (let call = 0; call < 3; call++) {
      const wire = await openWire(program.port);
      wire.send(requestText(`GET /batch/${BatchId}`, ['Host: localhost', 'x-secretkey: sk_test_a']));
      await wire.until('PaymentMethodId');
      wire.socket.resetAndDestroy();
      await wire.closed();
    }
    const whole = await fetch(`${program.url}/batch/${BatchId}`, { headers: KEY });
    expect(((await whole.json()) as { Results: string }).Results.trimEnd().split('\n')).toHaveLength(20_001);
    program.child.kill('SIGTERM');
    const { code, stdout, stderr } = await program.ended;
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 });
  });
});

describe('--log', () => {
  const secrets = ['4242424242424242', 'sk_test_a', 'sk_test_b', 'Ccv', 'private'];

  async function linesOf(format: string): Promise<string[]> {
    const { url, child, ended } = await start(['--port', '0', '--quiet', '--log', format]);
    await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    await fetch(`${url}/charge?Reference=private&CardNumber=4242424242424242`, { headers: KEY });
    await fetch(`${url}/vault/4242424242424242`, { headers: KEY });
    await fetch(`${url}/charge/4242%204242%204242%204242/void`, { method: 'DELETE', headers: KEY });
    await fetch(`${url}/customer/sk_test_b`, { headers: KEY });
    await fetch(`${url}/_sandbox/health`);
    const lost = fetch(`${url}/charge/card`, {
      method: 'POST',
      headers: JSON_KEY,
      body: CHARGE.replace('4242424242424242', '4000000000004087'),
    });
    await expect(lost).rejects.toThrow(TypeError);
    child.kill('SIGTERM');
    const { stderr } = await ended;
    for (const secret of secrets) expect(stderr).not.toContain(secret);
    return stderr.trimEnd().split('\n');
  }

  test('json prints one object a request', async () => {
    const lines = (await linesOf('json')).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ Method, Path, Status }) => [Method, Path, Status])).toEqual([
      ['POST', '/charge/card', 200],
      ['GET', '/charge', 200],
      ['GET', '/vault/***', 404],
      ['DELETE', '/charge/***/void', 404],
      ['GET', '/customer/***', 404],
      ['GET', '/_sandbox/health', 200],
      ['POST', '/charge/card', null],
    ]);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(['At', 'Method', 'Path', 'Status', 'DurationMs']);
      expect(line['At']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(line['DurationMs']).toEqual(expect.any(Number));
    }
  });

  test('text prints one line a request', async () => {
    const lines = await linesOf('text');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^POST \/charge\/card 200 [\d.]+ ms$/);
    expect(lines[6]).toMatch(/^POST \/charge\/card no answer [\d.]+ ms$/);
  });
});

describe('scenarios', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'playmoney-'));
    return () => rmSync(folder, { recursive: true });
  });

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
    const stderr = `playmoney: cannot read ${file}: there is no such file\n`;
    expect(await runProgram(['check', file]).ended).toEqual({ code: 2, stdout: '', stderr });
    expect(await runProgram(['--scenario', file]).ended).toEqual({ code: 2, stdout: '', stderr });
  });

  test('the library is part of the package: it is listed, played by name, and named in the note', async () => {
    const { code, stdout } = await runProgram(['scenarios']).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^every-decline +A charge whose Reference/m);
    const { url, printed, until } = await start(['--port', '0', '--scenario', 'every-decline']);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain('Each world plays the scenario every-decline.\n');
    const world = await fetch(`${url}/_sandbox/world`, { headers: KEY });
    expect(await world.json()).toMatchObject({ Scenario: 'every-decline' });
  });

  test('a name that is almost right is guessed, a broken file is explained: 2', async () => {
    const unknown = await runProgram(['--scenario', 'evry-decline']).ended;
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('did you mean every-decline?');
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
    await until('stderr', 'now playing two');
    expect(await chargeOf(url)).toBe('Insufficient funds');
    write('watched.yaml', BROKEN);
    await until('stderr', `${file}:2:8: `);
    expect(await chargeOf(url)).toBe('Insufficient funds');
  });
});
