// Changes the sources in many places, one at a time, and looks whether a test fails: `npm run test:mutation [-- GROUP…]`. It lists what nobody
// noticed, and ends with 1 where a group stays below its floor. Groups and floor: groups.mjs.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { installFolder, printFigures, runToEnd } from '../support/figures.mjs';
import { GROUPS, SCORE_MIN } from './groups.mjs';

const root = join(import.meta.dirname, '../..');
const FOUND = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

const say = (line) => process.stdout.write(`${line}\n`);
const reportOf = (group) => join(import.meta.dirname, `.reports/${group}.json`);

/** Every change that Stryker made, with its file; a run that failed below its floor has a report, too. */
async function changesOf(group) {
  const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  await rm(reportOf(group), { force: true });
  await runToEnd(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.mjs'], {
    cwd: root,
    env: { ...process.env, MUTATION_GROUP: group },
  });
  const { files } = JSON.parse(await readFile(reportOf(group), 'utf8'));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, line: source.split('\n')[mutant.location.start.line - 1] })),
  );
}

function sayMissed({ file, line, location, mutatorName, replacement, status }) {
  say(`${status} ${file}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement}`);
  say(`    ${line.trim()}`);
}

const count = (changes, statuses) => changes.filter(({ status }) => statuses.has(status)).length;

/** The share of the changes that were found, in per cent. */
function scoreOf(changes) {
  const found = count(changes, FOUND);
  return (100 * found) / (found + count(changes, MISSED));
}

const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(GROUPS) : asked;
await installFolder(import.meta.dirname, '@stryker-mutator/core');
const byGroup = new Map();
for (const name of names) {
  const changes = await changesOf(name);
  for (const change of changes.filter(({ status }) => MISSED.has(status))) sayMissed(change);
  byGroup.set(name, changes);
}

const all = [...byGroup.values()].flat();
const scores = Array.from(byGroup, ([name, changes]) => `${name} ${scoreOf(changes).toFixed(1)} %`);
printFigures(
  'mutation',
  [
    `${scoreOf(all).toFixed(1)} % (${scores.join(', ')})`,
    `${count(all, new Set(['Killed']))} killed`,
    `${count(all, new Set(['Timeout']))} timed out`,
    `${count(all, MISSED)} survived`,
    `${count(all, new Set(['Ignored']))} left out`,
  ].join(', '),
);
process.exitCode = [...byGroup.values()].every((changes) => scoreOf(changes) >= SCORE_MIN) ? 0 : 1;
