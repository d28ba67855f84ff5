import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { withProgram, writeFiles } from '../support/readme.js';
import { has } from './programs.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guides/lost-answer.md'), 'utf8');
const printed = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' });
const HAS_PHP = has('php') && /^curl$/m.test(printed('php', '-m'));

const [, exec = '', balance = ''] = /^\$ (.*)\n(.*)\n/m.exec(PAGE) ?? [];
const [, sweep = ''] = /`npx (playmoney sweep .*)`/.exec(PAGE) ?? [];

const folder = temporaryFolder();
writeFiles(PAGE, folder);
const env = withProgram(folder);

/** Runs a command of the page with the program of a language in the place of Node's. */
function run(command: string, program: string): string {
  expect(command).toContain('node pay.mjs');
  const own = command.replace('node pay.mjs', program);
  return execFileSync('sh', ['-c', own], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

/** Where the program is missing, the name of the test says what it needs. */
describe.each([
  ['node pay.mjs', true],
  ['python3 pay.py', has('python3')],
  ['php pay.php', HAS_PHP],
])('%s, if it is installed,', (program, isThere) => {
  test.skipIf(!isThere)('charges once when its first answer is lost', () => {
    expect(run(exec, program)).toBe(`${balance}\n`);
  });

  test.skipIf(!isThere)('is safe whatever fails', () => {
    expect(run(sweep, program)).toMatch(/^sweep: safe\./);
  });
});
