// npm run test:python -- [options of pytest]: installs the pytest plugin as users do, from its folder, and runs its tests with the
// program that was built. It needs a Python with pytest, and what installs a package without a registry: the one that PYTHON names,
// the system's, or the first on the PATH. Without one it is skipped.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printFigures, runToEnd } from '../support/figures.mjs';

const root = join(import.meta.dirname, '../..');
const project = join(root, 'integrations/python');
const NEEDED = 'import pytest, venv, ensurepip, flit_core';
const IS_WINDOWS = process.platform === 'win32';

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** A Python that has what the tests need. */
const pythonWithPytest = () =>
  [process.env.PYTHON, '/usr/bin/python3', 'python3'].find((one) => one && works(one, '-c', NEEDED));

/** Packs the plugin for a registry, and looks into what was packed. */
const PACK = `
import os, sys, tarfile, zipfile
from flit_core import buildapi
os.mkdir(sys.argv[1])
wheel = zipfile.ZipFile(os.path.join(sys.argv[1], buildapi.build_wheel(sys.argv[1]))).namelist()
sdist = tarfile.open(os.path.join(sys.argv[1], buildapi.build_sdist(sys.argv[1]))).getnames()
for names in (wheel, sdist):
    assert any(name.endswith("/LICENSE") for name in names), names
    assert any(name.endswith("pytest_playmoney/py.typed") for name in names), names
    assert not any("tests" in name.split("/") for name in names), names
`;

/** Whether a folder has the same files as before. Says which are new. */
function leavesNothing(before, after) {
  const left = after.filter((name) => !before.includes(name));
  if (left.length === 0) return true;
  process.stdout.write(`pip install left in the folder: ${left.join(', ')}\n`);
  process.exitCode = 1;
  return false;
}

/** Runs a step, and ends with its exit code if it fails. */
async function step(program, args, options = {}) {
  const code = await runToEnd(program, args, { cwd: project, ...options });
  if (code !== 0) process.exitCode = code;
  return code === 0;
}

async function run(python, folder) {
  const before = await readdir(project);
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
    (await step(own, [...pip, ...quiet, project], { env })) &&
    leavesNothing(before, await readdir(project)) &&
    (await step(python, ['-c', PACK, join(folder, 'packed')])) &&
    (await step(own, ['-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2)], { env })) &&
    // Not every system has mypy.
    (!works('mypy', '--version') || (await step('mypy', ['--cache-dir', join(folder, 'mypy'), 'src'])))
  );
}

const python = pythonWithPytest();
if (python === undefined) {
  process.stdout.write(
    'test:python is skipped: it needs a Python that can import pytest, venv, ensurepip and flit_core. PYTHON names one.\n',
  );
} else {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-python-'));
  try {
    if (await run(python, folder)) printFigures('test:python', `passed with ${python}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
