import { createServer } from 'node:http';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { parseCommand } from '../../../src/node/cli/parse.js';
import { runDoctor, checkProgram } from '../../../src/node/doctor/doctor.js';
import { checkEnvironment } from '../../../src/node/doctor/environment.js';
import type { DoctorFinding } from '../../../src/node/doctor/finding.js';
import { obtainCertificates } from '../../../src/node/tls/certificates.js';
import { VERSION } from '../../../src/core/version.js';
import { portOf, sandboxServed } from '../../support/serving.js';
import { freePort } from '../../support/socket.js';
import { buildIfMissing, runProgram } from '../cli/program.js';
import { folder } from '../../support/folder.js';
import { fileWith, server } from '../replay/support.js';

/** What the doctor found, as `status: message` by name. */
interface Seen {
  readonly isWell: boolean;
  readonly found: Readonly<Record<string, string>>;
}

async function examine(args: readonly string[], env: Record<string, string> = {}): Promise<Seen> {
  const command = parseCommand(['doctor', '--json', ...args], env);
  if (command.verb !== 'doctor') throw new Error('not the doctor');
  const { text, exitCode } = await runDoctor(command.options, env);
  const { Ok, Findings } = JSON.parse(text) as {
    readonly Ok: boolean;
    readonly Findings: readonly { Name: string; Status: string; Message: string }[];
  };
  expect(Ok).toBe(exitCode === 0);
  const found = Findings.map(({ Name, Status, Message }) => [Name, `${Status}: ${Message}`]);
  return { isWell: Ok, found: Object.fromEntries(found) };
}

/** What the doctor finds where no server runs. */
async function examineAlone(env: Record<string, string>, ...args: readonly string[]): Promise<Seen['found']> {
  return (await examine(['--port', String(await freePort()), ...args], env)).found;
}

const guarded = () => server({ dialect: 'sdk', adminToken: 'T' });

beforeAll(buildIfMissing);

describe('doctor', () => {
  test('is content with a machine on which nothing runs', async () => {
    const port = await freePort();
    const { isWell, found } = await examine(['--port', String(port)]);
    expect(isWell).toBe(true);
    expect(Object.entries(found)).toEqual([
      ['playmoney', `ok: ${VERSION}`],
      ['node', `ok: ${process.versions.node}`],
      ['server', `note: no server at http://127.0.0.1:${port}`],
      ['port', `ok: ${port} of 127.0.0.1 is free`],
    ]);
  });

  test('prints a line each and exits with 0, or with 1 where something needs attention', async () => {
    const port = String(await freePort());
    const well = await runProgram(['doctor', '--port', port]).ended;
    expect(well.stdout).toMatch(
      /^ok {2}playmoney {2}\d.*\nok {2}node .*\n-- {2}server .*\nok {2}port .*\n\nNo problems found\.\n$/,
    );
    expect(well.code).toBe(0);
    const ill = await runProgram(['doctor', '--port', port], { PLAYMONEY_SEDE: '1' }).ended;
    expect(ill.stdout).toContain(
      '!!  PLAYMONEY_SEDE  unknown variable, ignored. Did you mean PLAYMONEY_SEED?\n',
    );
    expect(ill.stdout).toMatch(/\n1 item needs attention\.\n$/);
    expect(ill.code).toBe(1);
  });

  test('describes a server that answers, and the world of the key', async () => {
    const { url, port } = await guarded();
    const { isWell, found } = await examine(['--port', String(port), '--admin-token', 'T']);
    expect(found['server']).toMatch(
      new RegExp(`^ok: playmoney ${VERSION} on Node .* at ${url}, up for \\d+ seconds?, 0 worlds$`),
    );
    expect(found['world']).toBe(
      'ok: the world cf5a2060d5a6 of sk_test_local: clock manual at 2026-01-01T00:00:00.000Z, no scenario, dialect sdk, seed 1',
    );
    expect(isWell).toBe(true);
  });

  test('repeats what a server says that guards its control plane', async () => {
    const { url } = await guarded();
    expect((await examine(['--url', url])).found['world']).toMatch(
      /^attention: .*send it in the header x-sandbox-admin/,
    );
    const { found } = await examine(['--url', url], { PLAYMONEY_ADMIN_TOKEN: 'T' });
    expect(found['world']).toMatch(/^ok: /);
  });

  test('a server over https that is looked for over http is found all the same', async () => {
    const https = { dir: folder() };
    const { port } = await sandboxServed({}, { https });
    const { found } = await examine(['--port', String(port)]);
    expect(found['server']).toBe(`attention: answers only at https://127.0.0.1:${port}; call it there`);
  });

  test('a port that another program holds needs attention', async () => {
    const port = await portOf(createServer((_, response) => response.end('<html>')));
    const { isWell, found } = await examine(['--port', String(port)]);
    expect(found['server']).toContain('Is it a playmoney server?');
    expect(found['port']).toContain(`cannot listen on port ${port} of 127.0.0.1: another program may use it`);
    expect(isWell).toBe(false);
  });

  test('an address that was given and where nothing answers needs attention', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { found } = await examine(['--url', url]);
    expect(found['server']).toContain(`attention: no server at ${url}`);
  });

  test.each([
    ['18.20.0', 'attention'],
    ['20.18.3', 'attention'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('Node %s: %s', (version, status) => {
    expect(checkProgram(version)[1]?.status).toBe(status);
  });
});

describe('the environment', () => {
  test.each<[Record<string, string>, string, DoctorFinding['status'], string]>([
    [{ PLAYMONEY_SEED: '7' }, 'PLAYMONEY_SEED', 'ok', '"7"'],
    [{ PLAYMONEY_PORT: 'x' }, 'PLAYMONEY_PORT', 'attention', 'PLAYMONEY_PORT must be a whole number'],
    [{ PLAYMONEY_PORT: '' }, 'PLAYMONEY_PORT', 'note', 'is empty'],
    [{ PLAYMONEY_ADMIN_TOKEN: '' }, 'PLAYMONEY_ADMIN_TOKEN', 'attention', 'is empty; it must be printable'],
    [
      { PLAYMONEY_NOTHING_LIKE_IT: '1' },
      'PLAYMONEY_NOTHING_LIKE_IT',
      'attention',
      'unknown variable, ignored',
    ],
    [{ PLAYMONEY_URL: 'http://127.0.0.1:1' }, 'PLAYMONEY_URL', 'ok', '"http://127.0.0.1:1"'],
    [{ PLAYMONEY_FAIL_ON_WARNINGS: '1' }, 'PLAYMONEY_FAIL_ON_WARNINGS', 'ok', '"1"'],
    [{ PLAYMONEY_BUNDLES: 'failed' }, 'PLAYMONEY_BUNDLES', 'ok', '"failed", for fixtures of tests'],
    [{ PLAYMONEY_PROGRAM: 'npx a' }, 'PLAYMONEY_PROGRAM', 'ok', '"npx a", for fixtures of tests'],
    [{ PLAYMONEY_KEY: 'sk_test_secret' }, 'PLAYMONEY_KEY', 'ok', 'is set'],
    [{ PLAYMONEY_KEY: '"sk_test_secret"' }, 'PLAYMONEY_KEY', 'attention', 'has quotes around its value'],
    [{ PLAYMONEY_KEY: 'sk_test_secret ' }, 'PLAYMONEY_KEY', 'attention', 'has spaces around its value'],
    [{ PLAYMONEY_KEY: 'pk_test_secret' }, 'PLAYMONEY_KEY', 'attention', 'contains a public key'],
    [{ PLAYMONEY_KEY: 'sk_live_secret' }, 'PLAYMONEY_KEY', 'attention', 'must be a secret key'],
    [
      { PLAYMONEY_JOURNAL: 'calls.txt' },
      'PLAYMONEY_JOURNAL',
      'attention',
      'must be a file name that ends in .har or',
    ],
    [{ PLAYMONEY_ADMIN_TOKEN: 'secret' }, 'PLAYMONEY_ADMIN_TOKEN', 'ok', 'is set'],
    [{ PORT: '5000' }, 'PORT', 'ok', '"5000" sets the port of playmoney start'],
    [{ PORT: 'x' }, 'PORT', 'attention', 'PORT must be a whole number'],
    [{ PORT: '1', PLAYMONEY_PORT: '2' }, 'PORT', 'note', 'is ignored, because PLAYMONEY_PORT is set'],
    [{ HOST: 'box' }, 'HOST', 'note', '"box" is ignored, because shells set it'],
    [{ HTTP_PROXY: 'http://p' }, 'HTTP_PROXY', 'attention', 'set NO_PROXY=127.0.0.1,localhost'],
    [{ all_proxy: 'http://p', no_proxy: 'localhost' }, 'all_proxy', 'attention', 'lacks 127.0.0.1'],
    [
      { https_proxy: 'http://p', NO_PROXY: 'localhost, 127.0.0.1' },
      'https_proxy',
      'ok',
      'does not apply to this machine',
    ],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: '*' }, 'HTTP_PROXY', 'ok', 'does not apply to this machine'],
  ])('%j: %s is %s', (env, name, status, message) => {
    const finding = checkEnvironment(env).find((one) => one.name === name);
    expect(finding).toEqual({ name, status, message: expect.stringContaining(message) });
    expect(finding?.message).not.toContain('secret"');
  });

  test('options that mean nothing without another need attention', async () => {
    const { options } = await examineAlone({ PLAYMONEY_TLS_DIR: '/tls' });
    expect(options).toMatch(/^attention: .*--tls-dir needs --https/);
  });
});

describe('files', () => {
  test.each([
    ['a built-in scenario', () => 'lost-answer', /^ok: lost-answer is valid$/],
    ['an unknown scenario', () => 'lost-anwser', /^attention: .*Did you mean lost-answer\?/],
    [
      'a broken scenario',
      () => fileWith('name: x\nrulez: []\n', 'bad.yaml'),
      /^attention: .*bad\.yaml:2:1: /,
    ],
  ])('%s', async (_, given, expected) => {
    const { scenario } = await examineAlone({}, '--scenario', given());
    expect(scenario).toMatch(expected);
  });

  test.each([
    ['that is empty', folder, /^ok: .*It has no worlds yet/],
    ['that is a file', () => fileWith('{}', 'worlds.json'), /^attention: .*is not a folder/],
  ])('a folder for worlds %s', async (_, path, expected) => {
    const { state } = await examineAlone({ PLAYMONEY_STATE: path() });
    expect(state).toMatch(expected);
  });

  test('certificates: none yet, not trusted, trusted', async () => {
    const dir = join(folder(), 'tls');
    const ca = join(dir, 'ca.pem');
    const env = { PLAYMONEY_HTTPS: '1', PLAYMONEY_TLS_DIR: dir };
    expect((await examineAlone(env))['certificates']).toContain('the first start with --https creates it');
    await obtainCertificates({ dir, names: [] });
    expect((await examineAlone(env))['certificates']).toBe(
      `attention: programs on Node do not trust ${ca}; set NODE_EXTRA_CA_CERTS=${ca}`,
    );
    const found = await examineAlone({ ...env, NODE_EXTRA_CA_CERTS: ca });
    expect(found['certificates']).toMatch(
      /^ok: .*ca\.pem is trusted \(NODE_EXTRA_CA_CERTS\) and valid for \d+ more days$/,
    );
    expect(found['NODE_EXTRA_CA_CERTS']).toBe(`ok: ${ca} has 1 certificate`);
  });

  test('a certificate file without certificates needs attention', async () => {
    const found = await examineAlone({ NODE_EXTRA_CA_CERTS: '/no/such.pem' });
    expect(found['NODE_EXTRA_CA_CERTS']).toContain('attention: /no/such.pem cannot be read');
  });
});
