import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readScenarioText } from '../../src/node/cli/scenario-file.js';
import { buildIfMissing, startProgram, type Started } from '../node/cli/program.js';
import { expectAnswers, runExample } from '../support/readme.js';

const PAGE = fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url));
/** Within the project, since it imports a package of it. */
const RECEIVER = fileURLToPath(new URL('page-receiver.tmp.mjs', import.meta.url));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const page = readFileSync(PAGE, 'utf8');
let server: Started;
let receiver: ChildProcess;
let received = '';
const ports = { receiver: 0, nobody: 0 };

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const withPorts = (text: string): string =>
  text.replaceAll('4999', String(ports.receiver)).replaceAll('4998', String(ports.nobody));

beforeAll(async () => {
  buildIfMissing();
  ports.receiver = await freePort();
  ports.nobody = await freePort();
  const [, code = ''] = /```js\n(import \{ createServer \}[^]*?)```/.exec(page) ?? [];
  writeFileSync(RECEIVER, `${withPorts(code)}\nconsole.log('ready');\n`);
  receiver = spawn(process.execPath, [RECEIVER]);
  await new Promise<void>((resolve) => {
    receiver.stdout?.on('data', (bytes: Buffer) => {
      received += bytes.toString();
      if (received.includes('ready')) resolve();
    });
  });
  server = await startProgram(['--port', '0', '--clock', 'manual', '--quiet', '--webhook-secret', SECRET]);
});

afterAll(() => {
  server.child.kill();
  receiver.kill();
  rmSync(RECEIVER, { force: true });
});

test('Each command of the page gets the answer that stands below it, and its receiver the webhooks.', () => {
  expectAnswers(PAGE, (command) =>
    runExample(withPorts(command), { 'http://127.0.0.1:4010': server.url }, '.'),
  );
});

test('The receiver of the page verifies what it gets.', async () => {
  while (!received.includes('transaction')) await new Promise((resolve) => setImmediate(resolve));
  expect(received).toBe('ready\ntransaction.status.changed SUCCESS\n');
});

test('The scenario of the page is taken as it is.', async () => {
  const [, text = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(await readScenarioText(text, 'page')).toHaveProperty('scenario');
});
