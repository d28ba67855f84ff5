import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { blocksOf } from './consumer.js';
import { has } from './programs.js';

const PROGRAM = join(import.meta.dirname, '../../dist/cli.js');
const INSTALL_TIMEOUT_MS = 180_000;
const folder = temporaryFolder();

const PAGE = 'docs/guides/languages.md';
const [charge = ''] = blocksOf(PAGE, 'js');

function snippet(language: string): string {
  const [text = '', ...others] = blocksOf(PAGE, language);
  expect(others).toEqual([]);
  return text;
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs a command as the page does, and returns what it and the summary printed, without colours. */
function runWithGateway(...command: string[]): string {
  const line = [process.execPath, PROGRAM, 'exec', '--', ...command].map((word) => `'${word}'`).join(' ');
  return execFileSync('sh', ['-c', `${line} 2>&1`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_OPTIONS: undefined },
  });
}

/** Expects that the program passed its own assertion, and that the gateway received its call. */
function expectOneCharge(...command: string[]): void {
  expect(runWithGateway(...command)).toContain('playmoney: 1 request, no warnings.');
}

describe('The snippet of the page charges a token', () => {
  test('with node:test', () => {
    const body = charge.replace(/expect\(answer\.status\).*/, 'assert.equal(answer.status, 201);');
    expect(body).not.toBe(charge);
    const imports = "import assert from 'node:assert';\nimport test from 'node:test';\n";
    writeFileSync(join(folder, 'charge.test.mjs'), imports + body);
    expectOneCharge(process.execPath, '--test', 'charge.test.mjs');
  });

  test(
    'with Jest and with Playwright',
    () => {
      writeFileSync(join(folder, 'package.json'), '{ "private": true }');
      run('npm', 'install', '--no-audit', '--no-fund', 'jest@30.2.0', '@playwright/test@1.65.1');
      writeFileSync(join(folder, 'charge.test.js'), charge);
      expectOneCharge('node_modules/.bin/jest', 'charge.test.js');
      const [line = ''] = /import \{.*'@playwright\/test'/.exec(charge) ?? [];
      writeFileSync(join(folder, 'charge.spec.js'), `${line};\n${charge}`);
      expectOneCharge('node_modules/.bin/playwright', 'test', 'charge.spec.js');
    },
    INSTALL_TIMEOUT_MS,
  );

  test.skipIf(!has('python3'))('in Python', () => {
    writeFileSync(join(folder, 'charge.py'), snippet('python'));
    expectOneCharge('python3', 'charge.py');
  });

  test.skipIf(!has('java'))(
    'in Java',
    () => {
      const imports = 'import java.net.URI;\nimport java.net.http.*;\n';
      const main = 'public static void main(String[] args) throws Exception {';
      writeFileSync(join(folder, 'Charge.java'), `${imports}class Charge { ${main}\n${snippet('java')}}}\n`);
      expectOneCharge('java', '-ea', 'Charge.java');
    },
    60_000,
  );

  test.skipIf(!has('php') || !run('php', '-m').split('\n').includes('curl'))('in PHP', () => {
    writeFileSync(join(folder, 'charge.php'), `<?php\n${snippet('php')}`);
    expectOneCharge('php', '-d', 'zend.assertions=1', 'charge.php');
  });

  test.skipIf(!has('dotnet'))(
    'in .NET',
    () => {
      const version = run('dotnet', '--version').split('.')[0];
      const properties = `<OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework>`;
      writeFileSync(
        join(folder, 'charge.csproj'),
        `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup></Project>`,
      );
      const imports = ['System', 'System.Diagnostics', 'System.Net', 'System.Net.Http', 'System.Text'];
      const using = imports.map((name) => `using ${name};\n`).join('');
      writeFileSync(join(folder, 'Program.cs'), using + snippet('csharp'));
      expectOneCharge('dotnet', 'run');
    },
    120_000,
  );
});
