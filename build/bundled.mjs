// Bundles a TypeScript module and imports it, for use in a build.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(import.meta.dirname);

/** The exports of a module of the repository. Its long texts are those given, because the others need not be built for this. */
export async function importBundled(entry, texts = {}) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20',
    define: { __VERSION__: JSON.stringify(version), __TEXTS__: JSON.stringify(JSON.stringify(texts)) },
    logLevel: 'warning',
    write: false,
  });
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-'));
  try {
    const made = join(folder, 'bundle.mjs');
    await writeFile(made, outputFiles[0].contents);
    return await import(pathToFileURL(made).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
