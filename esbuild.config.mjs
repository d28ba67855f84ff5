// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const chunks = join(dist, 'chunks');
const cli = join(dist, 'cli.js');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const bundle = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/node/cli.ts', index: 'src/index.ts' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // What is imported lazily stays in a chunk of its own and costs nothing at start.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Names stay: a stack trace that a user sends should say where it came from, and shorter ones start no faster.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
  write: false,
}).catch(() => process.exit(1)); // esbuild has printed why

if (bundle.warnings.length > 0) process.exit(1);

await mkdir(chunks, { recursive: true });
const files = new Map(bundle.outputFiles.map((file) => [file.path, file]));
for (const { path, text } of files.values()) {
  await writeFile(path, path === cli ? `#!/usr/bin/env node\n${text}` : text);
}
await chmod(cli, 0o755);

// Chunks carry a hash in their names: those of earlier builds would pile up and be published.
for (const name of await readdir(chunks)) {
  if (!files.has(join(chunks, name))) await rm(join(chunks, name));
}
