import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox } from '../../../src/sandbox.js';
import { doctor, programFindings } from '../../../src/node/doctor/doctor.js';
import { environmentFindings } from '../../../src/node/doctor/environment.js';
import type { Finding } from '../../../src/node/doctor/finding.js';
import { NODE_HOST } from '../../../src/node/http/host.js';
import { parseCommand } from '../../../src/node/cli/parse.js';
import { type Listening, serve } from '../../../src/node/http/serve.js';
import { VERSION } from '../../../src/version.js';
import { buildIfMissing, runProgram } from '../cli/program.js';

const folder = mkdtempSync(join(tmpdir(), 'playmoney-doctor-'));
const open: { close(): unknown }[] = [];

interface Seen {
  readonly isWell: boolean;
  readonly findings: readonly Finding[];
}

/** What the doctor finds; no finding of the server where a port is free. */
async function examine(args: readonly string[], env: Record<string, string> = {}): Promise<Seen> {
  const command = parseCommand(['doctor', '--json', ...args], env);
  if (command.verb !== 'doctor') throw new Error('not the doctor');
  const { text, exitCode } = await doctor(command.options, env);
  const isWell = exitCode === 0;
  const { Ok, Findings } = JSON.parse(text) as {
    Ok: boolean;
    Findings: { Name: string; Status: Finding['status']; Message: string }[];
  };
  expect(Ok).toBe(isWell);
  return {
    isWell,
    findings: Findings.map(({ Name, Status, Message }) => ({ name: Name, status: Status, message: Message })),
  };
}

function found({ findings }: Seen, name: string): Finding | undefined {
  return findings.find((one) => one.name === name);
}

async function sandbox(): Promise<Listening> {
  const made = createSandbox(NODE_HOST, { clock: { mode: 'manual' }, dialect: 'sdk', adminToken: 'T' });
  const listening = await serve(made, { port: 0, host: '127.0.0.1' });
  open.push(listening);
  return listening;
}

async function stranger(): Promise<number> {
  const server: Server = createServer((_, response) => response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

/** A port that nobody holds. */
async function freePort(): Promise<string> {
  const port = await stranger();
  await new Promise((resolve) => (open.pop() as Server).close(resolve));
  return String(port);
}

beforeAll(buildIfMissing);
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('doctor', () => {
  test('is content with a machine on which nothing runs', async () => {
    const port = await freePort();
    const seen = await examine(['--port', port]);
    expect(seen.isWell).toBe(true);
    expect(seen.findings).toEqual([
      { name: 'playmoney', status: 'ok', message: VERSION },
      { name: 'node', status: 'ok', message: process.versions.node },
      { name: 'server', status: 'note', message: `none answers at http://127.0.0.1:${port}` },
      { name: 'port', status: 'ok', message: `${port} of 127.0.0.1 is free` },
    ]);
  });

  test('prints a line each and exits with 0, or with 1 where something needs attention', async () => {
    const port = await freePort();
    const well = await runProgram(['doctor', '--port', port]).ended;
    expect(well.stdout).toMatch(
      /^ok {2}playmoney {2}\d.*\nok {2}node .*\n-- {2}server .*\nok {2}port .*\n\nAll is well\.\n$/,
    );
    expect(well.code).toBe(0);
    const ill = await runProgram(['doctor', '--port', port], { PLAYMONEY_SEDE: '1' }).ended;
    expect(ill.stdout).toContain('!!  PLAYMONEY_SEDE  is not read; did you mean PLAYMONEY_SEED?\n');
    expect(ill.stdout).toMatch(/\n1 thing needs attention\.\n$/);
    expect(ill.code).toBe(1);
  });

  test('tells of a server that answers, and of the world of the key', async () => {
    const { url, port } = await sandbox();
    const seen = await examine(['--port', String(port), '--admin-token', 'T']);
    expect(found(seen, 'server')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(
        `^playmoney ${VERSION} on Node .* at ${url}, up for \\d+ seconds?, 0 worlds$`,
      ),
    });
    expect(found(seen, 'world')?.message).toBe(
      'the world df5a2060d5a6 of sk_test_local: clock manual at 2026-01-01T00:00:00.000Z, no scenario, dialect sdk, seed 1',
    );
    expect(seen.isWell).toBe(true);
  });

  test('a server that guards its control plane is told of with what it says', async () => {
    const { url } = await sandbox();
    const seen = await examine(['--url', url]);
    expect(found(seen, 'world')).toMatchObject({
      status: 'attention',
      message: expect.stringContaining('send its admin token'),
    });
    expect(found(await examine(['--url', url], { PLAYMONEY_ADMIN_TOKEN: 'T' }), 'world')?.status).toBe('ok');
  });

  test('a server over https that is looked for over http is found all the same', async () => {
    const made = createSandbox(NODE_HOST);
    const { port, close } = await serve(made, {
      port: 0,
      host: '127.0.0.1',
      https: { dir: join(folder, 'own') },
    });
    open.push({ close });
    expect(found(await examine(['--port', String(port)]), 'server')).toMatchObject({
      status: 'attention',
      message: `answers at https://127.0.0.1:${port} alone; call it there`,
    });
  });

  test('a port that another program holds needs attention', async () => {
    const port = await stranger();
    const seen = await examine(['--port', String(port)]);
    expect(found(seen, 'server')?.message).toContain('is it playmoney?');
    expect(found(seen, 'port')?.message).toContain(
      `${port} of 127.0.0.1 cannot be had: another program may hold it`,
    );
    expect(seen.isWell).toBe(false);
  });

  test('an address that was given and where nothing answers needs attention', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(found(await examine(['--url', url]), 'server')).toMatchObject({
      status: 'attention',
      message: expect.stringContaining(`nothing answers at ${url}`),
    });
  });

  test.each([
    ['18.20.0', 'attention'],
    ['20.18.3', 'attention'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('Node %s: %s', (version, status) => {
    expect(programFindings(version)[1]?.status).toBe(status);
  });
});

describe('the environment', () => {
  test.each<[Record<string, string>, string, Finding['status'], string]>([
    [{ PLAYMONEY_SEED: '7' }, 'PLAYMONEY_SEED', 'ok', '"7"'],
    [{ PLAYMONEY_PORT: 'x' }, 'PLAYMONEY_PORT', 'attention', 'PLAYMONEY_PORT takes a whole number'],
    [{ PLAYMONEY_PORT: '' }, 'PLAYMONEY_PORT', 'note', 'is empty'],
    [{ PLAYMONEY_NOTHING_LIKE_IT: '1' }, 'PLAYMONEY_NOTHING_LIKE_IT', 'attention', 'there is no such option'],
    [{ PLAYMONEY_URL: 'http://127.0.0.1:1' }, 'PLAYMONEY_URL', 'ok', '"http://127.0.0.1:1"'],
    [{ PLAYMONEY_FAIL_ON_WARNINGS: '1' }, 'PLAYMONEY_FAIL_ON_WARNINGS', 'ok', '"1"'],
    [{ PLAYMONEY_KEY: 'sk_test_secret' }, 'PLAYMONEY_KEY', 'ok', 'is set'],
    [{ PLAYMONEY_KEY: '"sk_test_secret"' }, 'PLAYMONEY_KEY', 'attention', 'has quotes around its value'],
    [{ PLAYMONEY_KEY: 'sk_test_secret ' }, 'PLAYMONEY_KEY', 'attention', 'has blanks around its value'],
    [{ PLAYMONEY_KEY: 'pk_test_secret' }, 'PLAYMONEY_KEY', 'attention', 'holds a public key'],
    [{ PLAYMONEY_KEY: 'sk_live_secret' }, 'PLAYMONEY_KEY', 'attention', 'takes a secret key'],
    [
      { PLAYMONEY_JOURNAL: 'calls.txt' },
      'PLAYMONEY_JOURNAL',
      'attention',
      'takes a file that ends in .har or .json',
    ],
    [{ PLAYMONEY_FAIL_ON_WARNINGS: '1' }, 'PLAYMONEY_FAIL_ON_WARNINGS', 'ok', '"1"'],
    [{ PLAYMONEY_ADMIN_TOKEN: 'secret' }, 'PLAYMONEY_ADMIN_TOKEN', 'ok', 'is set'],
    [{ PORT: '5000' }, 'PORT', 'ok', '"5000" is the port of a start'],
    [{ PORT: 'x' }, 'PORT', 'attention', 'PORT takes a whole number'],
    [{ PORT: '1', PLAYMONEY_PORT: '2' }, 'PORT', 'note', 'is not read, since PLAYMONEY_PORT is set'],
    [{ HOST: 'box' }, 'HOST', 'note', '"box" is not read, since shells set it'],
    [{ HTTP_PROXY: 'http://p' }, 'HTTP_PROXY', 'attention', 'set NO_PROXY=127.0.0.1,localhost'],
    [{ all_proxy: 'http://p', no_proxy: 'localhost' }, 'all_proxy', 'attention', 'does not have 127.0.0.1'],
    [
      { https_proxy: 'http://p', NO_PROXY: 'localhost, 127.0.0.1' },
      'https_proxy',
      'ok',
      'spares this machine',
    ],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: '*' }, 'HTTP_PROXY', 'ok', 'spares this machine'],
  ])('%j: %s is %s', (env, name, status, message) => {
    const finding = environmentFindings(env).find((one) => one.name === name);
    expect(finding).toEqual({ name, status, message: expect.stringContaining(message) });
    expect(finding?.message).not.toContain('secret"');
  });

  test('options that mean nothing without another need attention', async () => {
    const seen = await examine(['--port', await freePort()], { PLAYMONEY_TLS_DIR: folder });
    expect(found(seen, 'options')).toMatchObject({
      status: 'attention',
      message: expect.stringContaining('--https was not given'),
    });
  });
});

describe('files', () => {
  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  test.each([
    ['a scenario that comes along', () => 'lost-answer', 'ok', 'lost-answer can be played'],
    ['a scenario that there is not', () => 'lost-anwser', 'attention', 'did you mean lost-answer?'],
    ['a broken scenario', () => file('bad.yaml', 'name: x\nrulez: []\n'), 'attention', 'bad.yaml:2:1: '],
  ])('%s', async (_, scenario, status, message) => {
    const seen = await examine(['--port', await freePort(), '--scenario', scenario()]);
    expect(found(seen, 'scenario')).toEqual({
      name: 'scenario',
      status,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['{"Format":"playmoney-worlds","Version":1,"Worlds":[]}', 'ok', 'It holds none yet'],
    ['{}', 'attention', 'is no file of worlds'],
  ])('a file of worlds %s: %s', async (text, status, message) => {
    const PLAYMONEY_STATE = file('worlds.json', text);
    const seen = await examine(['--port', await freePort()], { PLAYMONEY_STATE });
    expect(found(seen, 'state')).toEqual({
      name: 'state',
      status,
      message: expect.stringContaining(message),
    });
  });

  test('certificates: none yet, not trusted, trusted', async () => {
    const tls = join(folder, 'tls');
    const port = await freePort();
    const env = { PLAYMONEY_HTTPS: '1', PLAYMONEY_TLS_DIR: tls };
    expect(found(await examine(['--port', port], env), 'certificates')?.message).toContain(
      'the first start with --https makes it',
    );
    const { obtainCertificates } = await import('../../../src/node/tls/certificates.js');
    await obtainCertificates({ dir: tls, names: [] });
    const ca = join(tls, 'ca.pem');
    expect(found(await examine(['--port', port], env), 'certificates')).toMatchObject({
      status: 'attention',
      message: `${ca} is not trusted by programs on Node; set NODE_EXTRA_CA_CERTS=${ca}`,
    });
    const trusting = await examine(['--port', port], { ...env, NODE_EXTRA_CA_CERTS: ca });
    expect(found(trusting, 'certificates')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/ca\.pem is trusted \(NODE_EXTRA_CA_CERTS\), for \d+ days more$/),
    });
    expect(found(trusting, 'NODE_EXTRA_CA_CERTS')?.message).toBe(`${ca} holds 1 certificate`);
  });

  test('a file of certificates that holds none needs attention', async () => {
    const seen = await examine(['--port', await freePort()], { NODE_EXTRA_CA_CERTS: '/no/such.pem' });
    expect(found(seen, 'NODE_EXTRA_CA_CERTS')).toMatchObject({
      status: 'attention',
      message: expect.stringContaining('/no/such.pem cannot be read'),
    });
  });
});
