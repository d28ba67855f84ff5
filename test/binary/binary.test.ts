import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';

/** The executable as `npm run binary` makes it, in an environment that is empty and has no Node. */

const ROOT = join(import.meta.dirname, '../..');
const BINARY = join(ROOT, 'dist-binary/playmoney');
const KEY = { 'x-secretkey': 'sk_test_binary', 'content-type': 'application/json' };
/** What the commands of the tests run. */
const COMMANDS = ['sh', 'curl', 'python3'].filter((name) => existsSync(`/usr/bin/${name}`));

const run = promisify(execFile);

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmoney-binary-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const name of COMMANDS) await symlink(`/usr/bin/${name}`, join(bin, name));
  env = { PATH: bin };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const playmoney = (...args: string[]) => run(BINARY, args, { env, cwd: folder });

/** A charge, as curl sends it under `exec`. */
const CURL = `curl -s -w '%{http_code}' "$PLAYMONEY_URL/charge/card" -H "x-secretkey: $PLAYMONEY_KEY" \
  -H 'content-type: application/json' -d '${JSON.stringify(charge('order-1'))}'`;

function charge(Reference: string, more: object = {}): object {
  return { Amount: 15.5, ProviderId: STEADY, Reference, PaymentInformation: cardOf(), ...more };
}

/** Starts a server, and stops it after `use`, which can read what Node notes about its threads. */
async function withServer(
  args: string[],
  use: (url: string, notes: () => string) => Promise<void>,
): Promise<void> {
  const options = { env: { ...env, NODE_DEBUG: 'worker' }, cwd: folder };
  const child = spawn(BINARY, [...args, '--port', '0', '--quiet'], options);
  let notes = '';
  child.stderr.on('data', (piece: Buffer) => (notes += piece.toString()));
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      await use(/http:\S+/.exec(line)?.[0] ?? '', () => notes);
      break;
    }
  } finally {
    child.kill();
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code).toBe(0);
}

test('another build has the same bytes', async () => {
  const hash = async () =>
    createHash('sha256')
      .update(await readFile(BINARY))
      .digest('hex');
  const before = await hash();
  await run(process.execPath, [join(ROOT, 'build/binary/build.mjs')], { cwd: ROOT });
  expect(await hash()).toBe(before);
}, 300_000);

test('its compiled code is used: V8 warns of a cache that it refuses', async () => {
  const version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await playmoney('--version')).toEqual({ stdout: `${version.version}\n`, stderr: '' });
});

describe('without Node', () => {
  test('a command runs with a server of its own, and its exit code is returned', async () => {
    await expect(playmoney('exec', '--', 'sh', '-c', 'command -v node')).rejects.toMatchObject({ code: 127 });
    const { stdout, stderr } = await playmoney('exec', '--', 'sh', '-c', CURL);
    expect(stdout).toMatch(/"Status":"SUCCESS".*201$/);
    expect(stderr).toBe('playmoney: 1 request, no warnings.\n');
    await expect(playmoney('exec', '--', 'sh', '-c', 'exit 7')).rejects.toMatchObject({ code: 7 });
  });

  test.skipIf(!COMMANDS.includes('python3'))('a test in Python charges a card', async () => {
    const program = `
import json, os, urllib.request
request = urllib.request.Request(os.environ['PLAYMONEY_URL'] + '/charge/card', json.dumps(${JSON.stringify(charge('order-1')).replace('null', 'None')}).encode(),
    {'x-secretkey': os.environ['PLAYMONEY_KEY'], 'content-type': 'application/json'})
print(json.load(urllib.request.urlopen(request))['Status'])`;
    const { stdout } = await playmoney('exec', '--', 'python3', '-c', program);
    expect(stdout).toBe('SUCCESS\n');
  });

  test('the scenarios of the library are inside', async () => {
    const files = (await readdir(join(ROOT, 'scenarios'))).filter((file) => file.endsWith('.yaml'));
    const { stdout } = await playmoney('scenarios', '--json');
    const names = (JSON.parse(stdout) as { Name: string }[]).map(({ Name }) => `${Name}.yaml`);
    expect(names).toEqual(files.toSorted());
    // 52: the server closed the connection without an answer.
    const lost = playmoney('exec', '--scenario', 'lost-answer', '--', 'sh', '-c', CURL);
    await expect(lost).rejects.toMatchObject({ code: 52 });
  });

  test('a file with a scenario is checked', async () => {
    const { stdout } = await playmoney('check', join(ROOT, 'scenarios/happy-path.yaml'));
    expect(stdout).toMatch(/happy-path\.yaml: ok\n$/);
  });

  test('pages and the description are inside', async () => {
    await withServer([], async (url) => {
      const dashboard = await (await fetch(`${url}/_sandbox`)).text();
      const [, script = ''] = /src="([^"]+\.js[^"]*)"/.exec(dashboard) ?? [];
      expect(script).toContain('dashboard');
      expect((await fetch(new URL(script, url))).status).toBe(200);
      expect(await (await fetch(`${url}/_sandbox/openapi.json`)).json()).toHaveProperty('openapi');
    });
  });

  test('webhooks are delivered, on a thread of their own', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    await withServer([], async (url, notes) => {
      const send = async (path: string, body: object) =>
        (await fetch(url + path, { method: 'POST', headers: KEY, body: JSON.stringify(body) })).status;
      for (let n = 1; n <= 3; n++) {
        const Webhook = { Url: `http://127.0.0.1:${port}/${n}` };
        expect(await send('/charge/card', charge(`order-${n}`, { Webhook }))).toBe(201);
        expect(await send('/_sandbox/settle', {})).toBe(200);
      }
      await vi.waitFor(() => expect(notes()).toMatch(/starts worker script (?:import ")?data:/), 60_000);
    });
    receiver.close();
    expect(received).toEqual(['/1', '/2', '/3']);
  });

  test('worlds are saved, and are there after a restart', async () => {
    const state = ['--state', join(folder, 'state')];
    await withServer(state, async (url) => {
      const init = { method: 'POST', headers: KEY, body: JSON.stringify(charge('kept')) };
      expect((await fetch(`${url}/charge/card`, init)).status).toBe(201);
    });
    await withServer(state, async (url) => {
      const found = await fetch(`${url}/charge?Reference=kept`, { headers: KEY });
      expect(await found.json()).toMatchObject({ Count: 1 });
    });
  });
});
