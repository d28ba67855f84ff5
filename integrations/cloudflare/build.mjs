// Bundles the Worker into dist/worker.js. `wrangler deploy` runs it (wrangler.jsonc), and so do the tests, with an entry of their own.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { allTexts } from '../../build/texts.mjs';

const here = import.meta.dirname;
const root = resolve(here, '../..');

/** Bundles an entry into one module that needs nothing else. */
export async function buildWorker(entry = join(here, 'worker.ts'), outfile = join(here, 'dist/worker.js')) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __VERSION__: JSON.stringify(version),
      __TEXTS__: JSON.stringify(await allTexts()),
    },
  });
  return outfile;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildWorker();
