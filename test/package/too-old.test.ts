import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { nodeOf } from '../runtimes/node-of.mjs';
import { packInto } from '../install/tools.mjs';
import { emptyConsumer, forFile, npm, readmeTestFile, VITEST } from './consumer.js';

const DIST = join(import.meta.dirname, '../../dist');
const older = forFile(emptyConsumer());

test('Node 18 gets one sentence instead of a stack, from the program and from the package', async () => {
  const node = await nodeOf(18);
  if (node === null) throw new Error('Node 18 cannot be installed from the registry.');
  for (const args of [
    [join(DIST, 'cli.js'), 'start'],
    ['-e', `require(${JSON.stringify(join(DIST, 'index.cjs'))})`],
    ['-e', `require(${JSON.stringify(join(DIST, 'node-test.cjs'))})`],
    ['--input-type=module', '-e', `import ${JSON.stringify(join(DIST, 'index.js'))}`],
  ]) {
    const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
    expect({ status, stdout, stderr }, args.join(' ')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^playmoney needs Node 20\.19 or later; this is Node 18\.\d+\.\d+\.\n$/,
      ) as string,
    });
  }
});

test('vitest 3.1 fails its tests with the version that the fixtures need', async () => {
  const { path } = packInto(older.folder);
  npm(older.folder, 'install', '--no-audit', '--no-fund', 'vitest@3.1.4');
  npm(older.folder, 'install', '--no-audit', '--no-fund', path);
  older.write('checkout.test.js', readmeTestFile());
  const { code, output } = await older.run([VITEST, 'run']);
  expect(output).toContain('Error: playmoney/vitest needs vitest 3.2 or later.');
  expect(code).toBe(1);
});
