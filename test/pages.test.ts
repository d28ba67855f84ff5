import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseCommand } from '../src/node/cli/parse.js';
import { WITHIN } from '../src/client/call.js';
import { controlTables, serviceTables } from '../src/openapi/tables.js';
import { buildIfMissing, startProgram, type Started } from './node/cli/program.js';
import { EXAMPLES } from './support/examples.js';
import { expectAnswers, expectTables, runExample, withProgram, writeFiles } from './support/readme.js';
import { words } from './support/tables.js';
import { temporaryFolder } from './support/folder.js';

const ROOT = join(import.meta.dirname, '..');
/** Pages whose commands need no more than a server with a clock that stands still, or one with certificates. */
const PAGES = words`
  docs/guides/client-libraries.md docs/guides/front-end.md docs/guides/languages.md docs/guides/lost-answer.md docs/guides/moving.md
  docs/guides/reconcile.md docs/guides/replay.md docs/guides/time.md docs/reference/operations.md
  docs/reference/test-cards.md docs/tutorials/a-bad-day.md docs/tutorials/nightly-batch.md
`;

const folder = temporaryFolder();
let server: Started;
let secure: Started;

beforeAll(async () => {
  buildIfMissing();
  server = await startProgram(['--port', '0', '--clock', 'manual', '--quiet']);
  secure = await startProgram(['--port', '0', '--https', '--tls-dir', join(folder, 'tls'), '--quiet']);
});

afterAll(() => {
  server.child.kill();
  secure.child.kill();
});

/** Expects the answers of a page from a server, under whose address its commands stand. */
function expectPage(name: string, { url }: Started): void {
  const path = join(ROOT, name);
  writeFiles(readFileSync(path, 'utf8'), folder);
  const addresses = {
    'http://127.0.0.1:4010': url,
    'port 4010': `port ${new URL(url).port}`,
    'https://localhost:5001': secure.url.replace('127.0.0.1', 'localhost'),
  };
  const env = withProgram(folder);
  expectAnswers(path, (command) => runExample(command, addresses, folder, env));
}

describe('Each command gets the answer that stands below it', () => {
  test.each(PAGES)('in %s', (name) => expectPage(name, server));

  test.each(
    words`README.md docs/reference/control.md docs/guides/3d-secure.md docs/guides/troubleshooting.md`,
  )('in %s, on a server of its own', async (name) => {
    const own = await startProgram(['--port', '0', '--clock', 'manual', '--quiet']);
    try {
      expectPage(name, own);
    } finally {
      own.child.kill();
    }
  });
});

test('docs/guides/troubleshooting.md names the error of a client that does not use fetch.', async () => {
  const { code, message } = await new Promise<NodeJS.ErrnoException>((resolve) => {
    get(WITHIN).on('error', resolve);
  });
  const page = readFileSync(join(ROOT, 'docs/guides/troubleshooting.md'), 'utf8');
  expect(page).toContain(code === 'ENOTFOUND' ? `\n${message}\n` : `\`${code}\``);
});

test('docs/reference/operations.md has every operation of the service.', () => {
  expectTables(join(ROOT, 'docs/reference/operations.md'), serviceTables());
});

test('docs/reference/control.md has every call of the control plane.', () => {
  expectTables(join(ROOT, 'docs/reference/control.md'), controlTables());
});

/** The command lines of a page that start with the program's name, without what a shell does around it. */
function commandsOf(page: string): string[][] {
  const blocks = [...page.matchAll(/^```(?:sh|console|yaml)\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  );
  return blocks
    .flatMap((text) => [...text.matchAll(/^\s*(?:\$ |- run: |- )?(?:npx )?playmoney ([^|&;#\n]*)/gm)])
    .map(([, line = '']) =>
      line
        .replaceAll(/'([^']*)'/g, '$1')
        .replace(/ \d?>.*/, '')
        .trim()
        .split(/\s+/),
    );
}

describe('every page', () => {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'bench/README.md',
    'test/README.md',
    'examples/README.md',
    ...EXAMPLES.map((name) => `examples/${name}/README.md`),
    ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];

  test.each(pages)('%s links to nothing that is not there', (name) => {
    const page = readFileSync(join(ROOT, name), 'utf8');
    const targets = [...page.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const broken = targets.filter(([, path = '', part]) => {
      const target = join(ROOT, name, '..', path);
      const file = path === '' ? join(ROOT, name) : target;
      return !isThere(file) || (part !== undefined && !partsOf(file).has(part));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each(pages)('%s has no command line that the program does not take', (name) => {
    for (const line of commandsOf(readFileSync(join(ROOT, name), 'utf8'))) {
      expect(() => parseCommand(line, {}), line.join(' ')).not.toThrow();
    }
  });
});

/** The text of a page without what programs print, code, links and tables of the source. */
const proseOf = (page: string): string =>
  page.replaceAll(/^```[^]*?^```$|<!-- generated[^]*?\/generated -->|`[^`]*`|\]\([^)]*\)/gm, '');

test('The manual has no word that its glossary replaces with another.', () => {
  const [glossary = ''] = readFileSync(join(ROOT, 'docs/reference/words.md'), 'utf8').split(
    '\n## Saved things',
  );
  const rows = [...glossary.matchAll(/^\| (.*) \| .* \|(?: (.*))? \|$/gm)].slice(2);
  const names = rows.map(([, name = '']) => name);
  const replaced = rows.flatMap(([, , not = '']) => not.split(', ').filter((word) => word !== ''));
  expect(names.length).toBeGreaterThan(30);
  expect(replaced.length).toBeGreaterThan(10);
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const found = pages
    .filter((name) => name.endsWith('.md') && name !== 'reference/words.md')
    .flatMap((name) => {
      const prose = proseOf(readFileSync(join(ROOT, 'docs', name), 'utf8'));
      return replaced
        .filter((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(prose))
        .map((word) => `${name}: ${word}`);
    });
  expect(found).toEqual([]);
});

function isThere(path: string): boolean {
  const files = readdirSync(join(path, '..'));
  return files.includes(path.split('/').pop() ?? '');
}

/** The names under which the headings of a page are linked to. */
function partsOf(path: string): Set<string> {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('The figures in the README are in the results of the benchmarks.', () => {
  const read = (page: string): string =>
    readFileSync(join(ROOT, page), 'utf8').replaceAll(/(?<=\d),(?=\d{3})/g, '');
  const results = read('bench/RESULTS.md');
  const [section = ''] = /^## How fast\n[\s\S]*?(?=^## )/m.exec(read('README.md')) ?? [];
  const figures = [...section.matchAll(/\b\d+(?:\.\d+)?\b(?! cores)/g)].map(([figure]) => figure);
  expect(figures.length).toBeGreaterThan(9);
  const known = new Set(results.match(/\d+(?:\.\d+)?/g));
  expect(figures.filter((figure) => !known.has(figure))).toEqual([]);
});
