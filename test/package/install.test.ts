import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { blocksOf } from './consumer.js';

const ROOT = join(import.meta.dirname, '../..');
/** What stands in both lines of the README, for the reader. */
const [IN_CLONE, IN_PROJECT] = ['# in a clone of this repository', '# in your project'];

/** Runs a command of a terminal in a folder; what it printed. Packages that were ever downloaded come from the disk. */
function run(cwd: string, command: string): string {
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('The lines of "Install" in the README install it from a clone with nothing else in it.', () => {
  const block = blocksOf('README.md', 'sh').find((text) => text.includes('npm pack')) ?? '';
  const lines = block.trimEnd().split('\n');
  expect(lines.map((line) => line.slice(line.indexOf('#')))).toEqual([IN_CLONE, IN_PROJECT]);
  const [inClone = '', inProject = ''] = lines;

  const folder = temporaryFolder();
  execFileSync('git', ['clone', '--quiet', ROOT, 'playmoney'], { cwd: folder });
  run(join(folder, 'playmoney'), inClone);

  const project = join(folder, 'shop');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true }');
  run(project, inProject);
  const charge = `curl -s "$PLAYMONEY_URL/charge/token" -H "x-secretkey: $PLAYMONEY_KEY" -H content-type:application/json -d '{"Amount":5,"Token":"tok_approve"}'`;
  const answer = run(project, `npx --no-install playmoney exec --quiet -- sh -c '${charge.replaceAll("'", `'"'"'`)}'`);
  expect(JSON.parse(answer)).toMatchObject({ Status: 'SUCCESS', Amount: 5 });
});
