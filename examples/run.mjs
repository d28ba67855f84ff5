// Runs the examples as their users do: node examples/run.mjs [NAME…]. It packs playmoney once, and installs it in a copy of each
// example. Without names it runs those whose tools are on this machine, and prints a line for each other one. An example that is
// named has to run. The exit code is 1 if one failed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packInto, run } from '../test/install/tools.mjs';

const ROOT = join(import.meta.dirname, '..');
const BROWSERS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'];
const NAMES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** What an example needs beside Node, and whether it is there. */
const TOOLS = {
  'next-playwright': {
    'Chromium (set CHROMIUM_PATH, or install /usr/bin/chromium)': () =>
      BROWSERS.some((path) => path && existsSync(path)),
  },
  pytest: { 'python3 with venv': () => works('python3', '-c', 'import venv, ensurepip') },
  php: {
    'php with curl': () => works('php', '--ri', 'curl'),
    composer: () => works('composer', '--version'),
  },
  java: { 'a JDK (javac)': () => works('javac', '-version'), 'Maven (mvn)': () => works('mvn', '--version') },
};

/** A Python of the system that has pytest needs no registry. */
const SYSTEM_PYTHON = '/usr/bin/python3';
const offline = { PYTHON: SYSTEM_PYTHON, PIP_NO_INDEX: '1', PIP_NO_BUILD_ISOLATION: '0' };
const env = {
  ...process.env,
  ...(works(SYSTEM_PYTHON, '-c', 'import pytest, ensurepip, flit_core') ? offline : {}),
};

const print = (text) => process.stdout.write(`${text}\n`);

/** Runs an example in its copy. `missing` says what it needs and does not have. */
async function tryExample(name, folder) {
  const missing = Object.entries(TOOLS[name] ?? {}).filter(([, isThere]) => !isThere());
  if (missing.length > 0) return { missing: missing.map(([tool]) => tool).join(', ') };
  const cwd = join(folder, 'examples', name);
  const npm = (...args) => run('npm', args, { cwd, env });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
  const installed = await npm('install', ...options);
  if (installed.code !== 0) return installed;
  const prepared = await npm('run', '--if-present', 'postinstall');
  if (prepared.code !== 0) return { ...prepared, missing: 'packages that could not be downloaded' };
  return npm('test');
}

/** Prints how an example went. Returns whether it is good. */
function report(name, isNamed, { code, output = '', missing }, seconds) {
  if (missing !== undefined && !isNamed) print(`${name}: not run. It needs ${missing}.`);
  else if (code === 0) print(`${name}: passed in ${seconds} s`);
  else print(`${output}\n${name}: failed${missing === undefined ? '' : `. It needs ${missing}.`}`);
  return code === 0 || (missing !== undefined && !isNamed);
}

async function runExamples(named) {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-examples-'));
  try {
    // What `npm pack` would build.
    if (!existsSync(join(ROOT, 'dist/types')))
      execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'inherit' });
    packInto(folder);
    for (const part of ['examples', 'integrations/python'])
      await cp(join(ROOT, part), join(folder, part), {
        recursive: true,
        filter: (path) => !/node_modules|\.venv|\.next/.test(path.slice(ROOT.length)),
      });
    for (const name of named.length > 0 ? named : NAMES) {
      const start = performance.now();
      const result = await tryExample(name, folder);
      const isGood = report(name, named.length > 0, result, Math.round((performance.now() - start) / 1000));
      if (!isGood) process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  print(`unknown example "${unknown.join('", "')}". Examples: ${NAMES.join(', ')}`);
  process.exitCode = 2;
} else if (!existsSync(join(ROOT, 'node_modules'))) {
  print('playmoney cannot be built: run `npm ci` in the clone first.');
  process.exitCode = 2;
} else {
  await runExamples(named);
}
