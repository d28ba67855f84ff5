// Packs the package and installs it in projects as its users have them: `npm run test:install`. It prints a table, with a row for
// each project. With --short, each manager, vitest, Node and compiler is in some project; with --all, each combination is. matrix.mjs
// says which are by default. Other words choose among them: `-- git` tries those that install from git, `-- shop` those of the shop.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFigures } from '../support/figures.mjs';
import { everyRow, EXTRA_ROWS, pairRows, shortRows } from './matrix.mjs';
import { projectOf } from './projects.mjs';
import { readInstallLines } from './readme.mjs';
import { stopServer } from './shop.mjs';
import { adderOf, nodeTools, packInto, run } from './tools.mjs';

const ROOT = join(import.meta.dirname, '../..');
const COMPILERS = { 5.9: 'typescript-5', '7.0': 'typescript' };
/** How a project can find the declarations of packages, each with the modules that it belongs to. */
const RESOLUTIONS = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' };
/** TypeScript 7 has left the old one out. */
const resolutionsOf = ({ typescript }) =>
  Object.keys(RESOLUTIONS).filter((name) => name !== 'node10' || typescript === '5.9');
const CHECKS = [
  'install',
  'run',
  'cli',
  ...Object.keys(RESOLUTIONS),
  'in process',
  'exec',
  'server',
  'bundle',
];
const PACKAGE = JSON.stringify({ name: 'shop', version: '1.0.0', private: true, type: 'module' });
/** Two at a time, since installing waits for the disk and the registry. */
const WORKERS = 2;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, short: { type: 'boolean' } },
  allowPositionals: true,
});
/** By their names: versions of Node, and package managers. */
const tools = new Map();
const rows = (values.all ? [...everyRow(), ...EXTRA_ROWS] : values.short ? shortRows() : pairRows()).filter(
  (row) => positionals.every((word) => Object.values(row).some((one) => `${one} `.startsWith(`${word} `))),
);
const scratch = await mkdtemp(join(tmpdir(), 'playmoney-install-'));
try {
  const tarball = packInto(scratch).path;
  const git = clone();
  // One after the other, since several rows need the same.
  for (const { node, manager } of rows) {
    tools.set(node, tools.get(node) ?? (await nodeTools(node)));
    tools.set(manager, tools.get(manager) ?? (await adderOf(manager)));
  }
  const results = [];
  const waiting = rows.entries();
  const work = async () => {
    for (const [n, row] of waiting)
      results[n] = await tryRow(row, row.with === 'git' ? git : tarball, join(scratch, `shop-${n}`));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  report(results);
} finally {
  await stopServer();
  await rm(scratch, { recursive: true, force: true });
}

/** The git address of a copy of the repository, in which nothing is built. */
function clone() {
  execFileSync('git', ['clone', '--quiet', ROOT, 'playmoney'], { cwd: scratch });
  return `git+file://${scratch}/playmoney`;
}

/** Makes the project of a row, and does everything in it that a user does; what held. */
async function tryRow(row, source, cwd) {
  const { node, env } = tools.get(row.node);
  const project = projectOf(row);
  await makeProject(cwd, project);
  const held = {};
  const note = (name, problem, output) => {
    held[name] = problem === null && held[name] !== false;
    if (problem !== null)
      process.stdout.write(`\n${name} in ${Object.values(row).join(', ')}: ${problem}\n${output}\n`);
    return problem === null;
  };
  const step = async (name, args, expected = /^/, program = node) => {
    const { code, output } = await run(program, args, { cwd, env });
    const isGood = code === 0 && expected.test(output);
    return note(name, isGood ? null : `exit code ${code}`, output);
  };
  const add = tools.get(row.manager);
  const install = (...packages) => step('install', [...add, ...packages]);
  // npm 12 installs nothing from git unless it is told to. Other versions do not know the option, or need not.
  const allowed = row.with === 'git' ? ['--allow-git=root'] : [];
  // One after the other, as in a project that has its vitest already.
  const isReady = project.packages.length === 0 || (await install(...project.packages));
  const installed = row.with === 'README' ? installByReadme(step) : isReady && install(...allowed, source);
  if (await installed) {
    for (const [args, expected] of project.commands) await step('run', args, expected);
    const line = 'node_modules/.bin/playmoney exec --quiet -- node -p process.env.PLAYMONEY_KEY';
    await step('cli', ['-c', line], /^sk_test_exec$/m, 'sh');
    const compiler = join(ROOT, 'node_modules', COMPILERS[row.typescript], 'bin/tsc');
    for (const name of project.resolutions ?? resolutionsOf(row))
      await step(name, [compiler, '-p', `tsconfig.${name}.json`]);
    for await (const proved of project.prove?.(node, { cwd, env }) ?? []) note(...proved);
  }
  await rm(cwd, { recursive: true, force: true });
  process.stdout.write(`${lineOf({ row, held })}\n`);
  return { row, held };
}

/** Runs the lines of "Install" in the README, each where it says: in the clone, which lies beside the project, and in the project. */
async function installByReadme(step) {
  const { inClone, inProject } = readInstallLines();
  return (
    (await step('install', ['-c', `cd ../playmoney && ${inClone}`], /^/, 'sh')) &&
    step('install', ['-c', inProject], /^/, 'sh')
  );
}

async function makeProject(cwd, { files, compilerOptions, include = ['typed.*'] }) {
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
      include,
    }),
  ]);
  const all = { 'package.json': PACKAGE, ...Object.fromEntries(configs), ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
}

function lineOf({ row, held }) {
  const marks = CHECKS.map((name) => ({ true: 'yes', false: 'NO' })[held[name]] ?? '-');
  return `| ${[...Object.values(row), ...marks].join(' | ')} |`;
}

function report(results) {
  const names = [...Object.keys(rows[0]), ...CHECKS];
  const head = [`| ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length)}`];
  process.stdout.write(`\n${[...head, ...results.map(lineOf)].join('\n')}\n\n`);
  const whole = results.filter(({ held }) => 'cli' in held && Object.values(held).every(Boolean)).length;
  printFigures('install', `${whole} of ${results.length} projects work`);
  if (whole < results.length || whole === 0) process.exitCode = 1;
}
