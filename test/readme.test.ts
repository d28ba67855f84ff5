import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { helpText } from '../src/node/cli/help.js';
import { publishedTriggers } from '../src/outcomes/published.js';
import { examplesOf, runExample, withProgram, writeFiles } from './support/readme.js';
import { words } from './support/tables.js';

/** `npm run generate` writes the answers into the page, and tables into all pages. */
const GENERATE = process.env['GENERATE'] === '1';
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

let page = readFileSync(README, 'utf8');
/** What a reader tries first. */
const WANTED_CARDS = words`
  4242424242424242 4000000000000002 4000000000009995 4000000000000069 4000000000000127 4000000000002222
  4000000000005043 4000000000000374 4000000000004087
`;
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
    if (GENERATE) {
      for (const [i, { from, to }] of [...examples.entries()].toReversed()) {
        page = page.slice(0, from) + (answers[i] ?? '') + page.slice(to);
      }
      writeFileSync(README, page);
    }
    expect(examples.length).toBeGreaterThan(5);
    expect(examplesOf(page).map(({ answer }) => answer)).toEqual(answers);
  });
});

test.each(generated())('The part %s of %s is what the code says.', (name, file, text) => {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const part = new RegExp(`(<!-- generated:${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
  if (GENERATE) {
    const before = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      before.replace(part, (_, open: string, close: string) => `${open}${text}\n${close}`),
    );
  }
  expect(part.exec(readFileSync(path, 'utf8'))?.[0]).toBe(
    `<!-- generated:${name} -->\n${text}\n<!-- /generated -->`,
  );
});

function generated(): [name: string, file: string, text: string][] {
  const { Cards, Accounts, PayIds, Providers } = publishedTriggers();
  const cards = Cards.map((card) => [card.CardNumber, card.Scheme, card.Effect]);
  const wanted = WANTED_CARDS.map((number) => cards.find(([one]) => one === number) ?? [number]);
  const accounts = [
    ...Accounts.map(({ AccountNumber, Effect }) => [AccountNumber, Effect]),
    ...PayIds.map(({ PayId, Effect }) => [PayId, Effect]),
  ];
  const providers = Providers.map((provider) => [provider.ProviderId, provider.Name, provider.Behaviour]);
  return [
    ['wanted', 'README.md', table(['number', 'scheme', 'effect'], wanted)],
    ['cards', 'docs/test-cards.md', table(['number', 'scheme', 'effect'], cards)],
    ['accounts', 'docs/test-cards.md', table(['AccountNumber or PayId', 'effect'], accounts)],
    ['providers', 'docs/test-cards.md', table(['ProviderId', 'name', 'behaviour'], providers)],
    ['help', 'docs/command-line.md', `\`\`\`text\n${helpText().trimEnd()}\n\`\`\``],
  ];
}

function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const lines: readonly (readonly (string | null)[])[] = [head, head.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
