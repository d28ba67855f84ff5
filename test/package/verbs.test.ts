import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { VERSION } from '../../src/core/version.js';
import { formatHelp } from '../../src/node/cli/help.js';
import { runProgram } from '../node/cli/program.js';
import { folder } from '../support/folder.js';
import { startingPrograms } from './programs.js';

const KEY = { 'x-secretkey': 'sk_test_a' };

const start = startingPrograms();

describe('verbs that speak to a running server', () => {
  test('advance, journal and reset act on the world of the key', async () => {
    const { url } = await start('--quiet', '--clock', 'manual');
    await fetch(`${url}/charge/token`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: '{"Amount":5,"Token":"tok_approve"}',
    });
    const at = ['--url', url, '--key', 'sk_test_a'];
    expect(await runProgram(['journal', ...at, '--limit', '5']).ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^2026-01-01T00:00:00\.000Z {2}20[\d:.TZ-]+ {2}POST {4}\/charge\/token {2}201 {2}token:tok_approve\n1 call in the world 173eaf773cd5 of sk_test_a\./,
      ),
      stderr: '',
    });
    expect((await runProgram(['advance', '2h', ...at]).ended).stdout).toBe(
      '2026-01-01T00:00:00.000Z → 2026-01-01T02:00:00.000Z\nNo jobs were due in the world 173eaf773cd5 of sk_test_a.\n',
    );
    const back = await runProgram(['advance', '2025-01-01T00:00:00Z', ...at]).ended;
    expect(back).toMatchObject({ code: 1, stdout: '' });
    expect(back.stderr).toMatch(/^playmoney: [^\n]*cannot go back[^\n]*\n$/);
    const { code, stdout } = await runProgram(['reset'], { PLAYMONEY_URL: url }).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^The world \w+ of sk_test_local is empty: seed 1, clock manual at 2026-01-01T00:00:00.000Z\.\nIt had no calls\. Other worlds have calls: 173eaf773cd5 \(1 call\)\. Choose one by its key, with --key or PLAYMONEY_KEY\.\n$/,
    );
  });

  test('an empty result names the other worlds that have calls, by their names', async () => {
    const { url } = await start('--quiet', '--clock', 'manual');
    const headers = { ...KEY, 'content-type': 'application/json' };
    await fetch(`${url}/_sandbox/reset`, { method: 'POST', headers, body: '{"Name":"checkout > declined"}' });
    await fetch(`${url}/charge`, { headers: KEY });
    for (let n = 0; n < 7; n++) {
      for (let calls = 0; calls < 2; calls++) {
        await fetch(`${url}/charge`, { headers: { 'x-secretkey': `sk_test_w${n}` } });
      }
    }
    const at = ['--url', url];
    const hint =
      /Other worlds have calls: (?:\w{12} \(2 calls\), ){4}\w{12} \(2 calls\) and 3 more\. Choose one by its key, /;
    expect((await runProgram(['journal', ...at]).ended).stdout).toMatch(hint);
    expect((await runProgram(['advance', '1h', ...at]).ended).stdout).toMatch(hint);
    expect((await runProgram(['bundle', join(folder(), 'b.json'), ...at]).ended).stderr).toMatch(hint);
    for (let n = 0; n < 7; n++) {
      await runProgram(['reset', ...at, '--key', `sk_test_w${n}`]).ended;
    }
    expect((await runProgram(['journal', ...at]).ended).stdout).toContain(
      'Other worlds have calls: 173eaf773cd5 "checkout > declined" (1 call). Choose one',
    );
    // A world with calls needs no hint.
    expect((await runProgram(['advance', '1h', ...at, '--key', 'sk_test_a']).ended).stdout).not.toContain(
      'Other',
    );
  });

  test('reset gives the fresh world another seed, and a scenario of the library', async () => {
    const { url } = await start('--quiet', '--clock', 'manual');
    const args = ['reset', '--url', url, '--key', 'sk_test_a', '--seed', '42'];
    const { code, stdout } = await runProgram([...args, '--scenario', 'every-decline']).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/: seed 42, clock manual at [\d.TZ:-]+, scenario every-decline\.\n$/);
    const world = await fetch(`${url}/_sandbox/world`, { headers: KEY });
    expect(await world.json()).toMatchObject({ Seed: '42', Scenario: 'every-decline' });
    const unknown = await runProgram([...args, '--scenario', 'evry-decline']).ended;
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean every-decline?');
  });

  test('reset says what the seed data of the scenario fill the world with', async () => {
    const { url } = await start('--quiet', '--scenario', 'shop-with-customers');
    const { code, stdout } = await runProgram(['reset', '--url', url]).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^The world \w+ of sk_test_local is reset, with 2 Charges, 202 Customers, 203 PaymentMethods, 1 VaultEntries: seed 1, /,
    );
  });
});

describe('other verbs', () => {
  test('--version and --help print it, and nothing else', async () => {
    expect(await runProgram(['--version']).ended).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(await runProgram(['--help']).ended).toEqual({ code: 0, stdout: formatHelp(), stderr: '' });
  });

  test('triggers prints the published tables', async () => {
    const { code, stdout, stderr } = await runProgram(['triggers']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}insufficient_funds +15 +51 +.*yes +no +400$/m);
    expect(stdout).toMatch(/^ {2}4000000000004087 +Visa +the charge is committed/m);
    expect(stdout).toMatch(/^ {2}00000000000000000000000000000003 +slow/m);
    expect(stdout).toMatch(/^ {2}tok_used/m);
    expect(stdout).toMatch(/^ {2}1\. x-sandbox-outcome/m);
    expect(stdout).not.toMatch(/undefined|null|[ \t]$/m);
  });

  test('triggers --json prints what GET /_sandbox/triggers answers', async () => {
    const { url } = await start('--quiet');
    const { code, stdout, stderr } = await runProgram(['triggers', '--json']).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`${await (await fetch(`${url}/_sandbox/triggers`)).text()}\n`);
  });
});
