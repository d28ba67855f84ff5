import { expect, test, describe } from 'vitest';

import { lanAddresses } from '../../src/node/machine/lan.js';
import { END_MS_MAX, runProgram, type Program } from '../node/cli/program.js';
import { CHARGE, JSON_KEY, KEY, startingPrograms } from '../node/cli/starting.js';
import { openWire, requestText } from '../node/http/support.js';
import { words } from '../support/tables.js';

const start = startingPrograms();

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

describe('the start-up note', () => {
  test('begins with the address, a key and the dashboard, and names world rule, scenario and clock', async () => {
    const { url, printed, until } = await start();
    await until('stderr', "}'\n");
    expect(printed.stderr).toMatch(
      new RegExp(`^Base address ${url}, key sk_test_local, dashboard ${url}/_sandbox\n`),
    );
    for (const said of ['has its own world', 'Scenario: none.', 'Clock: runs']) {
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
    expect((await fetch(String(address), { method: 'POST', headers, body: String(body) })).status).toBe(201);
  });

  test.each([
    [['--clock', 'manual'], 'stands still at 2026-01-01T00:00:00.000Z'],
    [['--clock', 'x60'], '60 times as fast as real time, from 2026-01-01T00:00:00.000Z.'],
    [['--start-time', '2031-05-06T00:00:00Z'], 'in real time, from 2031-05-06T00:00:00.000Z.'],
    [['--key', 'any'], 'Every key has its own world'],
    [['--key', 'mine'], 'and every key from --key, has its own world'],
    [['--dialect', 'documented'], 'Answers: in the documented format'],
    [['--dialect', 'sdk'], 'Answers: formatted for client libraries (dialect sdk)'],
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
    const { until, printed } = await start(words`
      --port 0 --clock manual --start-time 2044-01-01T00:00:00Z
    `);
    await until('stderr', "}'\n");
    expect(printed.stderr).toContain('"ExpiryDate":"12/46"');
  });

  test('warns beyond loopback, unless an admin token guards the control plane', async () => {
    const open = await start(['--port', '0', '--host', '0.0.0.0']);
    expect(open.url).toBe(`http://0.0.0.0:${open.port}`);
    await open.until('stderr', "}'\n");
    expect(open.printed.stderr).toMatch(/^Warning: --host 0\.0\.0\.0 .*--admin-token/);
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

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s with a connection kept open: 0', async (signal) => {
    const program = await start();
    const wire = await openWire(program.port);
    wire.send(requestText('GET /charge', ['Host: localhost', 'x-secretkey: sk_test_a']));
    await wire.until('"Charges"');
    const { code, ms } = await endWith(program, signal);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(END_MS_MAX);
    await wire.closed();
  });

  test('SIGTERM with a connection that has sent nothing, one in its headers and one in its body: 0', async () => {
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
    expect(ms).toBeLessThan(END_MS_MAX);
    await Promise.all([silent.closed(), headers.closed(), body.closed()]);
  });

  test('SIGTERM while an answer is delayed for a minute: it is sent at once, and 0', async () => {
    const program = await start();
    const headers = { ...JSON_KEY, 'x-sandbox-outcome': 'approve, delay=60s' };
    const delayed = fetch(`${program.url}/charge/card`, { method: 'POST', headers, body: CHARGE });
    const count = async (): Promise<unknown> =>
      ((await (await fetch(`${program.url}/charge`, { headers: KEY })).json()) as { Count: number }).Count;
    while ((await count()) !== 1);
    const { code, ms } = await endWith(program, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(END_MS_MAX);
    expect((await delayed).status).toBe(201);
  });
});

describe('the reader of the output may go away', () => {
  test('the server goes on', async () => {
    const program = await start(['--port', '0', '--log', 'text']);
    program.child.stdout.destroy();
    program.child.stderr.destroy();
    for (let call = 0; call < 5; call++) {
      expect((await fetch(`${program.url}/charge`, { headers: KEY })).status).toBe(200);
    }
    expect((await endWith(program, 'SIGTERM')).code).toBe(0);
  });

  test('a table that is cut off is not an error', async () => {
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
