import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/index.js';
import { CLI } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { freePort } from '../support/socket.js';
import { blocksOf } from './consumer.js';
import { has } from './programs.js';

/** The programs of `docs/guides/languages.md`, in the languages that are installed. */

const GUIDE = 'docs/guides/languages.md';
const PAGE = readFileSync(join(import.meta.dirname, '../..', GUIDE), 'utf8');
const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill()));

const environment: NodeJS.ProcessEnv = {
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

describe('The program of languages.md charges a token', () => {
  const snippet = (language: string): string => blocksOf(GUIDE, language)[0] ?? '';
  const javaHead = 'import java.net.URI;\nimport java.net.http.*;\n';
  const csharpHead = ['System', 'System.Diagnostics', 'System.Net', 'System.Net.Http', 'System.Text']
    .map((name) => `using ${name};\n`)
    .join('');

  const javaMain = 'class Charge { public static void main(String[] args) throws Exception {';
  const asserted = snippet('js').replace(/expect\(answer\.status\).*/, 'assert.equal(answer.status, 201);');
  const nodeHead = "import assert from 'node:assert';\nimport test from 'node:test';\n";

  /** Each passes its own assertion, and the gateway receives its call. */
  const rows: [name: string, isThere: boolean, file: string, text: string, command: string][] = [
    ['node:test', true, 'charge.test.mjs', nodeHead + asserted, 'node --test charge.test.mjs'],
    ['Python', has('python3'), 'charge.py', snippet('python'), 'python3 charge.py'],
    [
      'Java',
      HAS_JAVA,
      'Charge.java',
      `${javaHead}${javaMain}\n${snippet('java')}}}\n`,
      'java -ea Charge.java',
    ],
    ['PHP', HAS_PHP, 'charge.php', `<?php\n${snippet('php')}`, 'php -d zend.assertions=1 charge.php'],
    ['.NET', HAS_DOTNET, 'Program.cs', csharpHead + snippet('csharp'), 'dotnet run'],
  ];
  const exec = (options: string, command: string): string =>
    run('sh', '-c', `'${process.execPath}' '${CLI}' exec ${options} -- ${command} 2>&1`);
  for (const [name, isThere, file, text, command] of rows) {
    test.skipIf(!isThere)(`with ${name}, and over HTTPS with the line of the page`, () => {
      if (file === 'Program.cs') writeDotnetProject();
      write(file, text);
      expect(exec('', command)).toContain('playmoney: 1 request, no warnings.');
      // The first start makes the certificate that the other programs trust.
      const https = '--https --tls-dir tls --dialect sdk';
      exec(https, 'true');
      if (name === 'Java') run('sh', '-c', /^keytool .*$/m.exec(PAGE)?.[0] ?? '');
      const [program = '', last = ''] = [command.split(' ')[0], command.split(' ').at(-1)];
      const line = new RegExp(`^(?:SSL_CERT_FILE=\\S+ )?${program} .*${last}\\b`, 'm').exec(PAGE)?.[0];
      expect(exec(https, `sh -c '${line}'`)).toContain('playmoney: 1 request, no warnings.');
    });
  }
});

describe('The receiver of the page verifies a delivery', () => {
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
      write(file, blocksOf(GUIDE, language)[1]?.replace('4999', String(port)) ?? '');
      if (language === 'csharp') run('mcs', file);
      await start(port, command.replace('PORT', String(port)).split(' '));
      // The secret of the page's receivers is that with which it starts the sandbox.
      const [, secret = ''] = /--webhook-secret '(.*)'/.exec(blocksOf(GUIDE, 'sh').join('')) ?? [];
      expect(await answerTo(port, secret)).toBe(204);
      for (const wrong of [`${secret}x`, null]) expect(await answerTo(port, wrong)).toBe(401);
    });
  }
});
