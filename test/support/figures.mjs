// What the scripts of long proofs and measurements share: running vitest, installing what they alone need, a last line of figures.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Runs vitest as the terminal shows it, by this program of Node or another, and tells its exit code and the tests that ran, each with `title`, `path` of its blocks, and `passed`. */
export async function runVitest(options, env = {}, node = process.execPath) {
  const scratch = await mkdtemp(join(tmpdir(), 'figures-'));
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  try {
    const code = await runToEnd(node, [vitest, 'run', ...reporters, ...options], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}');
    const ran = JSON.parse(text)
      .testResults.flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, ancestorTitles, status }) => ({
        title,
        path: ancestorTitles,
        passed: status === 'passed',
      }));
    return { code, ran };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs a program that writes where this one does; its exit code, 1 where a signal ended it. */
export function runToEnd(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Installs the packages of a folder with a lock file of its own, unless the one named is there already. */
export async function installFolder(folder, packageName) {
  if (existsSync(join(folder, 'node_modules', packageName))) return;
  const code = await runToEnd('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  if (code !== 0) throw new Error(`The packages of ${folder} could not be installed.`);
}

/** Prints the last line of a script: its name, its figures, and how long it has run. */
export function printFigures(name, figures) {
  process.stdout.write(`${name}: ${figures}, ${(performance.now() / 1000).toFixed(1)} s\n`);
}

/** `3 of 5 tests passed`, of what {@link runVitest} tells. */
export function passedOf(ran) {
  return `${ran.filter(({ passed }) => passed).length} of ${ran.length} tests passed`;
}
