// Bundles the program and the package into dist/. Prints nothing on success; any error or warning fails the build.
// With --published it is as it is published: without what keeps compiled code for the next start.
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

import { browserAssets, openApiText } from './browser-assets.mjs';
import { isCodeCacheOf, withCodeCache } from './code-cache.mjs';
import { joinStartChunks } from './start-chunks.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const chunks = join(dist, 'chunks');
const cli = join(dist, 'cli.js');
const start = join(chunks, 'start.js');
const scenarios = join(dist, 'scenarios');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/**
 * zod carries the code that makes JSON Schemas with every schema: 24 kB that each start would compile, and nothing of
 * the program calls. What is published of our schemas is made from the sources.
 */
const withoutJsonSchema = {
  name: 'zod without JSON Schema',
  setup(bundling) {
    const filter = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
    bundling.onLoad({ filter }, async ({ path }) => {
      const names = (await readFile(path, 'utf8')).matchAll(
        /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm,
      );
      const lines = [...names].map(([, name, alias]) =>
        alias === undefined ? `export const ${name} = absent;` : `export { absent as ${alias} };`,
      );
      const absent =
        "const absent = () => () => { throw new Error('This build of zod makes no JSON Schemas'); };";
      return { contents: [absent, ...lines].join('\n') };
    });
  },
};

/** What people are made of, of all that faker knows in English: 60 kB of 290. A call for anything else would throw. */
const STREET = 'building_number street_address street_name street_pattern street_suffix';
const CITY = 'city_name city_pattern city_prefix city_suffix state_abbr';
const PEOPLE = {
  person: ['first_name', 'last_name', 'last_name_pattern'],
  location: `${STREET} ${CITY}`.split(' '),
};

const trimFaker = {
  name: 'trim faker',
  setup(bundling) {
    bundling.onLoad({ filter: /[\\/]@faker-js[\\/]faker[\\/]dist[\\/]en-[\w-]+\.js$/ }, async ({ path }) => {
      const [[name, english]] = Object.entries(await import(pathToFileURL(path).href));
      const kept = Object.entries(PEOPLE).map(([module, members]) => [
        module,
        Object.fromEntries(members.map((member) => [member, english[module][member]])),
      ]);
      const contents = `const kept = ${JSON.stringify(Object.fromEntries(kept))}; export { kept as ${name} };`;
      return { contents };
    });
  },
};

const DOORS = ['src/control/seldom.ts', 'src/http/seldom.ts'];

/** What few requests need, and those that do need of each other, as one lazy module in place of many files. */
const oneDoor = {
  name: 'one door',
  setup(bundling) {
    const doors = new Set(DOORS.map((path) => join(root, path)));
    bundling.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const target = join(resolveDir, path).replace(/\.js$/, '.ts');
      return kind === 'dynamic-import' && doors.has(target)
        ? { path: 'seldom', namespace: 'doors' }
        : undefined;
    });
    bundling.onLoad({ filter: /^seldom$/, namespace: 'doors' }, () => ({
      contents: DOORS.map((path) => `export * from './${path}';`).join('\n'),
      resolveDir: root,
    }));
  },
};

/**
 * Names within packages, which nobody reads in a stack trace. Those of zod and faker stay: zod's short ones keep the bundler from
 * leaving out what is not used, and faker's are short already.
 */
const shortenVendors = {
  name: 'shorten vendors',
  setup(bundling) {
    const filter = /[\\/]node_modules[\\/](?:yaml|hono|@hono|credit-card-type|currency-codes)[\\/].*\.js$/;
    bundling.onLoad({ filter }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await transform(source, { minify: true, legalComments: 'none', target: 'node20' });
      return { contents: code };
    });
  },
};

/** What vitest is given imports the package beside it, and not a second copy. */
const packageBeside = {
  name: 'package beside',
  setup(bundling) {
    bundling.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: './index.js', external: true }));
  },
};

const output = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Names stay: a stack trace that a user sends should say where it came from, and shorter ones start no faster.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};

const bundle = await build({
  ...output,
  absWorkingDir: root,
  entryPoints: { cli: 'src/node/cli/cli.ts', index: 'src/index.ts' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  // What is imported lazily stays in a chunk of its own and costs nothing at start.
  splitting: true,
  metafile: true,
  // For Node, yaml brings CommonJS, which cannot require Node's modules from within an ES module.
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  plugins: [withoutJsonSchema, trimFaker, oneDoor, shortenVendors],
  define: {
    __VERSION__: JSON.stringify(version),
    __ASSETS__: JSON.stringify(await browserAssets()),
    __OPENAPI__: JSON.stringify(await openApiText()),
  },
}).catch(() => process.exit(1)); // esbuild has printed why

// By itself: with the others it would cut the start into more files.
const vitest = await build({
  ...output,
  absWorkingDir: root,
  entryPoints: { vitest: 'src/vitest/index.ts' },
  outdir: 'dist',
  external: ['vitest'],
  plugins: [packageBeside],
}).catch(() => process.exit(1));

// What runs on a thread of its own is a program of its own, without what the rest shares.
const worker = await build({
  ...output,
  absWorkingDir: root,
  entryPoints: { 'deliver-worker': 'src/node/webhooks/deliver-worker.ts' },
  outdir: 'dist/chunks',
}).catch(() => process.exit(1));

if ([bundle, vitest, worker].some(({ warnings }) => warnings.length > 0)) process.exit(1);

await mkdir(chunks, { recursive: true });
const files = await joinStartChunks(bundle, root, {
  entries: [cli, join(dist, 'index.js')],
  esbuild: output,
});
for (const { path, text } of [...vitest.outputFiles, ...worker.outputFiles]) files.set(path, text);
if (!process.argv.includes('--published')) {
  for (const [path, text] of await withCodeCache(start, files.get(start), output)) files.set(path, text);
}
for (const [path, text] of files) {
  await writeFile(path, path === cli ? `#!/usr/bin/env node\n${text}` : text);
}
await chmod(cli, 0o755);

// Chunks carry a hash in their names: those of earlier builds would pile up and be published.
for (const name of await readdir(chunks)) {
  const path = join(chunks, name);
  if (!files.has(path) && !isCodeCacheOf(files, path)) await rm(path);
}

// The library of scenarios goes along as it is; a scenario that has gone does not stay.
await mkdir(scenarios, { recursive: true });
const library = await readdir(join(root, 'scenarios'));
for (const name of library) await copyFile(join(root, 'scenarios', name), join(scenarios, name));
for (const name of await readdir(scenarios)) if (!library.includes(name)) await rm(join(scenarios, name));
