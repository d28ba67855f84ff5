import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readScenarioText } from '../../src/scenarios/file.js';
import { buildIfMissing, startProgram, type Started } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { expectAnswers, runExample } from '../support/readme.js';
import { freePort } from '../support/socket.js';

const PAGE = fileURLToPath(new URL('../../docs/guides/webhooks.md', import.meta.url));
const RECEIVER = join(temporaryFolder(), 'receiver.mjs');

const page = readFileSync(PAGE, 'utf8');
let server: Started;
let receiver: ChildProcess;
let received = '';
const nobody = createServer((socket) => socket.destroy());
const ports = { receiver: 0, nobody: 0 };

const withPorts = (text: string): string =>
  text.replaceAll('4999', String(ports.receiver)).replaceAll('4998', String(ports.nobody));

beforeAll(async () => {
  buildIfMissing();
  ports.receiver = await freePort();
  // A port that was only free a moment ago may have been taken by another test since.
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  ports.nobody = (nobody.address() as AddressInfo).port;
  const [, code = ''] = /```js\n(import \{ createHmac[^]*?)```/.exec(page) ?? [];
  writeFileSync(RECEIVER, `${withPorts(code)}\nconsole.log('ready');\n`);
  receiver = spawn(process.execPath, [RECEIVER]);
  await new Promise<void>((resolve) => {
    receiver.stdout?.on('data', (bytes: Buffer) => {
      received += bytes.toString();
      if (received.includes('ready')) resolve();
    });
  });
  const [, secret = ''] = /--webhook-secret '(.*)'/.exec(page) ?? [];
  server = await startProgram(['--port', '0', '--clock', 'manual', '--quiet', '--webhook-secret', secret]);
});

afterAll(() => {
  nobody.close();
  server.child.kill();
  receiver.kill();
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
