import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, expect, test } from 'vitest';

import { buildIfMissing, runProgram, startProgram, type Started } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'playmoney-health-'));
let server: Started | null = null;

beforeAll(buildIfMissing);
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['HTTP', []],
  ['HTTPS, whoever is trusted', ['--https', '--tls-dir', folder]],
  ['a guarded control plane', ['--admin-token', 'T']],
])('health exits with 0 where the server is ready: %s', async (_, options) => {
  server = await startProgram(['--port', '0', '--quiet', ...options]);
  const { code, stdout } = await runProgram(['health', '--url', server.url]).ended;
  expect(stdout).toBe(`${server.url} answers 200\n`);
  expect(code).toBe(0);
});

test('health looks for the server of its container by the environment, and exits with 1 where none answers', async () => {
  const { port, child, ended } = await startProgram(['--port', '0', '--quiet']);
  const env = { PLAYMONEY_HOST: '0.0.0.0', PORT: String(port) };
  expect(await runProgram(['health'], env).ended).toMatchObject({
    code: 0,
    stdout: `http://127.0.0.1:${port} answers 200\n`,
  });
  child.kill('SIGKILL');
  await ended;
  const { code, stderr } = await runProgram(['health'], env).ended;
  expect(stderr).toContain(`playmoney: nothing answers at http://127.0.0.1:${port} (`);
  expect(code).toBe(1);
});
