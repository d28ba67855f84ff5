import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeAll, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';
import { buildIfMissing } from './cli/program.js';

const DIST = join(import.meta.dirname, '../../dist');
const LINES_MAX = 30;
const LINE_LENGTH_MAX = 200;

const folder = temporaryFolder();
beforeAll(() => buildIfMissing());

/** How a program gets the package, by its kind of module. */
const LOADS = {
  mjs: `import * as playmoney from '${pathToFileURL(join(DIST, 'index.js')).href}';`,
  cjs: `const playmoney = require('${join(DIST, 'index.cjs')}');`,
};

/** Calls whose errors nobody catches, and what their message says. */
const CALLS = {
  'an outcome that does not exist': [
    `playmoney.createSandbox().world().outcomes.queue('charge.create', ['no_such_outcome'])`,
    'SandboxError: Validation Error: Outcomes [0] is the unknown outcome "no_such_outcome"',
  ],
  'a snapshot that does not exist': [
    `playmoney.createSandbox().world().restore('before')`,
    'SandboxError: Validation Error: This world has no snapshot "before"',
  ],
} as const;

const CASES = (['mjs', 'cjs'] as const).flatMap((kind) =>
  Object.entries(CALLS).map(([what, call]) => [what, kind, call] as const),
);

test.each(CASES)('Node prints %s in a few short lines, in a program of .%s', (_, kind, [call, message]) => {
  const program = join(folder, `program.${kind}`);
  // Some calls deep, as in the tests of a shop.
  writeFileSync(
    program,
    `${LOADS[kind]}\nconst pay = async () => { await ${call}; };\nconst order = async () => { await pay(); };\nvoid order();\n`,
  );
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 });
  const lines = stderr.trimEnd().split('\n');
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(lines.length, stderr).toBeLessThan(LINES_MAX);
  expect(Math.max(...lines.map((line) => line.length)), stderr).toBeLessThanOrEqual(LINE_LENGTH_MAX);
});
