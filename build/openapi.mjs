// Writes the OpenAPI description, docs/openapi.json, from the sources; `npm run generate` runs it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(import.meta.dirname);
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/openapi/document.ts'],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'node20',
  // No example is a page: what these load need not be made.
  define: { __VERSION__: JSON.stringify(version), __ASSETS__: '"{}"', __OPENAPI__: '"{}"' },
  logLevel: 'warning',
  write: false,
});
const folder = await mkdtemp(join(tmpdir(), 'playmoney-'));
try {
  const made = join(folder, 'openapi.mjs');
  await writeFile(made, outputFiles[0].contents);
  const { openApiText } = await import(pathToFileURL(made).href);
  await writeFile(join(root, 'docs/openapi.json'), await openApiText());
} finally {
  await rm(folder, { recursive: true });
}
