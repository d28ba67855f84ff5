import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/index.js';
import { CLI, startProgram } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { freePort } from '../support/socket.js';
import { blocksOf } from './consumer.js';
import { has } from './programs.js';

/** The programs of `docs/guides/languages.md` and `docs/guides/recipes.md`, in the languages that are installed. */

const RECIPES = 'docs/guides/recipes.md';
const PAGE = readFileSync(join(import.meta.dirname, '../..', RECIPES), 'utf8');
const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill()));

let environment: NodeJS.ProcessEnv = {
  ...process.env,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
};

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const HAS_PHP = has('php') && run('php', '-m').split('\n').includes('curl');
const HAS_JAVA = has('java') && has('keytool');
const HAS_DOTNET = has('dotnet');
const HAS_MONO = ['mcs', 'mono', 'cert-sync'].every(has);

/** A project of .NET that holds nothing but its programs. */
function writeDotnetProject(): void {
  const version = run('dotnet', '--version').split('.')[0];
  const properties = `<OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework>`;
  const project = `<PropertyGroup>${properties}</PropertyGroup>`;
  write('charge.csproj', `<Project Sdk="Microsoft.NET.Sdk">${project}</Project>`);
}

describe('The snippet of languages.md charges a token', () => {
  const snippet = (language: string): string => {
    const [text = '', ...others] = blocksOf('docs/guides/languages.md', language);
    expect(others).toEqual([]);
    return text;
  };
  const javaHead = 'import java.net.URI;\nimport java.net.http.*;\n';
  const csharpHead = ['System', 'System.Diagnostics', 'System.Net', 'System.Net.Http', 'System.Text']
    .map((name) => `using ${name};\n`)
    .join('');

  const javaMain = 'class Charge { public static void main(String[] args) throws Exception {';
  const [ofNode = ''] = blocksOf('docs/guides/languages.md', 'js');
  const asserted = ofNode.replace(/expect\(answer\.status\).*/, 'assert.equal(answer.status, 201);');
  const nodeHead = "import assert from 'node:assert';\nimport test from 'node:test';\n";

  /** Each passes its own assertion, and the gateway receives its call. */
  const rows: [name: string, isThere: boolean, file: string, text: string, command: string][] = [
    ['node:test', true, 'charge.test.mjs', nodeHead + asserted, 'node --test charge.test.mjs'],
    ['Python', has('python3'), 'charge.py', snippet('python'), 'python3 charge.py'],
    [
      'Java',
      has('java'),
      'Charge.java',
      `${javaHead}${javaMain}\n${snippet('java')}}}\n`,
      'java -ea Charge.java',
    ],
    ['PHP', HAS_PHP, 'charge.php', `<?php\n${snippet('php')}`, 'php -d zend.assertions=1 charge.php'],
    ['.NET', HAS_DOTNET, 'Program.cs', csharpHead + snippet('csharp'), 'dotnet run'],
  ];
  for (const [name, isThere, file, text, command] of rows) {
    test.skipIf(!isThere)(`with ${name}`, () => {
      if (file === 'Program.cs') writeDotnetProject();
      write(file, text);
      const summary = run('sh', '-c', `'${process.execPath}' '${CLI}' exec -- ${command} 2>&1`);
      expect(summary).toContain('playmoney: 1 request, no warnings.');
    });
  }
});

/** The program of a language that charges; its receiver of webhooks, if there is one, comes after it. */
function recipe(language: string): string {
  const [charge = '', , ...others] = blocksOf(RECIPES, language);
  expect(others).toEqual([]);
  return charge;
}

describe('The recipe prints what its page says', () => {
  /** What the page says that a program prints. */
  const promised = (n: number): string | undefined => [...PAGE.matchAll(/^This prints `(.*?)`/gm)][n]?.[1];

  beforeAll(async () => {
    const tls = join(folder, 'tls');
    const args = ['--https', '--port', '0', '--tls-dir', tls, '--dialect', 'sdk', '--quiet'];
    const { child, port } = await startProgram(args);
    children.push(child);
    const address = { PAYMENTS_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: join(tls, 'ca.pem') };
    environment = { ...environment, ...address };
  });

  test('of Node', () => {
    write('charge.mjs', recipe('js'));
    expect(run('node', 'charge.mjs')).toBe(promised(0));
  });

  test.skipIf(!HAS_JAVA)('of Java', () => {
    write('Charge.java', recipe('java'));
    const lines = /(keytool .*)\n(java .*)/.exec(PAGE)?.slice(1) ?? [];
    const [, printed] = lines.map((line) => run('sh', '-c', line));
    expect(printed).toBe(promised(1));
  });

  test.skipIf(!HAS_PHP)('of PHP', () => {
    write('charge.php', recipe('php'));
    expect(run('sh', '-c', /^php .* charge\.php$/m.exec(PAGE)?.[0] ?? '')).toBe(promised(2));
  });

  test.skipIf(!HAS_DOTNET && !HAS_MONO)('of .NET', () => {
    write('Charge.cs', recipe('csharp'));
    environment = { ...environment, SSL_CERT_FILE: join(folder, 'tls/ca.pem') };
    if (HAS_DOTNET) {
      write('Program.cs', '');
      writeDotnetProject();
      expect(run('dotnet', 'run')).toBe(promised(3));
      return;
    }
    // The compiler of Mono knows no Main that is awaited, and its certificate store is below the home folder.
    const main = 'static void Main() { Charge.Main().GetAwaiter().GetResult(); }';
    write('Entry.cs', `static class Entry { ${main} }`);
    environment = { ...environment, HOME: folder };
    run('cert-sync', '--user', 'tls/ca.pem');
    run('mcs', '-r:System.Net.Http.dll', '-main:Entry', '-out:Charge.exe', 'Charge.cs', 'Entry.cs');
    expect(run('mono', 'Charge.exe')).toBe(promised(3));
  });
});

describe('The receiver of the recipes verifies a delivery', () => {
  /** What the receiver on a port answers to webhooks that are signed with a secret. */
  async function answerTo(port: number, webhookSecret: string | null): Promise<unknown> {
    using sandbox = createSandbox({ clock: 'manual', webhookSecret });
    const world = sandbox.world();
    const Webhook = { Url: `http://127.0.0.1:${port}/hook` };
    await world.fetch('/charge/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: 'Zoë', Webhook }),
    });
    await world.settle();
    return (await world.deliveries.list())[0]?.responseStatus;
  }

  async function start(port: number, [command = '', ...args]: readonly string[]): Promise<void> {
    const receiver = spawn(command, args, { cwd: folder, stdio: 'inherit' });
    children.push(receiver);
    for (let isOpen = false; !isOpen; await wait(100)) {
      if (receiver.exitCode !== null) throw new Error(`${command} ended with ${receiver.exitCode}`);
      const socket = connect(port, '127.0.0.1');
      isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
    }
  }

  for (const [language, isThere, file, command] of [
    ['java', has('java'), 'Receiver.java', 'java Receiver.java'],
    ['php', has('php'), 'receiver.php', 'php -S 127.0.0.1:PORT receiver.php'],
    ['csharp', HAS_MONO, 'Receiver.cs', 'mono Receiver.exe'],
  ] as const) {
    test.skipIf(!isThere)(`in ${language}`, async () => {
      const port = await freePort();
      write(file, blocksOf(RECIPES, language)[1]?.replace('4999', String(port)) ?? '');
      if (language === 'csharp') run('mcs', file);
      await start(port, command.replace('PORT', String(port)).split(' '));
      // The secret of the page's receivers is that with which it starts the sandbox.
      const [, secret = ''] = /--webhook-secret '(.*)'/.exec(blocksOf(RECIPES, 'sh').join('')) ?? [];
      expect(await answerTo(port, secret)).toBe(204);
      for (const wrong of [`${secret}x`, null]) expect(await answerTo(port, wrong)).toBe(401);
    });
  }
});
