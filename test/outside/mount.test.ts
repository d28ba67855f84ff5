import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connect } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';
import { expectAnswers, runExample, writeFiles } from '../support/readme.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/guides/mount.md');
const folder = temporaryFolder();
const children: ChildProcess[] = [];

beforeAll(() => {
  writeFiles(readFileSync(PAGE, 'utf8'), folder);
  mkdirSync(join(folder, 'node_modules/@hono'), { recursive: true });
  const packages = {
    playmoney: ROOT,
    express: join(import.meta.dirname, 'node_modules/express'),
    hono: join(ROOT, 'node_modules/hono'),
    '@hono/node-server': join(ROOT, 'node_modules/@hono/node-server'),
  };
  for (const [name, path] of Object.entries(packages)) symlinkSync(path, join(folder, 'node_modules', name));
});
afterAll(() => children.forEach((child) => child.kill()));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}

/** Starts a recipe, and waits until it answers. */
async function started(...args: readonly string[]): Promise<string> {
  const port = await freePort();
  const words = args.map((arg) => arg.replace('PORT', String(port)));
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (
    child.exitCode === null &&
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
  return url;
}

const RECIPES = [
  ['hono', ['hono.mjs']],
  ['express', ['express.mjs']],
  [
    'vite',
    [join(ROOT, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', 'PORT', '--strictPort'],
  ],
] as const;

describe.each(RECIPES)('The recipe for %s', (name, command) => {
  let url: string;
  beforeAll(async () => {
    url = await started(...command);
  });

  test('serves charges, pages and links below the path', async () => {
    const world = connect(`${url}/pay`, { key: 'sk_test_mounted' });
    const headers = { 'content-type': 'application/json' };
    const charge = { method: 'POST', headers, body: JSON.stringify({ Amount: 20, Token: 'tok_approve' }) };
    expect((await world.fetch('/charge/token', charge)).status).toBe(201);
    expect(await world.charges()).toMatchObject([{ Amount: 20, Status: 'SUCCESS' }]);
    const link = { method: 'POST', headers, body: JSON.stringify({ Amount: 20, Title: 'A chair' }) };
    const { Url } = (await (await world.fetch('/payment_link', link)).json()) as { readonly Url: string };
    expect(Url.startsWith(`${url}/pay/_sandbox/pay/`)).toBe(true);
    for (const page of [Url, `${url}/pay/_sandbox`]) {
      const html = await (await fetch(page)).text();
      const [, script = ''] = /<script src="(\/pay\/_sandbox\/\w+\.js)"/.exec(html) ?? [];
      expect((await fetch(url + script)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    }
  });

  test.runIf(name === 'express')('closes the connection when an answer is lost', async () => {
    const world = connect(`${url}/pay`, { key: 'sk_test_lost' });
    const headers = { 'content-type': 'application/json', 'x-sandbox-fault': 'reset; phase=after' };
    const body = JSON.stringify({ Amount: 20, Token: 'tok_approve' });
    await expect(world.fetch('/charge/token', { method: 'POST', headers, body })).rejects.toThrow(
      'fetch failed',
    );
    expect(await world.charges()).toHaveLength(1);
  });

  test.runIf(name === 'hono')('gives the answers of the page', () => {
    expectAnswers(PAGE, (text) => runExample(text, { 'http://127.0.0.1:3000': url }, folder));
  });
});

test('The recipe for next answers with the path in front', async () => {
  const { GET } = (await import(pathToFileURL(join(folder, 'route.js')).href)) as {
    readonly GET: (request: Request) => Promise<Response>;
  };
  const answer = await GET(new Request('http://localhost:3000/pay/_sandbox/health'));
  expect(answer.status).toBe(200);
});
