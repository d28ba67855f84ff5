import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../support/folder.js';
import { runProgram } from '../program.js';
import { startingPrograms } from '../starting.js';

const start = startingPrograms();
const folder = temporaryFolder();

test.each([
  ['HTTP', []],
  ['HTTPS, whoever is trusted', ['--https', '--tls-dir', folder]],
  ['a guarded control plane', ['--admin-token', 'T']],
])('health exits with 0 where the server is ready: %s', async (_, options) => {
  const server = await start(['--port', '0', '--quiet', ...options]);
  const { code, stdout } = await runProgram(['health', '--url', server.url]).ended;
  expect(stdout).toBe(`${server.url} returned 200\n`);
  expect(code).toBe(0);
});

test('health finds the server of its container by the environment, and exits with 1 if none answers', async () => {
  const { port, child, ended } = await start(['--port', '0', '--quiet']);
  const env = { PLAYMONEY_HOST: '0.0.0.0', PORT: String(port) };
  expect(await runProgram(['health'], env).ended).toMatchObject({
    code: 0,
    stdout: `http://127.0.0.1:${port} returned 200\n`,
  });
  child.kill('SIGKILL');
  await ended;
  const { code, stderr } = await runProgram(['health'], env).ended;
  expect(stderr).toContain(`playmoney: no server at http://127.0.0.1:${port}. Start one with `);
  expect(code).toBe(1);
});
