// Runs the tests of a small shop with several runners, each in process, under `playmoney exec` and at a running server, and
// compares what their worlds hold byte for byte: `npm run test:shop`. Then each runner fails, and its bundle is replayed.
// `--all` adds the runners that are not in the short set; names of runners select them.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFigures } from '../../support/figures.mjs';
import { FAILING_WAYS, proveBundle } from './bundles.mjs';
import { checkTypes, makeProject, packInto, RUNNERS } from './projects.mjs';
import { firstDifference, runTests, startServer, WAYS } from './ways.mjs';

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const chosen = RUNNERS.filter(({ name, isShort }) =>
  positionals.length > 0 ? positionals.includes(name) : values.all || isShort,
);
const testFile = await readFile(join(import.meta.dirname, 'shop.test.js'), 'utf8');
const TESTS = testFile.match(/^shopTest\(/gm).length;

const rows = [];

/** Adds a row to the table; a problem is printed at once. */
function report(runner, way, result, problem, output) {
  rows.push({
    runner,
    way,
    result: problem === null ? result : `${result} FAILED`,
    isGood: problem === null,
  });
  if (problem !== null) process.stdout.write(`${runner}, ${way}: ${problem}\n${output}\n\n`);
}

/** The records that all others must equal. */
let reference;

async function testWay(project, way, url) {
  const { code, output, records } = await runTests(project, way, url);
  reference ??= records;
  const difference = firstDifference(reference, records);
  const problem = code === 0 && records.size === TESTS ? difference : `exit code ${code}`;
  const compared = difference === null ? 'records equal' : 'records differ';
  report(project.name, way, `${records.size} of ${TESTS} passed, ${compared}`, problem, output);
}

async function testRunner(project, url) {
  if (project.isTyped) report(project.name, 'types', 'strict', ...(await checkTypes(project)));
  for (const way of Object.keys(WAYS)) await testWay(project, way, url);
  for (const way of FAILING_WAYS) {
    const { problem, output, line = '' } = await proveBundle(project, way);
    report(project.name, `bundle, ${way}`, line, problem, output);
  }
}

const scratch = await mkdtemp(join(tmpdir(), 'playmoney-shop-'));
let server;
try {
  const tarball = await packInto(scratch);
  const made = chosen.map((runner) =>
    makeProject(join(scratch, runner.name.replaceAll(/\W/g, '-')), tarball, runner),
  );
  for (const [n, project] of (await Promise.all(made)).entries()) {
    if (project === null) {
      const { name, major } = chosen[n];
      rows.push({ runner: name, way: 'install', result: `FAILED: there is no Node ${major}`, isGood: false });
      continue;
    }
    server ??= await startServer(project);
    await testRunner(project, server.url);
  }
} finally {
  await server?.stop();
  await rm(scratch, { recursive: true, force: true });
}

for (const { runner, way, result } of rows) {
  process.stdout.write(`${runner.padEnd(12)}${way.padEnd(20)}${result}\n`);
}
const good = rows.filter(({ isGood }) => isGood).length;
printFigures('shop', `${good} of ${rows.length} rows good`);
process.exitCode = good === rows.length && rows.length > 0 ? 0 : 1;
