import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { helpText } from '../src/node/help.js';
import { publishedTriggers } from '../src/providers/published.js';
import { examplesOf, runExample, withProgram, writeFiles } from './support/readme.js';

/** `UPDATE_README=1 npx vitest run test/readme.test.ts` writes the answers and tables into the page. */
const UPDATE = process.env['UPDATE_README'] === '1';
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

let page = readFileSync(README, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'playmoney-readme-'));
const servers: ChildProcess[] = [];
/** Those that the page names, each with that of a server of ours. */
const addresses: Record<string, string> = {};

/** Starts a server in a folder of its own; the port that it listens on. */
async function start(...args: string[]): Promise<string> {
  const server = spawn(process.execPath, [PROGRAM, '--port', '0', '--quiet', ...args], { cwd: folder });
  servers.push(server);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return /:(\d+)\n/.exec(line.toString())?.[1] ?? '';
}

beforeAll(async () => {
  addresses['http://127.0.0.1:4010'] = `http://127.0.0.1:${await start('--clock', 'manual')}`;
  addresses['https://localhost:5001'] = `https://localhost:${await start('--https', '--tls-dir', 'tls')}`;
});

afterAll(() => {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe('README', () => {
  test('Each command gets the answer that stands below it.', () => {
    const examples = examplesOf(page);
    writeFiles(page, folder);
    const env = withProgram(folder);
    const answers = examples.map(({ command }) => runExample(command, addresses, folder, env));
    if (UPDATE) {
      for (const [i, { from, to }] of [...examples.entries()].toReversed()) {
        page = page.slice(0, from) + (answers[i] ?? '') + page.slice(to);
      }
      writeFileSync(README, page);
    }
    expect(examples.length).toBeGreaterThan(5);
    expect(examplesOf(page).map(({ answer }) => answer)).toEqual(answers);
  });

  test.each(Object.entries(generated()))('The part %s is what the code says.', (name, text) => {
    const part = new RegExp(`(<!-- generated:${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
    if (UPDATE) {
      page = page.replace(part, (_, open: string, close: string) => `${open}${text}\n${close}`);
      writeFileSync(README, page);
    }
    expect(part.exec(page)?.[0]).toBe(`<!-- generated:${name} -->\n${text}\n<!-- /generated -->`);
  });
});

function generated(): Record<string, string> {
  const { Cards, Accounts, PayIds, Providers } = publishedTriggers();
  return {
    cards: table(
      ['number', 'scheme', 'effect'],
      Cards.map((card) => [card.CardNumber, card.Scheme, card.Effect]),
    ),
    accounts: table(
      ['AccountNumber or PayId', 'effect'],
      [
        ...Accounts.map(({ AccountNumber, Effect }) => [AccountNumber, Effect]),
        ...PayIds.map(({ PayId, Effect }) => [PayId, Effect]),
      ],
    ),
    providers: table(
      ['ProviderId', 'name', 'behaviour'],
      Providers.map((provider) => [provider.ProviderId, provider.Name, provider.Behaviour]),
    ),
    help: `\`\`\`text\n${helpText().trimEnd()}\n\`\`\``,
  };
}

function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const lines: readonly (readonly (string | null)[])[] = [head, head.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
