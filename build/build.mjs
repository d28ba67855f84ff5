// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
//
// The program may be running meanwhile, and other builds too. So each file is replaced as a whole, the names of chunks contain a
// hash of their content, and chunks of earlier builds stay for a day, because a running program may still load them. With --clean,
// earlier files are deleted; the package is built like that.
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

import { licencesOf, packagesIn, sbomOf } from './licences.mjs';
import {
  browserProgram,
  common,
  inBrowser,
  metafiles,
  root,
  split,
  whole,
  worker as workerEntry,
} from './options.mjs';
import { slim } from './slim.mjs';
import { allTexts } from './texts.mjs';

const dist = join(root, 'dist');
/** How long files of earlier builds stay. */
const KEPT_MS = 86_400_000;

/** What test runners need and can require; vitest cannot be required. */
const RUNNERS = {
  jest: 'src/testing/jest.ts',
  'node-test': 'src/testing/node-test.ts',
  playwright: 'src/testing/playwright.ts',
};

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

// Program and library are bundled separately, because no process loads both. Together they would have twice as many chunks, and each
// chunk delays a start by half a millisecond. Equal chunks, such as long texts, are still one file.
const program = await bundle({ ...split, entryPoints: { cli: 'src/node/cli/cli.ts' } });
const library = await bundle({
  ...split,
  entryPoints: { index: 'src/index.ts', vitest: 'src/testing/vitest.ts', ...RUNNERS },
});

// For `require`. esbuild cannot split CommonJS, so what the package and test runners share is one file by itself: the modules that
// src/testing imports from other rooms, each of which runs when it is first needed. Two copies would have classes and state of their own.
const isTesting = (path) => path.startsWith('src/testing/');
const { inputs } = metafiles.at(-1);
const shared = Object.keys(inputs)
  .filter(isTesting)
  .flatMap((path) => inputs[path].imports.map((imported) => imported.path))
  .filter((path, n, all) => path.startsWith('src/') && !isTesting(path) && all.indexOf(path) === n);
const forRequire = { ...whole, outExtension: { '.js': '.cjs' } };
const [sharedFile] = await bundle({
  ...forRequire,
  stdin: {
    contents: `module.exports = { ${shared.map((path, n) => `get module${n}() { return require('./${path}'); }`).join(', ')} };`,
    resolveDir: root,
  },
  entryNames: 'chunks/shared-[hash]',
});
const sharedName = `./${relative(dist, sharedFile.path)}`.replaceAll('\\', '/');
const fromShared = (source) => `module.exports = require('${sharedName}').module${shared.indexOf(source)};\n`;
const required = await bundle({
  ...forRequire,
  entryPoints: RUNNERS,
  plugins: [slim, { name: 'shared', setup: takeShared }],
});

function takeShared({ onResolve, onLoad }) {
  onResolve({ filter: /^\.\./ }, ({ path, importer }) => {
    const source = relative(root, join(dirname(importer), path))
      .replaceAll('\\', '/')
      .replace(/js$/, 'ts');
    return shared.includes(source) ? { path: source, namespace: 'shared' } : null;
  });
  onLoad({ filter: /^/, namespace: 'shared' }, ({ path }) => ({ contents: fromShared(path) }));
  onResolve({ filter: /^\.\/chunks\// }, ({ path }) => ({ path, external: true }));
}

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

const browser = await bundle(browserProgram);

// For pages that only register it.
const register = await bundle({ ...inBrowser, entryPoints: { worker: 'src/app/browser/register.ts' } });

const worker = await bundle(workerEntry);

const all = [
  ...program,
  ...library,
  sharedFile,
  ...required,
  ...containers,
  ...pages,
  ...browser,
  ...register,
  ...worker,
];
const made = new Map(all.map(({ path, contents }) => [path, contents]));
made.set(join(dist, 'index.cjs'), fromShared('src/index.ts'));
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
const packages = packagesIn(metafiles);
await put(join(root, 'THIRD-PARTY-LICENSES'), await licencesOf(root, packages));
await put(join(root, 'sbom.cdx.json'), await sbomOf(root, packages));

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
