// The ways to run the tests of a project, and what they leave.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CLI = 'node_modules/playmoney/dist/cli.js';

/** Runs a command in the folder of a project: its exit code, and what it printed. */
async function runIn({ folder }, [program, ...args], env = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { cwd: folder, env: { PATH, HOME, NO_COLOR: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Runs a command of the package that is installed in a project. */
export const playmoney = (project, args, env) => runIn(project, [process.execPath, CLI, ...args], env);

/** Starts a server with the package of a project, on a free port. */
export async function startServer({ folder }, args = []) {
  const child = spawn(process.execPath, [CLI, ...args, '--port', '0', '--quiet'], { cwd: folder });
  const closed = once(child, 'close');
  const url = await Promise.race([
    once(child.stdout, 'data').then(([line]) => /http:\S+/.exec(String(line))?.[0]),
    closed.then(([code]) => Promise.reject(new Error(`playmoney ${args.join(' ')} ended with ${code}`))),
  ]);
  const stop = async () => {
    child.kill();
    await closed;
  };
  return { url, stop };
}

/** Each runs the tests of a project, where `url` is a server that other runs have used. */
export const WAYS = {
  'in process': (project, env) => runIn(project, project.command, env),
  exec: (project, env) => playmoney(project, ['exec', '--quiet', '--', ...project.command], env),
  server: (project, env, url) => runIn(project, project.command, { ...env, PLAYMONEY_URL: url }),
};

/** Runs the tests one way. `records` is what their worlds held at the end, by the name of the test. */
export async function runTests(project, way, url) {
  const folder = join(project.folder, `records of ${way}`);
  await mkdir(folder);
  const { code, output } = await WAYS[way](project, { SHOP_RECORDS: folder }, url);
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return { code, output, records: new Map(files.map((file, n) => [file, texts[n]])) };
}

/** The first line that differs between the records of two runs; null if they are the same bytes. */
export function firstDifference(expected, found) {
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [before, after] = [expected, found].map((records) => records.get(name)?.split('\n') ?? []);
    const length = Math.max(before.length, after.length);
    for (let line = 0; line < length; line++) {
      if (before[line] !== after[line]) return `${name}, line ${line + 1}: ${before[line]} → ${after[line]}`;
    }
  }
  return null;
}
