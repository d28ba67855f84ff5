import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { readScenarioText } from '../../src/scenarios/file/file.js';
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
const ports = { receiver: 0, nobody: 0 };

/** A port that closes every connection. It belongs to the receiver, because the commands below block this process. */
const NOBODY = `import { createServer as listenTo } from 'node:net';
const nobody = listenTo((socket) => socket.destroy());
nobody.listen(0, '127.0.0.1', () => console.log('ready', nobody.address().port));
`;

const withPorts = (text: string): string =>
  text.replaceAll('4999', String(ports.receiver)).replaceAll('4998', String(ports.nobody));

beforeAll(async () => {
  buildIfMissing();
  ports.receiver = await freePort();
  const [, code = ''] = /```js\n(import \{ createHmac[^]*?)```/.exec(page) ?? [];
  writeFileSync(RECEIVER, `${withPorts(code)}\n${NOBODY}`);
  receiver = spawn(process.execPath, [RECEIVER]);
  await new Promise<void>((resolve) => {
    receiver.stdout?.on('data', (bytes: Buffer) => {
      received += bytes.toString();
      if (received.includes('\n')) resolve();
    });
  });
  ports.nobody = Number(/^ready (\d+)\n/.exec(received)?.[1]);
  const [, secret = ''] = /--webhook-secret '(.*)'/.exec(page) ?? [];
  server = await startProgram(['--port', '0', '--clock', 'manual', '--quiet', '--webhook-secret', secret]);
});

afterAll(() => {
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
  expect(received).toBe(`ready ${ports.nobody}\ntransaction.status.changed SUCCESS\n`);
});

test('The scenario of the page is taken as it is.', async () => {
  const [, text = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(await readScenarioText(text, 'page')).toHaveProperty('scenario');
});
