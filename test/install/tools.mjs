// What projects are made and run with: the packed package, programs, servers, and the versions of Node and the package managers
// from the registry, which are kept between runs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { nodeOf } from '../runtimes/node-of.mjs';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/install');
export const VITEST = 'node_modules/vitest/vitest.mjs';
export const CLI = 'node_modules/playmoney/dist/cli.js';
/** After this, a step has failed. */
const STEP_MS = 600_000;
/** What a project takes over from the environment. npm sets many variables for its scripts, which would reach another npm. */
const KEPT = /^(?:HOME|TMPDIR|npm_config_(?:registry|cache)|\w*_proxy|NODE_EXTRA_CA_CERTS)$/i;

/** Runs a program in a folder; its exit code, and what it printed on both streams. */
export function run(program, args, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: STEP_MS });
    let output = '';
    const hear = (bytes) => (output += bytes);
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Starts a server on a free port, with the package of a project unless another program is given. */
export async function startServer(node, { cwd, env }, args = [], cli = CLI) {
  const child = spawn(node, [cli, ...args, '--port', '0', '--quiet'], { cwd, env });
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

/** Makes the tarball of the package, as it was built last, in a folder; `path` is where, and the rest what npm tells of it. */
export function packInto(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  return { ...packed, path: join(folder, packed.filename) };
}

/** A version of Node, and an environment in which it is the `node` of all programs. */
export async function nodeTools(major) {
  const node = await nodeOf(major);
  if (node === null) throw new Error(`Node ${major} cannot be installed from the registry.`);
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name));
  const PATH = [dirname(await realpath(node)), process.env.PATH].join(delimiter);
  return { node, env: { ...Object.fromEntries(kept), PATH, NO_COLOR: '1', CI: 'true' } };
}

/** The arguments with which Node adds packages to a project, by a manager such as `npm 11`. */
export async function adderOf(manager) {
  const [name, major] = manager.split(' ');
  const program = await programOf(name, major);
  // Vitest 3 needs esbuild, whose script pnpm runs only if it is allowed.
  return name === 'pnpm'
    ? [program, 'add', '--save-dev', '--allow-build=esbuild', '--store-dir', join(CACHE, 'store')]
    : [program, 'install', '--save-dev', '--no-audit', '--no-fund', '--prefer-offline'];
}

async function programOf(name, version) {
  const folder = join(CACHE, `${name}-${version}`);
  const home = join(folder, 'node_modules', name);
  if (!existsSync(home)) {
    await mkdir(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    const { code, output } = await run('npm', ['install', ...options, `${name}@${version}`], {
      cwd: folder,
      env: process.env,
    });
    if (code !== 0) throw new Error(`${name} ${version} cannot be installed from the registry: ${output}`);
  }
  // The scripts that Node can run: newer versions of pnpm have one that starts a native program.
  const program = ['npm-cli.js', 'pnpm.mjs', 'pnpm.cjs'].find((one) => existsSync(join(home, 'bin', one)));
  return join(home, 'bin', program);
}
