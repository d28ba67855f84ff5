import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folder } from '../support/folder.js';
import { blocksOf } from './consumer.js';

const ROOT = join(import.meta.dirname, '../..');
/** What stands in both lines of the README, for the reader. */
const [IN_CLONE, IN_PROJECT] = ['# in a clone of this repository', '# in your project'];

/** Runs a command of a terminal in a folder; what it printed. Packages that were ever downloaded come from the disk. */
function run(cwd: string, command: string): string {
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  return execFileSync('sh', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('The lines of "Install" in the README install it from a clone with nothing else in it.', () => {
  const block = blocksOf('README.md', 'sh').find((text) => text.includes('npm pack')) ?? '';
  const lines = block.trimEnd().split('\n');
  expect(lines.map((line) => line.slice(line.indexOf('#')))).toEqual([IN_CLONE, IN_PROJECT]);
  const [inClone = '', inProject = ''] = lines;

  const place = folder();
  execFileSync('git', ['clone', '--quiet', ROOT, 'playmoney'], { cwd: place });
  run(join(place, 'playmoney'), inClone);

  const project = join(place, 'shop');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true }');
  run(project, inProject);
  writeFileSync(
    join(project, 'pay.mjs'),
    `const { PLAYMONEY_URL, PLAYMONEY_KEY } = process.env;
     const headers = { 'x-secretkey': PLAYMONEY_KEY, 'content-type': 'application/json' };
     const body = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
     console.log((await fetch(PLAYMONEY_URL + '/charge/token', { method: 'POST', headers, body })).status);`,
  );
  expect(run(project, 'npx --no-install playmoney exec --quiet -- node pay.mjs')).toBe('201\n');
});
