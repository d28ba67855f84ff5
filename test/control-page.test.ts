import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { controlTables } from '../src/openapi/tables.js';
import { examplesOf, runExample, withTables } from './support/readme.js';

/** `npm run generate` writes answers and table into the page. */
const GENERATE = process.env['GENERATE'] === '1';
const FILE = fileURLToPath(new URL('../docs/control.md', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

let page = readFileSync(FILE, 'utf8');
let server: ChildProcess;
let address = '';

beforeAll(async () => {
  server = spawn(process.execPath, [PROGRAM, '--port', '0', '--quiet', '--clock', 'manual']);
  const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
  address = /http:\S+/.exec(line.toString())?.[0] ?? '';
});

afterAll(() => {
  server.kill();
});

describe('docs/control.md', () => {
  test('each command gets the answer that stands below it', () => {
    const examples = examplesOf(page);
    const addresses = { 'http://127.0.0.1:4010': address };
    const answers = examples.map(({ command }) => runExample(command, addresses, tmpdir()));
    if (GENERATE) {
      for (const [i, { from, to }] of [...examples.entries()].toReversed()) {
        page = page.slice(0, from) + (answers[i] ?? '') + page.slice(to);
      }
      writeFileSync(FILE, page);
    }
    expect(examples.length).toBeGreaterThan(5);
    expect(examplesOf(page).map(({ answer }) => answer)).toEqual(answers);
  });

  test('has every call of the route table', () => {
    const wanted = withTables(page, controlTables());
    if (GENERATE) {
      page = wanted;
      writeFileSync(FILE, page);
    }
    expect(page).toBe(wanted);
  });
});
