// The servers that are compared: how each is started, and what it does with a charge. Each has its own folder for the files it
// writes.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { wiremockMappings } from './stubs.mjs';

const require = createRequire(import.meta.url);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The program of an installed package, by its entry in package.json. Throws if it is not installed. */
function findProgram(name) {
  const folder = here(`../node_modules/${name}`);
  if (!existsSync(folder)) throw new Error(`${name} is not installed`);
  return join(folder, require(join(folder, 'package.json')).bin);
}

async function written(folder, name, content) {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
  return file;
}

/** The path that reads the charge of the first answer. */
const byId = (answer) => `/charge/${answer.ChargeId}`;

/**
 * `args` returns the arguments of Node, for a port and its folder. `read` returns the path of a read, from the
 * answer to the first charge. `needs` throws if something is missing.
 */
export const PEERS = [
  {
    name: 'raw node:http',
    does: 'parses, keeps the charge in a Map, answers; checks nothing',
    args: (port) => [here('../raw.mjs'), port],
    read: byId,
  },
  {
    name: 'playmoney',
    does: 'everything: gate, key, strict JSON, validation, provider, journal',
    args: (port) => [here('../../dist/cli.js'), '--port', port, '--quiet'],
    read: byId,
  },
  {
    name: 'fastify',
    does: 'JSON schema, check digit, Map',
    args: (port) => [here('fastify.mjs'), port],
    read: byId,
  },
  {
    name: 'hono',
    does: 'zod, check digit, Map',
    args: (port) => [here('hono.mjs'), port],
    read: byId,
  },
  {
    name: 'wiremock',
    does: 'matches the body by JSON paths, the same configured answer each time; its own journal on',
    needs: () => run('java', ['-version'], 'there is no Java here'),
    args: async (port, folder) => {
      for (const [n, mapping] of wiremockMappings().entries()) {
        await written(folder, `mappings/${n}.json`, mapping);
      }
      const quiet = ['--disable-banner', '--bind-address', '127.0.0.1'];
      return [findProgram('wiremock'), '--port', port, '--root-dir', folder, ...quiet];
    },
    read: byId,
  },
];

/** Throws with a reason if the program does not run. */
function run(program, args, reason) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
  } catch {
    throw new Error(reason);
  }
}
