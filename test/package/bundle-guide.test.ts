import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { expectAnswers, runExample, withProgram, writeFiles } from '../support/readme.js';
import { runProgram } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { blocksOf } from './consumer.js';

const GUIDE = 'docs/guides/bundle.md';
const PATH = join(import.meta.dirname, '../..', GUIDE);

const start = startingPrograms();

test('The commands of docs/guides/bundle.md fail, open and replay as it says.', async () => {
  const folder = temporaryFolder();
  const env = withProgram(folder);
  writeFiles(readFileSync(PATH, 'utf8'), folder);
  const bundle = join(folder, 'failure.json');
  // The failed job comes first, since its bundle is what the others open.
  const [job = ''] = /^playmoney exec .*$/m.exec(readFileSync(PATH, 'utf8').replaceAll('$ ', '')) ?? [];
  const failed = spawnSync('bash', ['-c', `${job} 2>&1`], { encoding: 'utf8', cwd: folder, env });
  expect(failed.status).toBe(1);
  const [, open = ''] = blocksOf(GUIDE, 'sh');
  expect(open).toBe('playmoney open failure.json\n');
  const { url, until, printed } = await start(['open', bundle, '--port', '0']);
  await until('stderr', '--move-clock\n');
  expect(printed.stderr).toContain(`dashboard ${url}/_sandbox\n`);
  const listed = await runProgram(['journal', '--url', url]).ended;
  expect(listed.stdout.match(/ \(recorded\)\n/g)).toHaveLength(4);
  expectAnswers(PATH, (command) =>
    command.startsWith('playmoney exec')
      ? failed.stdout
      : runExample(command, { 'http://127.0.0.1:4010': url }, folder, env),
  );
});
