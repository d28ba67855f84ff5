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
  test('begins with the address, a key and the dashboard, and has a first charge that works as it stands', async () => {
    const { url, printed, until } = await start();
    await until('stderr', "}'\n");
    expect(printed.stderr).toMatch(
      new RegExp(`^Base address ${url}, key sk_test_local, dashboard ${url}/_sandbox\n`),
    );
    for (const said of ['has its own world', 'Scenario: none.', 'Clock: runs in real time']) {
      expect(printed.stderr).toContain(said);
    }
    const [, address, key, type, body] =
      /curl (\S+) -H 'x-secretkey: (\S+)' \\\n\s+-H 'content-type: (\S+)' -d '(.*)'/.exec(printed.stderr) ??
      [];
    expect(address).toBe(`${url}/charge/card`);
    const headers = { 'x-secretkey': String(key), 'content-type': String(type) };
    expect((await fetch(String(address), { method: 'POST', headers, body: String(body) })).status).toBe(201);
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

  test.each([
    [['--clock', 'manual'], 'stands still at 2026-01-01T00:00:00.000Z'],
    [['--clock', 'x60'], '60 times as fast as real time, from 2026-01-01T00:00:00.000Z.'],
    [['--start-time', '2031-05-06T00:00:00Z'], 'in real time, from 2031-05-06T00:00:00.000Z.'],
    [['--key', 'any'], 'Every key has its own world'],
    [['--key', 'mine'], 'and every key from --key, has its own world'],
    [[], 'for the Java library in that of client libraries'],
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
});

describe('signals', () => {
  test('SIGTERM with connections that have sent nothing, a call, half of the headers and half of a body: 0', async () => {
    const program = await start();
    const open = () => openWire(program.port);
    const [silent, kept, headers, body] = [await open(), await open(), await open(), await open()];
    kept.send(requestText('GET /charge', ['Host: localhost', 'x-secretkey: sk_test_a']));
    await kept.until('"Charges"');
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
    await Promise.all([silent.closed(), kept.closed(), headers.closed(), body.closed()]);
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
