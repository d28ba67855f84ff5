import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, expect, test } from 'vitest';

import { copyOfCheckout } from './checkout.js';

const folder = copyOfCheckout();
const started: ChildProcess[] = [];

afterAll(async () => {
  const ended = started.map((child) => once(child, 'close'));
  // The whole group: npm, its shell and the program.
  for (const { pid = 0 } of started) process.kill(-pid, 'SIGKILL');
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
});

/** Builds and starts the program of the folder, as a reader of the README does; its address. */
async function npmStart(): Promise<string> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--quiet'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^playmoney listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('npm start ended before the program was ready');
}

function change(name: string, edit: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

const versionOf = async (url: string): Promise<unknown> =>
  ((await (await fetch(`${url}/_sandbox/health`)).json()) as { Version: unknown }).Version;

test('Two that build and start at once both work, and load what they need when a third has built other sources.', async () => {
  const [one, other] = await Promise.all([npmStart(), npmStart()]);
  const before = await versionOf(one);
  change('package.json', (text) => text.replace(`"version": "${String(before)}"`, '"version": "9.9.9"'));
  // What the others have not loaded yet has another name now.
  change('src/scenarios/file/schema.ts', (text) => `${text}export const CHANGED = true;\n`);
  expect(await versionOf(await npmStart())).toBe('9.9.9');
  for (const url of [one, other]) {
    expect(await versionOf(url)).toBe(before);
    const scenario = await fetch(`${url}/_sandbox/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-secretkey': 'sk_test_a' },
      body: '{"Name":"shop-with-customers"}',
    });
    expect(await scenario.json()).toMatchObject({ Scenario: 'shop-with-customers' });
    expect((await fetch(`${url}/_sandbox/reference`)).status).toBe(200);
  }
});
