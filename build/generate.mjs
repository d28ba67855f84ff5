// Writes all generated files: the OpenAPI description, the tables and answers in the manual, the JSON Schema of scenario files, and
// the transcripts of scenarios. The tests that compare these parts write them instead if GENERATE is 1.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const tests = readdirSync(join(root, 'test'), { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => /\bGENERATE\b|support\/readme/.test(readFileSync(join(root, path), 'utf8')));

const run = (...args) =>
  execFileSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GENERATE: '1' },
  });

// The program and the tests use the description, so it comes first.
run('build/openapi.mjs');
run('build/build.mjs');
try {
  run('node_modules/vitest/vitest.mjs', 'run', ...tests);
} finally {
  // Also if a test failed: the others have written their parts.
  run('node_modules/oxfmt/bin/oxfmt', 'scenarios');
}
