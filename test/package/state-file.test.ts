import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { createSandbox } from '../../src/sandbox.js';
import { NODE_HOST } from '../../src/node/http/host.js';
import { keepWorlds, openState } from '../../src/node/state/state-file.js';
import { FileError } from '../../src/node/state/whole-file.js';
import { runProgram, type Started } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { temporaryFolder } from '../support/folder.js';

const PAN = '5555555555554444';
const folder = temporaryFolder();
const startOne = startingPrograms();
let files = 0;

function file(text?: string): string {
  const path = join(folder, `worlds-${++files}.json`);
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

const start = (...options: string[]): Promise<Started> => startOne(['--port', '0', '--quiet', ...options]);

async function stop(started: Started): Promise<number | null> {
  started.child.kill('SIGTERM');
  return (await started.ended).code;
}

async function call(
  { url }: Started,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const init = { method, headers: { 'x-secretkey': key, 'content-type': 'application/json' } };
  const answer = await fetch(url + path, { ...init, ...(body ? { body: JSON.stringify(body) } : {}) });
  return (await answer.json()) as Record<string, unknown>;
}

afterEach(() => void vi.useRealTimers());

describe('--state', () => {
  test('belongs to one server at a time; a killed server’s file is taken over, and no server leaves a lock', async () => {
    const kept = file();
    const first = await start('--state', kept);
    const second = await runProgram(['--port', '0', '--state', kept]).ended;
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining(
        `--state: ${kept} is in use by another server (process ${first.child.pid}). Stop`,
      ),
    ]);
    expect(second.stderr).toContain(`delete ${kept}.lock`);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await stop(await start('--state', kept))).toBe(0);
    expect(existsSync(`${kept}.lock`)).toBe(false);
  });

  test('keeps all worlds with their keys, clocks and scenarios over a restart, for their owner alone', async () => {
    const kept = file();
    const first = await start('--state', kept, '--clock', 'manual', '--dialect', 'sdk', '--key', 'mine');
    const { vaultId } = await call(first, 'mine', 'POST', '/vault', { CardNumber: PAN, ExpireSeconds: 3600 });
    await call(first, 'mine', 'POST', '/_sandbox/clock/advance', { By: '10m' });
    await call(first, 'sk_test_b', 'PUT', '/_sandbox/scenario', { Name: 'lost-answer' });
    expect(await stop(first)).toBe(0);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept, 'utf8')).toContain('Contains the secret keys of all worlds, full card numbers');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);

    const second = await start('--state', kept, '--key', 'mine');
    expect(await call(second, 'mine', 'GET', `/vault/${String(vaultId)}`)).toMatchObject({ cardNumber: PAN });
    expect(await call(second, 'mine', 'GET', '/_sandbox/world')).toMatchObject({
      Dialect: 'sdk',
      Clock: { Mode: 'manual', Now: '2026-01-01T00:10:00.000Z' },
    });
    expect(await call(second, 'sk_test_b', 'GET', '/_sandbox/scenario')).toMatchObject({
      Scenario: 'lost-answer',
    });
    // What a world was switched to begins anew with a reset, as before.
    expect(await call(second, 'sk_test_b', 'POST', '/_sandbox/reset', {})).toMatchObject({
      Scenario: 'lost-answer',
    });
  });

  test('what is kept wins over --scenario, and the start-up note says so', async () => {
    const kept = file();
    const first = await start('--state', kept);
    await call(first, 'sk_test_a', 'GET', '/charge');
    await stop(first);
    const second = await startOne(['--port', '0', '--state', kept, '--scenario', 'lost-answer']);
    await second.until('stderr', 'apply only to new worlds');
    expect(second.printed.stderr).toContain('Restored 1 world');
  });

  test('a clock in real time goes on while the server is away, any other waits', async () => {
    const kept = file();
    const options = { clock: { mode: 'real' as const, start: Date.parse('2030-01-01T00:00:00Z') } };
    const before = createSandbox(NODE_HOST, options);
    const keys = ['sk_test_real', 'sk_test_manual'];
    for (const key of keys) before.worlds.open(key);
    await before.worlds.find('sk_test_manual')?.advance({ by: 0 }, { mode: 'manual', rate: 0 });
    await (await openState(kept)).keep(before)();
    expect(() => statSync(kept)).toThrow('ENOENT');
    before.worlds.find('sk_test_real')?.chance.next('requests');
    const end = (await openState(kept)).keep(before);
    before.worlds.find('sk_test_real')?.chance.next('requests');
    expect(await end()).toBe(true);
    const written = JSON.parse(readFileSync(kept, 'utf8'));
    const hour = 3_600_000;
    for (const world of written.Worlds) world.At = new Date(Date.parse(world.At) - hour).toISOString();
    writeFileSync(kept, JSON.stringify(written));

    const after = createSandbox(NODE_HOST, options);
    await (await openState(kept)).restore(after);
    const [real = 0, manual = 0] = keys.map((key) => after.worlds.find(key)?.clock.now());
    expect(real - manual).toBeGreaterThanOrEqual(hour);
    expect(manual).toBeLessThan(Date.parse('2030-01-01T00:10:00Z'));
    before.close();
    after.close();
  });

  test.each([
    [
      'a newer format',
      '{"Format":"playmoney-worlds","Version":2}',
      'but this playmoney reads only version 1',
    ],
    ['another format', '{"Format":"playmoney-bundle"}', 'is not a state file'],
    ['text that is cut off', '{"Format":"playmoney-worlds","Ver', ':1:34: not valid JSON'],
    ['an empty file', '', 'not valid JSON'],
    ['no list', '{"Format":"playmoney-worlds","Version":1}', 'Worlds must be a list'],
    [
      'a world without its key',
      '{"Format":"playmoney-worlds","Version":1,"Worlds":[{}]}',
      'Worlds.0: Key must be a non-empty string',
    ],
    [
      'a state that is none',
      '{"Format":"playmoney-worlds","Version":1,"Worlds":[{"Key":"sk_test_a","Dialect":"sdk","At":"2026-01-01T00:00:00Z","State":{"Format":"x"}}]}',
      'Worlds.0: The document is invalid: Format must be playmoney-state',
    ],
  ])('%s: refused with the name of the file, which stays as it is', async (_, text, message) => {
    const kept = file(text);
    const { code, stderr, stdout } = await runProgram(['--port', '0', '--state', kept]).ended;
    expect(stderr).toContain(`playmoney: --state: ${kept}`);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(readFileSync(kept, 'utf8')).toBe(text);
  });

  test.each([
    ['/no/such/worlds.json', 'the folder /no/such does not exist'],
    [folder, 'it is a folder'],
  ])('%s is a bad option: %s', async (path, why) => {
    const { code, stderr } = await runProgram(['--port', '0', '--state', path]).ended;
    expect(stderr).toBe(`playmoney: --state: cannot write ${path}: ${why}\n`);
    expect(code).toBe(2);
  });

  test('a bundle determines its world, so open does not take --state', async () => {
    const { code, stderr } = await runProgram(['open', 'bug.json', '--state', file()]).ended;
    expect(stderr).toBe('playmoney: open does not take --state: the bundle determines its world\n');
    expect(code).toBe(2);
  });
});

describe('keeping worlds', () => {
  test('writes them each five seconds in which something changed, and not where nothing did', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { worlds, fetch, close } = createSandbox(NODE_HOST);
    let writes = 0;
    const end = keepWorlds(worlds, async () => void writes++);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(writes).toBe(0);
    await fetch(new Request('http://localhost/charge', { headers: { 'x-secretkey': 'sk_test_a' } }));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(writes).toBe(0);
    await vi.advanceTimersByTimeAsync(5_001);
    expect(writes).toBe(1);
    expect(await end()).toBe(true);
    expect(writes).toBe(1);
    close();
  });

  test('what cannot be written is said once, tried again, and makes the end a failure', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { worlds, close } = createSandbox(NODE_HOST);
    let fails = true;
    const write = async (): Promise<void> => {
      if (fails) throw new FileError('cannot write it: the disk is full');
    };
    const end = keepWorlds(worlds, write);
    worlds.open('sk_test_a');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await end()).toBe(false);
    expect(printed.mock.calls).toEqual([['playmoney: --state: cannot write it: the disk is full\n']]);
    printed.mockRestore();
    fails = false;
    expect(await end()).toBe(true);
    close();
  });

  test('a few thousand records do not hold the event loop', async () => {
    const kept = file();
    const sandbox = createSandbox(NODE_HOST);
    const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
    const body = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
    const end = (await openState(kept)).keep(sandbox);
    for (let n = 0; n < 5000; n++) {
      await sandbox.fetch(new Request('http://localhost/charge/token', { method: 'POST', headers, body }));
    }
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await end();
    isOver = true;
    expect(turns).toBeGreaterThan(5);
    const again = createSandbox(NODE_HOST);
    await (await openState(kept)).restore(again);
    expect(again.worlds.find('sk_test_a')?.charges.size).toBe(5000);
    sandbox.close();
    again.close();
  });

  test.runIf(process.getuid?.() !== 0)('a folder that this user may not write is a bad option', async () => {
    const kept = file('{}');
    chmodSync(folder, 0o500);
    await expect(openState(kept)).rejects.toThrow('permission denied');
    chmodSync(folder, 0o700);
  });
});
