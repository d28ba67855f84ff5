// Everywhere the program runs as a server, or can be sent requests as if it were one. `npm run bench:runtimes` plays, measures and
// prints each row; one more entry in ROWS is one more row of its table.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { start } from '../../bench/support.mjs';
import { installFolder } from '../support/figures.mjs';
import { nodeOf } from './node-of.mjs';

const ROOT = join(import.meta.dirname, '../..');
const BINARY = join(ROOT, 'dist-binary/playmoney');

/** The command of a runtime that is not Node; null where it cannot be had. */
export async function commandOf(name, ...args) {
  const program = join(import.meta.dirname, 'node_modules/.bin', name);
  await installFolder(import.meta.dirname, name).catch(() => {});
  return existsSync(program) ? [program, ...args] : null;
}

/** A row of which each start is a process that listens on a port. */
function server(name, findCommand, bytes, differs = []) {
  const open = async () => {
    const command = await findCommand();
    if (command === null) return null;
    const [program, ...args] = command;
    const { child, url } = await start([...args, '--port', '0', '--quiet'], program);
    return { url, send: (request) => fetch(request), close: async () => child.kill('SIGKILL') };
  };
  return { name, open, bytes, differs };
}

const inNode = (major) => async () => {
  const node = await nodeOf(major);
  return node === null ? null : [node, 'dist/cli.js'];
};

/** The files of the program that a start can load, each compressed. */
async function programBytes(file = join(ROOT, 'dist/cli.js'), seen = new Set()) {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = await readFile(file, 'utf8');
  let bytes = gzipSync(text).length;
  for (const [, path] of text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+\.js)"/g))
    bytes += await programBytes(join(file, '..', path), seen);
  return bytes;
}

/**
 * `name`: the first column. `open` starts it anew, and resolves with null where it cannot be had, otherwise with `url`, the address
 * of all requests; `send`, which sends a Request; `close`; and `isInside` where nothing listens at the address. `bytes`: the size
 * of what is delivered, compressed. `differs`: what the plays do not show.
 */
export const ROWS = [
  server('Node 20', inNode(20), programBytes),
  server('Node 24', inNode(24), programBytes),
  server('Bun', async () => withProgram(await commandOf('bun')), programBytes, [
    'no limit of memory unless --memory-max sets one',
  ]),
  server('Deno', async () => withProgram(await commandOf('deno', 'run', '-A')), programBytes, [
    "a client's own fetch sends a lost request again",
  ]),
  server(
    'the binary',
    async () => (existsSync(BINARY) ? [BINARY] : null),
    async () => gzipSync(await readFile(BINARY)).length,
    ['Node is part of its size'],
  ),
];

function withProgram(command) {
  return command && [...command, 'dist/cli.js'];
}
