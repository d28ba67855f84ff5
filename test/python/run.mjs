// npm run test:python -- [options of pytest]: installs the pytest plugin as users do, from its folder, and runs its tests with the
// program that was built. It needs a Python with pytest, and what installs a package without a registry: the one that PYTHON names,
// the system's, or the first on the PATH. Without one it is skipped.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printFigures, runToEnd } from '../support/figures.mjs';

const root = join(import.meta.dirname, '../..');
const project = join(root, 'integrations/python');
const NEEDED = 'import pytest, venv, ensurepip, setuptools, wheel';
const IS_WINDOWS = process.platform === 'win32';

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** A Python that has what the tests need. */
const pythonWithPytest = () =>
  [process.env.PYTHON, '/usr/bin/python3', 'python3'].find((one) => one && works(one, '-c', NEEDED));

/** Runs a step, and ends with its exit code if it fails. */
async function step(program, args, options = {}) {
  const code = await runToEnd(program, args, { cwd: project, ...options });
  if (code !== 0) process.exitCode = code;
  return code === 0;
}

async function run(python, folder) {
  // The build of a package writes into its folder.
  const copy = join(folder, 'package');
  await cp(project, copy, { recursive: true });
  const environment = join(folder, 'venv');
  const own = join(environment, IS_WINDOWS ? 'Scripts/python.exe' : 'bin/python');
  const env = {
    ...process.env,
    PLAYMONEY_PROGRAM: `"${process.execPath}" "${join(root, 'dist/cli.js')}"`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const pip = ['-m', 'pip', 'install', '-q', '--no-index', '--no-build-isolation', '--no-deps'];
  const quiet = ['--disable-pip-version-check', '--root-user-action=ignore'];
  return (
    (await step(python, ['-m', 'venv', '--system-site-packages', environment])) &&
    (await step(own, [...pip, ...quiet, copy], { env })) &&
    (await step(own, ['-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2)], { env })) &&
    // Not every system has mypy.
    (!works('mypy', '--version') || (await step('mypy', ['--cache-dir', join(folder, 'mypy'), 'src'])))
  );
}

const python = pythonWithPytest();
if (python === undefined) {
  process.stdout.write(
    'test:python is skipped: it needs a Python that can import pytest, venv, ensurepip, setuptools and wheel. PYTHON names one.\n',
  );
} else {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-python-'));
  try {
    if (await run(python, folder)) printFigures('test:python', `passed with ${python}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
