import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Versions of Node are kept here between runs. */
const NODES = join(import.meta.dirname, '../../node_modules/.cache/runtimes');

/** The program of a version of Node, from the registry unless it is this one; null where it cannot be had. */
export async function nodeOf(major) {
  if (process.version.startsWith(`v${major}.`)) return process.execPath;
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = join(NODES, String(major));
  const program = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  try {
    await promisify(execFile)('npm', ['install', ...options, `${name}@${major}`]);
  } catch {
    return null;
  }
  return existsSync(program) ? program : null;
}
