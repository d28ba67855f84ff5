// Runs the tests named by each mutant over sources that have its bug: `npm run test:seeded-bugs [-- PART OF A NAME [TEST FILE…]]`. A mutant that no
// test fails on ends the run with 1; so does one whose text no longer stands in the sources exactly once.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

import { printFigures } from '../support/figures.mjs';

const root = join(import.meta.dirname, '../..');
const AT_ONCE = 2;
/** A mutant that hangs a test is as good as one that fails it, so nobody waits for long. */
const TIME_MAX_MS = 120_000;

const say = (line) => process.stdout.write(`${line}\n`);

async function readMutants() {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'list.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  return (await import(url)).MUTANTS;
}

/** How many tests failed and passed, of those files. */
async function runTests(files, mutant, report) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = [
    '--config',
    'test/seeded-bugs/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${report}`,
    '--bail=1',
  ];
  const child = spawn(process.execPath, [vitest, 'run', ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...(mutant === null ? {} : { MUTANT: JSON.stringify(mutant) }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  // Without a bug, all files run, perhaps beside other programs.
  const timer = setTimeout(() => child.kill('SIGKILL'), mutant === null ? 5 * TIME_MAX_MS : TIME_MAX_MS);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (code === null) return { failed: 1, passed: 0, said: 'it took too long' };
  const read = await readFile(report, 'utf8').catch(() => null);
  if (read === null) return { failed: 0, passed: 0, said };
  const { numFailedTests, numPassedTests } = JSON.parse(read);
  return { failed: numFailedTests, passed: numPassedTests, said };
}

async function whyStale({ file, find }) {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  const times = text.split(find).length - 1;
  return times === 1
    ? null
    : `its text stands ${times} times in ${file}, once is asked for: the source has moved on`;
}

const [asked = '', ...by] = process.argv.slice(2);
const all = await readMutants();
const mutants = all
  .filter(({ name }) => name.includes(asked))
  .map((mutant) => ({ ...mutant, killedBy: by.length > 0 ? by : mutant.killedBy }));
const scratch = await mkdtemp(join(tmpdir(), 'mutants-'));
const faults = [];
try {
  const files = [...new Set(mutants.flatMap(({ killedBy }) => killedBy))];
  const clean = await runTests(files, null, join(scratch, 'clean.json'));
  if (clean.failed > 0 || clean.passed === 0)
    throw new Error(`The tests fail over sound sources already. ${clean.said}`);
  say(`${clean.passed} tests pass over sound sources.`);

  const left = [...mutants.entries()];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [n, mutant] = next;
      const stale = await whyStale(mutant);
      const { failed, said } =
        stale === null
          ? await runTests(mutant.killedBy, mutant, join(scratch, `${n}.json`))
          : { failed: 0, said: stale };
      say(`${failed > 0 ? 'killed  ' : 'SURVIVED'} ${mutant.name}`);
      if (failed === 0)
        faults.push(`${mutant.name}: ${stale ?? `no test of ${mutant.killedBy.join(', ')} fails. ${said}`}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
for (const fault of faults) say(fault);
printFigures(
  'seeded-bugs',
  `${mutants.length} seeded bugs, ${mutants.length - faults.length} found by the tests`,
);
process.exit(faults.length === 0 && mutants.length > 0 ? 0 : 1);
