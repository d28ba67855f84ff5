import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { text as textIn } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connect } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';
import { expectAnswers, runExample, writeFiles } from '../support/readme.js';
import { freePort } from '../support/socket.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/guides/mount.md');
const folder = temporaryFolder();
const children: ChildProcess[] = [];

beforeAll(() => {
  writeFiles(readFileSync(PAGE, 'utf8'), folder);
  mkdirSync(join(folder, 'node_modules/@hono'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@koa'));
  const outside = ['express', 'compression', 'koa', '@koa/bodyparser', 'fastify', 'h3'];
  const packages = {
    playmoney: ROOT,
    ...Object.fromEntries(outside.map((name) => [name, join(import.meta.dirname, 'node_modules', name)])),
    hono: join(ROOT, 'node_modules/hono'),
    '@hono/node-server': join(ROOT, 'node_modules/@hono/node-server'),
  };
  for (const [name, text] of Object.entries(furtherRecipes())) writeFileSync(join(folder, name), text);
  for (const [name, path] of Object.entries(packages)) symlinkSync(path, join(folder, 'node_modules', name));
});
afterAll(() => children.forEach((child) => child.kill()));

/** The recipe for Express with what apps use before it, and one for h3. */
function furtherRecipes(): Record<string, string> {
  const recipe = readFileSync(join(folder, 'express.mjs'), 'utf8');
  const first = 'const app = express();';
  const before = `import compression from 'compression';\n${recipe}`;
  return {
    'parsing.mjs': before.replace(
      first,
      `${first}\napp.use(express.json(), express.urlencoded(), compression());`,
    ),
    'forgotten.mjs': recipe.replace("createSandbox({ basePath: '/pay' })", 'createSandbox()'),
    'h3.mjs': `import { H3, serve } from 'h3';
import { createSandbox } from 'playmoney';
const sandbox = createSandbox({ basePath: '/pay' });
const app = new H3().get('/', () => 'The shop').all('/pay/**', ({ req }) => sandbox.fetch(req));
serve(app, { port: process.env.PORT, hostname: '127.0.0.1', silent: true });`,
  };
}

/** What the recipes wrote to stderr. */
let said = '';

/** Starts a recipe, and waits until it answers. */
async function started(...args: readonly string[]): Promise<string> {
  const port = await freePort();
  const words = args.map((arg) => arg.replace('PORT', String(port)));
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  children.push(child);
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
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
  ['express behind parsers and compression', ['parsing.mjs']],
  ['koa', ['koa.mjs']],
  ['fastify', ['fastify.mjs']],
  ['h3', ['h3.mjs']],
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

  test('streams live events from the beginning', async () => {
    const headers = { 'x-secretkey': 'sk_test_live', 'accept-encoding': 'gzip' };
    const { body } = await fetch(`${url}/pay/_sandbox/live`, { headers });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: world');
    await reader.cancel();
  });

  test('begins links with the Host that the client sent, and refuses names of strangers', async () => {
    const call = async (host: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { host, 'x-secretkey': 'sk_test_host', 'content-type': 'application/json' };
        const sent = request(`${url}/pay/payment_link`, { method: 'POST', headers }, (answer) => {
          void textIn(answer).then(resolve, reject);
        });
        sent.on('error', reject).end('{"Title":"A chair"}');
      });
    expect(await call('pay.localhost:81')).toContain('"Url":"http://pay.localhost:81/pay/_sandbox/pay/');
    // Vite refuses it before the sandbox.
    expect(await call('evil.com')).toMatch(/in a program with the option allowedHosts|Blocked request/);
  });

  test('writes nothing to stderr when a client leaves while it sends', async () => {
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
    const head = 'POST /pay/charge/token HTTP/1.1\r\nHost: localhost\r\nx-secretkey: sk_test_gone';
    socket.end(`${head}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"Amount":`);
    await once(socket.resume(), 'close');
    // A whole call later, the one before has ended.
    expect((await fetch(`${url}/pay/_sandbox/health`)).status).toBe(200);
    expect(said).not.toMatch(/internal error|aborted|at .*\.js/);
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

test('A body that cannot be restored is refused with its parser, and a forgotten basePath is reported', async () => {
  const headers = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_parsed' };
  const body = '{"Amount":20.10,"Token":"tok_approve"}';
  const parsing = await started('parsing.mjs');
  const answer = await fetch(`${parsing}/pay/charge/token`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('express.json()')]);
  const forgotten = await started('forgotten.mjs');
  expect((await fetch(`${forgotten}/pay/charge/token`, { method: 'POST', headers, body })).status).toBe(201);
  expect(said).toContain('the sandbox is mounted under /pay, but its basePath is ""');
});

test('The recipe for vite keeps the worlds when its configuration is loaded again', async () => {
  const config = pathToFileURL(join(folder, 'vite.config.mjs')).href;
  await import(`${config}?first`);
  const { playmoneySandbox: first } = globalThis as { playmoneySandbox?: unknown };
  await import(`${config}?second`);
  expect(first).toBeDefined();
  expect(globalThis).toHaveProperty('playmoneySandbox', first);
});

test('The recipe for next answers with the path in front', async () => {
  const { GET } = (await import(pathToFileURL(join(folder, 'route.js')).href)) as {
    readonly GET: (request: Request) => Promise<Response>;
  };
  const answer = await GET(new Request('http://localhost:3000/pay/_sandbox/health'));
  expect(answer.status).toBe(200);
});
