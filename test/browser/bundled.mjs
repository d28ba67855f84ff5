import { join } from 'node:path';

import { build } from 'esbuild';

import { PLAYS_ALONE } from '../runtimes/bundle.mjs';

/** A module of this folder with the plays, as the text of one module that a page or Node can load. */
export async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
    write: false,
    plugins: [PLAYS_ALONE],
  });
  return outputFiles[0].text;
}
