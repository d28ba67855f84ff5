// Packs the package and installs it in projects as its users have them: `npm run test:install`. It prints a table, with a row for
// each project. With --short, each manager, vitest, Node and compiler is in some project; with --all, each combination is. matrix.mjs
// says which are by default. Other words choose among them: `-- git` tries those that install from git.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFigures } from '../support/figures.mjs';
import { everyRow, EXTRA_ROWS, pairRows, shortRows } from './matrix.mjs';
import { projectOf } from './projects.mjs';
import { adderOf, nodeTools, run } from './tools.mjs';

const ROOT = join(import.meta.dirname, '../..');
const COMPILERS = { 5.9: 'typescript-5', '7.0': 'typescript' };
/** How a project can find the declarations of packages, each with the modules that it belongs to. */
const RESOLUTIONS = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' };
/** TypeScript 7 has left the old one out. */
const resolutionsOf = ({ typescript }) =>
  Object.keys(RESOLUTIONS).filter((name) => name !== 'node10' || typescript === '5.9');
const CHECKS = ['install', 'run', 'cli', ...Object.keys(RESOLUTIONS)];
const PACKAGE = JSON.stringify({ name: 'shop', version: '1.0.0', private: true, type: 'module' });
/** Two at a time, since installing waits for the disk and the registry. */
const WORKERS = 2;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, short: { type: 'boolean' } },
  allowPositionals: true,
});
const rows = [
  ...(values.all ? everyRow() : values.short ? shortRows() : pairRows()),
  ...(values.short ? EXTRA_ROWS.slice(0, 4) : EXTRA_ROWS),
].filter((row) => positionals.every((value) => Object.values(row).includes(value)));
const scratch = await mkdtemp(join(tmpdir(), 'playmoney-install-'));
try {
  const tarball = pack();
  const git = clone();
  // One after the other, since several rows need the same.
  const tools = new Map();
  for (const { node, manager } of rows) {
    tools.set(node, tools.get(node) ?? (await nodeTools(node)));
    tools.set(manager, tools.get(manager) ?? (await adderOf(manager)));
  }
  const results = [];
  const waiting = rows.entries();
  const work = async () => {
    for (const [n, row] of waiting)
      results[n] = await tryRow(row, row.with === 'git' ? git : tarball, tools, join(scratch, `shop-${n}`));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  report(results);
} finally {
  await rm(scratch, { recursive: true, force: true });
}

function pack() {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  return join(scratch, filename);
}

/** The git address of a copy of the repository, in which nothing is built. */
function clone() {
  execFileSync('git', ['clone', '--quiet', ROOT, 'playmoney'], { cwd: scratch });
  return `git+file://${scratch}/playmoney`;
}

/** Makes the project of a row, and does everything in it that a user does; what held. */
async function tryRow(row, source, tools, cwd) {
  const { node, env } = tools.get(row.node);
  const project = projectOf(row);
  await makeProject(cwd, project);
  const held = {};
  const step = async (name, args, expected = /^/) => {
    const { code, output } = await run(node, args, { cwd, env });
    const isGood = code === 0 && expected.test(output);
    held[name] = isGood && held[name] !== false;
    if (!isGood) process.stdout.write(`\n${name} failed in ${Object.values(row).join(', ')}:\n${output}\n`);
    return isGood;
  };
  const add = tools.get(row.manager);
  // One after the other, as in a project that has its vitest already.
  const isReady = project.packages.length === 0 || (await step('install', [...add, ...project.packages]));
  // npm 12 installs nothing from git unless it is told to. Other versions do not know the option, or need not.
  const allowed = row.with === 'git' ? ['--allow-git=root'] : [];
  if (isReady && (await step('install', [...add, ...allowed, source]))) {
    for (const [args, expected] of project.commands) await step('run', args, expected);
    await step('cli', ['node_modules/playmoney/dist/cli.js', '--version'], /^\d+\.\d+\.\d+/);
    const compiler = join(ROOT, 'node_modules', COMPILERS[row.typescript], 'bin/tsc');
    for (const name of resolutionsOf(row)) await step(name, [compiler, '-p', `tsconfig.${name}.json`]);
  }
  await rm(cwd, { recursive: true, force: true });
  process.stdout.write(`${lineOf({ row, held })}\n`);
  return { row, held };
}

async function makeProject(cwd, { files, compilerOptions }) {
  await mkdir(cwd);
  const configs = Object.entries(RESOLUTIONS).map(([moduleResolution, module]) => [
    `tsconfig.${moduleResolution}.json`,
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', 'DOM'],
        strict: true,
        types: [],
        noEmit: true,
        module,
        moduleResolution,
        ...compilerOptions,
      },
      include: ['typed.*'],
    }),
  ]);
  const all = { 'package.json': PACKAGE, ...Object.fromEntries(configs), ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(cwd, name), text);
}

function lineOf({ row, held }) {
  const marks = CHECKS.map((name) => ({ true: 'yes', false: 'NO' })[held[name]] ?? '-');
  return `| ${[...Object.values(row), ...marks].join(' | ')} |`;
}

function report(results) {
  const names = [...Object.keys(rows[0]), ...CHECKS];
  const head = [`| ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length)}`];
  process.stdout.write(`\n${[...head, ...results.map(lineOf)].join('\n')}\n\n`);
  const isWhole = ({ row, held }) =>
    ['install', 'run', 'cli', ...resolutionsOf(row)].every((name) => held[name]);
  const whole = results.filter(isWhole).length;
  printFigures('install', `${whole} of ${results.length} projects work`);
  if (whole < results.length) process.exitCode = 1;
}
