// Makes the OpenAPI description from the sources: `npm run openapi` writes docs/openapi.json, `npm run openapi -- FILE` another file.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/openapi/text.ts'],
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
  await writeFile(argv[2] ?? join(root, 'docs/openapi.json'), await openApiText());
} finally {
  await rm(folder, { recursive: true });
}
