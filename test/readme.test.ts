import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { helpText } from '../src/node/help.js';
import { publishedTriggers } from '../src/providers/published.js';
import { examplesOf, runExample } from './support/readme.js';

/** `UPDATE_README=1 npx vitest run test/readme.test.ts` writes the answers and tables into the page. */
const UPDATE = process.env['UPDATE_README'] === '1';
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

let page = readFileSync(README, 'utf8');
let server: ChildProcess;
let url = '';

beforeAll(async () => {
  server = spawn(process.execPath, [PROGRAM, '--port', '0', '--clock', 'manual', '--quiet']);
  const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
  url = /http:\S+/.exec(line.toString())?.[0] ?? '';
});

afterAll(() => {
  server.kill();
});

describe('README', () => {
  test('Each command gets the answer that stands below it.', () => {
    const examples = examplesOf(page);
    const answers = examples.map(({ command }) => runExample(command, url));
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
  const { Cards, Providers } = publishedTriggers();
  return {
    cards: table(
      ['number', 'scheme', 'effect'],
      Cards.map((card) => [card.CardNumber, card.Scheme, card.Effect]),
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
