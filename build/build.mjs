// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
//
// The program may be running meanwhile, and other builds too. So each file is replaced as a whole, the names of chunks contain a
// hash of their content, and chunks of earlier builds stay for a day, because a running program may still load them. With --clean,
// earlier files are deleted; the package is built like that.
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

import { licencesOf, packagesIn } from './licences.mjs';
import { common, metafiles, root, split, version, whole, worker as workerEntry } from './options.mjs';
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

// For `require`: what test runners need takes the package from its one file.
const required = await bundle({
  ...whole,
  entryPoints: { index: 'src/index.ts', ...RUNNERS },
  plugins: [
    slim,
    {
      name: 'package',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: './index.cjs', external: true })),
    },
  ],
  outExtension: { '.js': '.cjs' },
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
const noYaml = {
  name: 'no-yaml',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:yaml|\.\/yaml\.js)$/ }, () => ({ path: join(root, 'src/browser/no-yaml.ts') })),
};
const inBrowser = { platform: 'browser', target: 'es2022', minify: true };
const browser = await bundle({
  ...inBrowser,
  entryPoints: { browser: 'src/browser/browser.ts' },
  inject: ['src/browser/texts.ts'],
  plugins: [slim, noYaml],
  define: { __VERSION__: JSON.stringify(version) },
});

// For pages that only register it.
const register = await bundle({ ...inBrowser, entryPoints: { worker: 'src/browser/register.ts' } });

const worker = await bundle(workerEntry);

const all = [
  ...program,
  ...library,
  ...required,
  ...containers,
  ...pages,
  ...browser,
  ...register,
  ...worker,
];
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
