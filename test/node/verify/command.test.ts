import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { folder } from '../../support/folder.js';
import { portOf } from '../../support/serving.js';
import { buildIfMissing, runProgram, startProgram } from '../cli/program.js';

buildIfMissing();

const SUITE = `
const send = (path, body, headers = {}) => fetch(process.env.PLAYMONEY_URL + path, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-secretkey': process.env.PLAYMONEY_KEY, ...headers },
  body: JSON.stringify(body),
});
const PaymentInformation = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
const charge = { Amount: '20.00', ProviderId: 'a26c371f-94f6-40da-add2-28ec8e9da8ed', PaymentInformation };
await send('/charge/card', charge);
await send('/charge/card', { ...charge, Amount: '-1' });
process.exit(Number(process.argv[2] ?? 0));
`;

async function openSuite() {
  const service = await startProgram(['--port', '0', '--seed', 'another', '--quiet']);
  onTestFinished(() => void service.child.kill());
  const suite = join(folder(), 'suite.mjs');
  const file = join(folder(), 'shapes.json');
  await writeFile(suite, SUITE);
  const verify = (...args: readonly string[]) =>
    runProgram(['verify', ...args], { PATH: process.env['PATH'] ?? '' }).ended;
  return { service, file, verify, command: ['--', process.execPath, suite] };
}

describe('playmoney verify', () => {
  test('writes the shapes of a service, compares them, and then compares the file alone and again', async () => {
    const { service, file, verify, command } = await openSuite();
    const upstream = ['--upstream', service.url, '--key', 'sk_test_account'];
    const first = await verify(...upstream, '--out', file, ...command);
    expect([first.code, first.stdout]).toEqual([
      0,
      'POST /charge/card 201     same\nPOST /charge/card 400 74  same\nverify: 2 same, 0 differ, 0 not compared\n',
    ]);
    expect(first.stderr).toContain(`${file}: the shapes of 2 answers, without values`);
    const sum = 'verify: 2 same, 0 differ, 0 not compared\n';
    for (const args of [[file], [file, ...upstream, ...command], [file, ...command]]) {
      const again = await verify(...args);
      expect([again.code, again.stdout.slice(-sum.length)]).toEqual([0, sum]);
    }
    const merged = join(folder(), 'merged.json');
    expect((await verify('--merge', file, file, '--out', merged)).code).toBe(0);
    expect((await verify(merged, '--strict')).stdout).toContain(sum);
  });

  test.each([429, 500])('writes no answer of a service that answers %i', async (status) => {
    const { file, verify, command } = await openSuite();
    const busy = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"Code":35}');
    });
    const upstream = ['--upstream', `http://127.0.0.1:${await portOf(busy)}`, '--key', 'sk_test_account'];
    const { code, stdout } = await verify(...upstream, '--out', file, ...command);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('verify: 0 same, 0 differ, 1 not compared\n'),
    ]);
    expect(existsSync(file)).toBe(false);
  });

  test('ends with the code of a suite that failed, and says so', async () => {
    const { service, file, verify, command } = await openSuite();
    const ended = await verify(
      '--upstream',
      service.url,
      '--key',
      'sk_test_account',
      '--out',
      file,
      ...command,
      '7',
    );
    expect([ended.code, ended.stderr]).toEqual([
      7,
      expect.stringContaining(`the command failed with exit code 7, so ${file} was not written\n`),
    ]);
    expect(existsSync(file)).toBe(false);
    const silent = await verify(
      '--upstream',
      service.url,
      '--out',
      file,
      '--',
      process.execPath,
      '-e',
      'process.exit(5)',
    );
    expect([silent.code, silent.stdout]).toEqual([5, '']);
  });

  test('says that the key was refused, and leaves the file as it was', async () => {
    const { service, file, verify, command } = await openSuite();
    const upstream = ['--upstream', service.url, '--out', file];
    expect((await verify(...upstream, '--key', 'sk_test_account', ...command)).code).toBe(0);
    const before = readFileSync(file, 'utf8');
    const refused = await verify(...upstream, '--key', 'sk_test_invalid', ...command);
    expect([refused.code, refused.stdout, readFileSync(file, 'utf8')]).toEqual([1, '', before]);
    expect(refused.stderr).toContain(
      'the key of every call was refused (401); give the secret key of your account with',
    );
    const live = await verify(...upstream, '--key', 'sk_live_account', ...command);
    expect([live.code, live.stderr]).toEqual([
      1,
      expect.stringContaining('must call PLAYMONEY_URL with a sandbox key'),
    ]);
  });

  test.each([
    [['verify', 'a.json', '--ca', 'ca.pem'], '--ca needs --upstream URL'],
    [['verify'], 'verify needs a file of shapes, or a command'],
    [['verify', '--', 'node'], 'verify needs --upstream URL, a file of shapes, or both'],
    [['verify', '--upstream', 'http://127.0.0.1:9', 'a.json'], '--upstream needs a command'],
    [['verify', '--merge', 'a.json', '--out', 'b.json'], '--merge needs two or more files of shapes'],
    [['verify', '--merge', 'a.json', 'b.json'], '--merge needs --out FILE'],
    [['verify', 'a.json', '--out', 'b.json'], '--out needs --merge or a command'],
    [['verify', 'missing.json'], 'missing.json'],
  ])('refuses %j', async (args, line) => {
    const { code, stderr } = await runProgram(args).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(line)]);
    expect(existsSync('payfurl.shapes.json')).toBe(false);
  });
});
