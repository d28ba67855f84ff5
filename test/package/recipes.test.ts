import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { blocksOf } from './consumer.js';
import { has } from './programs.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/guides/recipes.md'), 'utf8');
const folder = temporaryFolder();
let server: ChildProcess;
let environment: NodeJS.ProcessEnv;

/** The program of a language that charges; its receiver of webhooks, if there is one, comes after it. */
function block(language: string): string {
  const [charge = '', , ...others] = blocksOf('docs/guides/recipes.md', language);
  expect(others).toEqual([]);
  return charge;
}

/** What the page says that a program prints. */
const promised = (n: number): string | undefined => [...PAGE.matchAll(/^This prints `(.*?)`/gm)][n]?.[1];

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, env: environment, encoding: 'utf8' }).trim();

const HAS_DOTNET = has('dotnet');
const HAS_MONO = ['mcs', 'mono', 'cert-sync'].every(has);

/** Runs a program of .NET as its page says, in a project that holds nothing else. */
function runDotnet(): string {
  const [version] = run('dotnet', '--version').split('.');
  const framework = `<OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework>`;
  writeFileSync(
    join(folder, 'charge.csproj'),
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${framework}</PropertyGroup></Project>`,
  );
  environment = { ...environment, SSL_CERT_FILE: join(folder, 'tls/ca.pem') };
  return run('dotnet', 'run');
}

/** The same with Mono, whose compiler knows no Main that is awaited: another class calls it. */
function runMono(): string {
  writeFileSync(
    join(folder, 'Entry.cs'),
    'static class Entry { static void Main() { Charge.Main().GetAwaiter().GetResult(); } }',
  );
  // The certificate store is below the home folder.
  environment = { ...environment, HOME: folder };
  run('cert-sync', '--user', 'tls/ca.pem');
  run('mcs', '-r:System.Net.Http.dll', '-main:Entry', '-out:Charge.exe', 'Charge.cs', 'Entry.cs');
  return run('mono', 'Charge.exe');
}

beforeAll(async () => {
  const args = ['--https', '--port', '0', '--tls-dir', 'tls', '--dialect', 'sdk', '--quiet'];
  server = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], { cwd: folder });
  const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
  const port = /:(\d+)\n/.exec(line.toString())?.[1] ?? '';
  environment = {
    ...process.env,
    PAYMENTS_URL: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem'),
  };
});

afterAll(() => {
  server.kill();
});

describe('the recipe', () => {
  test('of Node prints what it says', () => {
    writeFileSync(join(folder, 'charge.mjs'), block('js'));
    expect(run(process.execPath, 'charge.mjs')).toBe(promised(0));
  });

  test.skipIf(!has('java') || !has('keytool'))(
    'of Java prints what it says',
    () => {
      const [trust = '', java = ''] = /(keytool .*)\n(java .*)/.exec(PAGE)?.slice(1) ?? [];
      writeFileSync(join(folder, 'Charge.java'), block('java'));
      const [keytool = '', ...trusted] = trust.split(' ');
      run(keytool, ...trusted);
      const [program = '', ...args] = java.split(' ');
      expect(run(program, ...args)).toBe(promised(1));
    },
    60_000,
  );

  test.skipIf(!has('php') || !run('php', '-m').split('\n').includes('curl'))(
    'of PHP prints what it says',
    () => {
      const [, options = ''] = /^php (.*) charge\.php$/m.exec(PAGE) ?? [];
      writeFileSync(join(folder, 'charge.php'), block('php'));
      expect(run('php', ...options.split(' '), 'charge.php')).toBe(promised(2));
    },
  );

  test.skipIf(!HAS_DOTNET && !HAS_MONO)(
    'of .NET prints what it says',
    () => {
      writeFileSync(join(folder, 'Charge.cs'), block('csharp'));
      expect(HAS_DOTNET ? runDotnet() : runMono()).toBe(promised(3));
    },
    120_000,
  );
});
