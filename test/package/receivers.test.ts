import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';
import { freePort } from '../support/socket.js';
import { blocksOf } from './consumer.js';
import { has } from './programs.js';

const folder = temporaryFolder();
const receivers: ChildProcess[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.kill();
});

/** The receiver that the page has in a language, after the program that charges. */
function receiverIn(language: string, port: number): string {
  return (blocksOf('docs/guides/recipes.md', language)[1] ?? '').replace('4999', String(port));
}

const run = (command: string, ...args: string[]): Buffer => execFileSync(command, args, { cwd: folder });

async function start(port: number, command: string, ...args: string[]): Promise<void> {
  const receiver = spawn(command, args, { cwd: folder, stdio: 'inherit' });
  receivers.push(receiver);
  for (;;) {
    if (receiver.exitCode !== null) throw new Error(`${command} ended with ${receiver.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What the receiver on a port answers to webhooks that are signed with a secret. */
async function answerTo(port: number, webhookSecret: string | null): Promise<unknown> {
  using sandbox = createSandbox({ clock: 'manual', webhookSecret });
  const world = sandbox.world();
  const Webhook = { Url: `http://127.0.0.1:${port}/hook` };
  await world.fetch('/charge/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: 'Zoë', Webhook }),
  });
  await world.settle();
  return (await world.deliveries.list())[0]?.responseStatus;
}

/** The secret of the page's receivers is that with which it starts the sandbox. */
async function expectVerifying(port: number): Promise<void> {
  const [, secret = ''] =
    /--webhook-secret '(.*)'/.exec(blocksOf('docs/guides/recipes.md', 'sh').join('')) ?? [];
  expect(await answerTo(port, secret)).toBe(204);
  expect(await answerTo(port, `${secret}x`)).toBe(401);
  expect(await answerTo(port, null)).toBe(401);
}

describe('the receiver of the recipe', () => {
  test.skipIf(!has('java'))(
    'of Java verifies a delivery',
    async () => {
      const port = await freePort();
      writeFileSync(join(folder, 'Receiver.java'), receiverIn('java', port));
      await start(port, 'java', 'Receiver.java');
      await expectVerifying(port);
    },
    60_000,
  );

  test.skipIf(!has('php'))('of PHP verifies a delivery', async () => {
    const port = await freePort();
    writeFileSync(join(folder, 'receiver.php'), receiverIn('php', port));
    await start(port, 'php', '-S', `127.0.0.1:${port}`, 'receiver.php');
    await expectVerifying(port);
  });

  test.skipIf(!has('mcs') || !has('mono'))(
    'of .NET verifies a delivery',
    async () => {
      const port = await freePort();
      writeFileSync(join(folder, 'Receiver.cs'), receiverIn('csharp', port));
      run('mcs', 'Receiver.cs');
      await start(port, 'mono', 'Receiver.exe');
      await expectVerifying(port);
    },
    120_000,
  );
});
