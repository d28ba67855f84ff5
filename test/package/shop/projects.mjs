// The runners that run the shop's tests, each in a project of its own with the packed package installed from a file.
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { nodeOf } from '../../runtimes/node-of.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const EXPRESS = 'express@5.3.0';

const TEST_FILE = 'shop.test.js';
const TYPES = ['@types/express@5.0.6', '@types/node@20.19.43'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];

/** Jest without flags runs CommonJS, so Babel turns the imports of the tests into calls of `require`. */
const BABEL = { plugins: ['@babel/plugin-transform-modules-commonjs'] };

/**
 * `runner` is the file of `runners/` that the tests import, `type` that of the project's package.json, and `files` what it needs
 * besides. `isShort`: it is in the short set, and its types are checked.
 */
export const RUNNERS = [
  {
    name: 'vitest 4',
    runner: 'vitest',
    packages: ['vitest@4.1.12'],
    command: VITEST,
    isShort: true,
  },
  {
    name: 'Jest',
    runner: 'jest',
    packages: ['jest@30.5.2', '@babel/plugin-transform-modules-commonjs@7.29.14'],
    files: { 'babel.config.json': JSON.stringify(BABEL) },
    type: 'commonjs',
    command: ['node_modules/jest/bin/jest.js'],
    isShort: true,
  },
  {
    name: 'node:test',
    runner: 'node-test',
    packages: [],
    command: ['--test'],
    isShort: true,
  },
  { name: 'vitest 3', runner: 'vitest', packages: ['vitest@3.2.7'], command: VITEST },
  { name: 'vitest 5', runner: 'vitest', packages: ['vitest@5.1.1'], command: VITEST, major: 22 },
];

const run = promisify(execFile);

const npm = (folder, ...args) => run('npm', args, { cwd: folder });

/** Packs the package as it was built last; the path of the file. */
export async function packInto(folder) {
  const { stdout } = await npm(ROOT, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Makes the project of a runner, with its packages from the registry. `command` runs its tests. Null without its version of Node. */
export async function makeProject(folder, tarball, runner) {
  const { name, packages, command, major, isShort, type = 'module', files = {} } = runner;
  const node = major === undefined ? process.execPath : await nodeOf(major);
  if (node === null) return null;
  await mkdir(folder);
  for (const part of ['app', 'support.js', TEST_FILE]) {
    await cp(join(import.meta.dirname, part), join(folder, part), { recursive: true });
  }
  await cp(join(import.meta.dirname, `runners/${runner.runner}.js`), join(folder, 'runner.js'));
  const all = { 'package.json': JSON.stringify({ name: 'shop', private: true, type }), ...files };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
  const installed = [tarball, EXPRESS, ...packages, ...(isShort ? TYPES : [])];
  await npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', ...installed);
  return { name, folder, command: [node, ...command, TEST_FILE], isTyped: isShort };
}

/** Checks the types of the shop and its tests strictly: the problem or null, and what the compiler printed. */
export async function checkTypes({ folder }) {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['app', '*.js'] }),
  );
  try {
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]);
    return [null];
  } catch (error) {
    return ['the types are wrong', error.stdout];
  }
}
