// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
//
// The program may be running meanwhile, and other builds too. So each file is replaced as a whole, the names of chunks contain a
// hash of their content, and chunks of earlier builds stay for a day, because a running program may still load them. With --clean,
// earlier files are deleted; the package is built like that.
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

import { licencesOf, packagesIn } from './licences.mjs';
import { allTexts } from './texts.mjs';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');
/** How long files of earlier builds stay. */
const KEPT_MS = 86_400_000;

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Nothing is minified: Node prints the line that threw, so lines must be short, and stack traces readable.
  legalComments: 'none',
  logLevel: 'warning',
  outdir: 'dist',
  metafile: true,
  write: false,
};

/** Keeps the fake timers of a test runner away from what runs in its process. The program has it too, so that both have the same chunks. */
const REAL_TIME = ['src/node/machine/real-time.ts'];

/** What test runners need and can require; vitest cannot be required. */
const RUNNERS = {
  jest: 'src/testing/jest.ts',
  'node-test': 'src/testing/node-test.ts',
  playwright: 'src/testing/playwright.ts',
};

/** What esbuild took into each bundle. */
const metafiles = [];

/** Bundles entries. Ends the build if esbuild prints an error or a warning. */
async function bundle(options) {
  const { outputFiles, warnings, metafile } = await build({ ...common, ...options }).catch(() =>
    process.exit(1),
  );
  metafiles.push(metafile);
  return warnings.length > 0 ? process.exit(1) : outputFiles;
}

/** Bundles entries for `import` and for `require`. */
async function bundleBoth(options) {
  const required = { ...options, format: 'cjs', outExtension: { '.js': '.cjs' } };
  return [...(await bundle(options)), ...(await bundle(required))];
}

const split = {
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external: ['vitest', '@jest/globals', '@playwright/test'],
  // The Node version of yaml is CommonJS, which cannot require Node's modules from within an ES module.
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  inject: [...REAL_TIME, 'src/node/texts.ts'],
  define: { __VERSION__: JSON.stringify(version) },
};

// Program and library are bundled separately, because no process loads both. Together they would have twice as many chunks, and each
// chunk delays a start by half a millisecond. Equal chunks, such as long texts, are still one file.
const program = await bundle({ ...split, entryPoints: { cli: 'src/node/cli/cli.ts' } });
const library = await bundle({
  ...split,
  entryPoints: { index: 'src/index.ts', vitest: 'src/testing/vitest.ts', ...RUNNERS },
});

// For `require`: one file, because esbuild cannot split CommonJS. What test runners need takes the package from it.
const required = await bundle({
  ...split,
  splitting: false,
  format: 'cjs',
  entryPoints: { index: 'src/index.ts', ...RUNNERS },
  plugins: [
    {
      name: 'package',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: './index.cjs', external: true })),
    },
  ],
  outExtension: { '.js': '.cjs' },
  // Jest cannot import from CommonJS.
  supported: { 'dynamic-import': false },
  define: { ...split.define, 'import.meta.url': '__here' },
  banner: { js: 'const __here = require("node:url").pathToFileURL(__filename).href;' },
});

// It imports the package and testcontainers as its users do.
const containers = await bundleBoth({
  entryPoints: { testcontainers: 'integrations/testcontainers/playmoney-container.ts' },
  external: ['playmoney', 'testcontainers'],
});

// The scripts of pages as a module, which does not need Node.
const pages = await bundleBoth({
  platform: 'browser',
  target: 'es2022',
  entryPoints: { page: 'src/pages/page.ts' },
});

// In a browser, a page as well as a service worker. It is minified, without a source map, unlike all else: a page loads it as it is, and
// readable it would be half as long again. A service worker cannot import late, so it is one file; what is long is in texts.json.
const browser = await bundle({
  platform: 'browser',
  target: 'es2022',
  minify: true,
  entryPoints: { browser: 'src/browser/browser.ts' },
  inject: ['src/browser/texts.ts'],
  alias: { yaml: './src/browser/no-yaml.ts' },
  define: { __VERSION__: JSON.stringify(version) },
});

// The worker thread needs its own bundle.
const worker = await bundle({
  entryPoints: { 'chunks/deliver-worker': 'src/node/webhooks/deliver-worker.ts' },
});

const all = [...program, ...library, ...required, ...containers, ...pages, ...browser, ...worker];
const made = new Map(all.map(({ path, contents }) => [path, contents]));
// One file for all of them: a server reads it when somebody opens a page, and a browser fetches it.
made.set(join(dist, 'texts.json'), await allTexts((metafile) => metafiles.push(metafile)));

/** Replaces a file as a whole, so that readers see either the old one or the new one. */
async function put(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, contents);
  if (path === join(dist, 'cli.js')) await chmod(draft, 0o755);
  await rename(draft, path);
}

// Entries come last, when the chunks that they import exist.
const isEntry = (path) => dirname(path) === dist;
const inOrder = [...made].toSorted(([one], [other]) => Number(isEntry(one)) - Number(isEntry(other)));
for (const [path, contents] of inOrder) await put(path, contents);
await put(join(root, 'THIRD-PARTY-LICENSES'), await licencesOf(root, packagesIn(metafiles)));

// For the test that compares them with the licences.
const option = process.argv.find((text) => text.startsWith('--metafile='));
if (option !== undefined) await writeFile(option.slice('--metafile='.length), JSON.stringify(metafiles));

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
