import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createInnerSandbox } from '../../src/app/sandbox.js';
import { NODE_HOST } from '../../src/node/machine/host.js';
import { WorldKeeper } from '../../src/app/saving/keeper.js';
import { FolderStore } from '../../src/node/state/folder-store.js';
import { runProgram, type Started } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { temporaryFolder } from '../support/folder.js';

const PAN = '5555555555554444';
const folder = temporaryFolder();
const startOne = startingPrograms();
let paths = 0;

const newPath = (): string => join(folder, `worlds-${++paths}`);
const worldFiles = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => name.startsWith('world-'))
    .map((name) => join(path, name));
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

describe('--state', () => {
  test('belongs to one server at a time; a killed server’s worlds are taken over, and no server leaves a lock', async () => {
    const path = newPath();
    const first = await start('--state', path);
    const second = await runProgram(['--port', '0', '--state', path]).ended;
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining(
        `--state: ${path} is in use by another server (process ${first.child.pid}). Stop`,
      ),
    ]);
    expect(second.stderr).toContain(`delete ${path}/lock-`);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await stop(await start('--state', path))).toBe(0);
    expect(readdirSync(path)).toEqual([]);
  });

  test('keeps all worlds with their keys, clocks and scenarios over a restart, for their owner alone', async () => {
    const path = newPath();
    const first = await start('--state', path, '--clock', 'manual', '--dialect', 'sdk', '--key', 'mine');
    const { vaultId } = await call(first, 'mine', 'POST', '/vault', { CardNumber: PAN, ExpireSeconds: 3600 });
    await call(first, 'mine', 'POST', '/_sandbox/clock/advance', { By: '10m' });
    await call(first, 'sk_test_b', 'PUT', '/_sandbox/scenario', { Name: 'lost-answer' });
    expect(await stop(first)).toBe(0);
    expect(worldFiles(path)).toHaveLength(2);
    for (const file of worldFiles(path)) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain('Contains the secret key of a world, full card numbers');
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);

    const second = await start('--state', path, '--key', 'mine');
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
    const path = newPath();
    const first = await start('--state', path);
    await call(first, 'sk_test_a', 'GET', '/charge');
    await stop(first);
    const second = await startOne(['--port', '0', '--state', path, '--scenario', 'lost-answer']);
    await second.until('stderr', 'apply only to new worlds');
    expect(second.printed.stderr).toContain('It has 1 world;');
  });

  test('a clock in real time goes on while the server is away, any other waits', async () => {
    const path = newPath();
    const options = { clock: { mode: 'real' as const, start: Date.parse('2030-01-01T00:00:00Z') } };
    const before = createInnerSandbox(NODE_HOST, options);
    const keys = ['sk_test_real', 'sk_test_manual'];
    for (const key of keys) before.worlds.open(key);
    await before.worlds.find('sk_test_manual')?.advance({ by: 0 }, { mode: 'manual', rate: 0 });
    const keeper = await WorldKeeper.open(before.worlds, new FolderStore(path));
    expect(await keeper.end()).toBe(true);
    const hour = 3_600_000;
    for (const file of worldFiles(path)) {
      const world = JSON.parse(readFileSync(file, 'utf8'));
      world.At = new Date(Date.parse(world.At) - hour).toISOString();
      writeFileSync(file, JSON.stringify(world));
    }

    const after = createInnerSandbox(NODE_HOST, options);
    await WorldKeeper.open(after.worlds, new FolderStore(path));
    const [real = 0, manual = 0] = await Promise.all(
      keys.map(async (key) => (await after.worlds.bring(key)).clock.now()),
    );
    expect(real - manual).toBeGreaterThanOrEqual(hour);
    expect(manual).toBeLessThan(Date.parse('2030-01-01T00:10:00Z'));
    before.close();
    after.close();
  });

  test('a file is a bad option: refused with its name, and it stays as it is', async () => {
    const path = newPath();
    const text = '{}';
    writeFileSync(path, text);
    const { code, stderr, stdout } = await runProgram(['--port', '0', '--state', path]).ended;
    expect(stderr).toBe(`playmoney: --state: ${path} is not a folder. Name a new or an empty folder\n`);
    expect([stdout, code, readFileSync(path, 'utf8')]).toEqual(['', 2, text]);
    expect(readdirSync(folder).filter((name) => name.includes('lock'))).toEqual([]);
  });
});
