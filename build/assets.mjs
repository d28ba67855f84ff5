// Bundles the scripts and style sheets of pages. They become texts within the program, not files.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const ENTRIES = [
  'sdk.ts',
  'payfurl.ts',
  'checkout.ts',
  'pay.ts',
  'challenge.ts',
  'reference.ts',
  'dashboard/dashboard.tsx',
  'styles/page.css',
  'styles/reference.css',
  'dashboard/dashboard.css',
];

const root = dirname(import.meta.dirname);

/**
 * The value of `__ASSETS__`: the texts by name, such as sdk.js, each with a tag that changes with the text. It is a JSON text,
 * because the bundler would put an object into a chunk that every start loads. `note` receives the metafile of esbuild.
 */
export async function browserAssets(note = () => {}) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((name) => join('src/pages', name)),
    outdir: 'assets',
    bundle: true,
    format: 'iife',
    platform: 'browser',
    // The oldest browsers that support light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  note(metafile);
  const assets = Object.fromEntries(
    outputFiles.map(({ path, text }) => [
      basename(path),
      { text, tag: createHash('sha256').update(text).digest('hex').slice(0, 16) },
    ]),
  );
  return JSON.stringify(assets);
}

/** The value of `__OPENAPI__`: the OpenAPI description that `npm run generate` wrote, on one line. */
export async function openApiText() {
  return JSON.stringify(JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')));
}
