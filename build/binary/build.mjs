// Makes dist-binary/playmoney, a single executable that needs no Node: npm run binary [-- MAJOR].
//
// It is a copy of Node with the program inside, as one script with its compiled code, and with the files that the program otherwise
// finds beside itself. MAJOR is the version of Node to copy, from the registry,
// by default the one in .nvmrc, whatever runs this.
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

import { nodeOf } from '../../test/runtimes/node-of.mjs';
import { licencesOf, packagesIn, sbomOf } from '../licences.mjs';
import { slim } from '../slim.mjs';
import { allTexts } from '../texts.mjs';
import { browserProgram, common, metafiles, root, whole, worker } from '../options.mjs';

/** What Node looks for in itself. */
const BLOB = ['NODE_SEA_BLOB', 'blob', '--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
/** As a program, because it prints warnings that mean nothing. */
const POSTJECT = join(import.meta.dirname, 'node_modules/postject/dist/cli.js');

const folder = join(root, 'dist-binary');
const major = process.argv[2] ?? (await readFile(join(root, '.nvmrc'), 'utf8')).trim();
const node = await nodeOf(Number(major));
if (node === null) throw new Error(`Node ${major} cannot be had here.`);

/** Takes the modules of the executable in place of those that read files. */
const inside = {
  name: 'inside',
  setup: (plugin) =>
    plugin.onResolve({ filter: /\/machine\/shipped\.js$/ }, () => ({
      path: join(import.meta.dirname, 'shipped.ts'),
    })),
};

async function textOf(options) {
  const { outputFiles, metafile, warnings } = await build({ ...common, ...options });
  if (warnings.length > 0) process.exit(1);
  metafiles.push(metafile);
  return outputFiles[0].text;
}

async function scenarios() {
  const names = (await readdir(join(root, 'scenarios'))).filter((name) => name.endsWith('.yaml'));
  const texts = names.map(async (name) => [name, await readFile(join(root, 'scenarios', name), 'utf8')]);
  return JSON.stringify(Object.fromEntries(await Promise.all(texts)));
}

const parts = {
  'main.cjs': await textOf({ ...whole, entryPoints: ['src/node/cli/cli.ts'], plugins: [slim, inside] }),
  'worker.mjs': await textOf(worker),
  'browser.js': await textOf(browserProgram),
  'scenarios.json': await scenarios(),
  'texts.json': await allTexts((metafile) => metafiles.push(metafile)),
  'sea.json': JSON.stringify({
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: {
      browser: 'browser.js',
      worker: 'worker.mjs',
      scenarios: 'scenarios.json',
      texts: 'texts.json',
    },
  }),
};

/** How the code cache of V8 begins: what kind of file, its version, the length of the source, and V8's flags, of four bytes each. */
const HEADER_BYTES = 16;
const FLAGS_AT = 12;
const PRINT_HEADER = `new vm.Script('').createCachedData().toString('hex', 0, ${HEADER_BYTES})`;

/**
 * Notes in the code cache that it was made without flags. It was made with a fixed seed for V8's hash tables, or each build would have
 * other bytes; V8 hashes anew when it reads a cache, but refuses one that was made with other flags than its own.
 */
async function hideFlags(path, header) {
  const blob = await readFile(path);
  const at = blob.indexOf(header.subarray(0, 8));
  if (at < 0) throw new Error('The code cache has another form in this version of Node.');
  header.copy(blob, at + FLAGS_AT, FLAGS_AT);
  await writeFile(path, blob);
}

const scratch = join(folder, `.${process.pid}`);
await mkdir(scratch, { recursive: true });
try {
  for (const [name, text] of Object.entries(parts)) await writeFile(join(scratch, name), text);
  const run = (...command) => promisify(execFile)(command[0], command.slice(1), { cwd: scratch });
  await run(node, '--hash-seed=1', '--experimental-sea-config', 'sea.json');
  const { stdout: header } = await run(node, '-p', PRINT_HEADER);
  await hideFlags(join(scratch, 'blob'), Buffer.from(header, 'hex'));
  const draft = join(scratch, 'playmoney');
  await copyFile(node, draft);
  await chmod(draft, 0o755);
  await run(process.execPath, POSTJECT, draft, ...BLOB);
  const { stderr } = await run(draft, '--version');
  if (stderr !== '') throw new Error(`The executable does not start as it should: ${stderr}`);
  // As a whole, because it may be running.
  await rename(draft, join(folder, 'playmoney'));
} finally {
  await rm(scratch, { recursive: true });
}
await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
const packages = packagesIn(metafiles);
await writeFile(join(folder, 'THIRD-PARTY-LICENSES'), await licencesOf(root, packages));
const { stdout: nodeVersion } = await promisify(execFile)(node, ['-p', 'process.versions.node']);
const platform = { type: 'platform', name: 'node', version: nodeVersion.trim() };
await writeFile(join(folder, 'sbom.cdx.json'), await sbomOf(root, packages, [platform]));
