// Bundles the Worker into dist/worker.js. `wrangler deploy` runs it (wrangler.jsonc), and so do the tests, with an entry of their own.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { browserAssets, openApiText } from '../../build/assets.mjs';

const here = import.meta.dirname;
const root = resolve(here, '../..');

async function scenarios() {
  const files = (await readdir(join(root, 'scenarios'))).filter((file) => file.endsWith('.yaml')).toSorted();
  const texts = files.map(async (file) => [
    file.slice(0, -'.yaml'.length),
    await readFile(join(root, 'scenarios', file), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

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
      __ASSETS__: JSON.stringify(await browserAssets()),
      __OPENAPI__: JSON.stringify(await openApiText()),
      __SCENARIOS__: JSON.stringify(JSON.stringify(await scenarios())),
    },
  });
  return outfile;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildWorker();
