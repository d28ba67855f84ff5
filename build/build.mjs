// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
//
// Others may run the program meanwhile, or build it too. So each file is put into its place as a whole, chunks bear a hash of
// what they hold, and those of earlier builds stay for a day: a program that runs goes on to find what it loads late. With
// --clean nothing of earlier builds stays, which is how the package is made.
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

import { browserAssets, openApiText } from './assets.mjs';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');
/** What an earlier build made stays for so long. */
const KEPT_MS = 86_400_000;

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Names stay: a stack trace that a user sends should say where it came from, and shorter ones start no faster.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  outdir: 'dist',
  write: false,
};

/** Bundles entries; ends the build where esbuild has printed an error or a warning. */
async function bundle(options) {
  const { outputFiles, warnings } = await build({ ...common, ...options }).catch(() => process.exit(1));
  return warnings.length > 0 ? process.exit(1) : outputFiles;
}

const split = {
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external: ['vitest'],
  // For Node, yaml brings CommonJS, which cannot require Node's modules from within an ES module.
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  define: {
    __VERSION__: JSON.stringify(version),
    __ASSETS__: JSON.stringify(await browserAssets()),
    __OPENAPI__: JSON.stringify(await openApiText()),
  },
};

// Nobody loads both, and together they would be cut into twice as many chunks; each of these costs a start half a millisecond.
// Chunks that come out alike, such as long texts, are the same file.
const program = await bundle({ ...split, entryPoints: { cli: 'src/node/cli/cli.ts' } });
const library = await bundle({
  ...split,
  entryPoints: { index: 'src/index.ts', vitest: 'src/vitest/index.ts' },
});

// What runs on a thread of its own is a program of its own.
const worker = await bundle({
  entryPoints: { 'chunks/deliver-worker': 'src/node/webhooks/deliver-worker.ts' },
});

const made = new Map([...program, ...library, ...worker].map(({ path, contents }) => [path, contents]));

/** Replaces a file as a whole, so that its readers find either the old one or the new one. */
async function put(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, contents);
  if (path === join(dist, 'cli.js')) await chmod(draft, 0o755);
  await rename(draft, path);
}

// Entries come last: what they import is there by then.
const isEntry = (path) => dirname(path) === dist;
const inOrder = [...made].toSorted(([one], [other]) => Number(isEntry(one)) - Number(isEntry(other)));
for (const [path, contents] of inOrder) await put(path, contents);

const isClean = process.argv.includes('--clean');
for (const folder of isClean ? [dist] : [join(dist, 'chunks')]) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(path) && (isClean || (await isOld(path))))
      await rm(path, { force: true });
  }
}

async function isOld(path) {
  // Another build may have removed it.
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
  return mtimeMs < Date.now() - KEPT_MS;
}
