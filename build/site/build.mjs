// Builds the manual into dist-docs/: README.md, docs/**/*.md and what they link to as pages, in the same folders as their sources,
// and the reference pages of the program. `npm run docs -- --serve` serves it and builds again after each change.
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Eleventy } from '@11ty/eleventy';
import { build } from 'esbuild';

import { licencesOf, packagesIn } from '../licences.mjs';
import { llmsText } from './llms.mjs';
import { useManualMarkdown } from './markdown.mjs';
import { inReadingOrder } from './navigation.mjs';
import { addPlayground } from './playground.mjs';
import { addProgramPages } from './program-pages.mjs';
import { sectionsOf } from './sections.mjs';

const root = dirname(dirname(import.meta.dirname));
const out = join(root, 'dist-docs');

process.chdir(root);
await rm(out, { recursive: true, force: true });
const eleventy = new Eleventy('.', 'dist-docs', { quietMode: true, config: configure });
await eleventy.init();
if (process.argv.includes('--serve')) {
  await eleventy.watch();
  await eleventy.serve(8080);
} else {
  await eleventy.write();
  process.stdout.write('The manual: dist-docs/index.html\n');
}

function configure(config) {
  config.setTemplateFormats('md');
  for (const others of ['!(README|CONTRIBUTING|SECURITY).md', '!(docs|bench)/**/*.md'])
    config.ignores.add(others);
  config.setIncludesDirectory('build/site');
  config.addWatchTarget('build/site');
  config.addPassthroughCopy('{docs,scenarios}/**/*.{svg,png,json}');
  config.amendLibrary('md', useManualMarkdown);
  config.addCollection('manual', (api) => inReadingOrder(api.getAll()));
  config.addGlobalData('layout', 'page.11ty.mjs');
  // Pages are not templates: braces stay as they are.
  config.addGlobalData('templateEngineOverride', 'md');
  // A README is the index of its folder.
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${page.filePathStem.replace(/\/README$/, '/index')}.html`,
  );
  config.on('eleventy.after', ({ results }) => addOthers(results));
}

/** Adds everything that does not come from Markdown: the program's pages, the styles, the search and its index. */
async function addOthers(results) {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: ['manual.css', 'bar.css', 'search.mjs', 'playground.css', 'playground.js'].map((name) =>
      join(import.meta.dirname, name),
    ),
    outdir: join(out, 'assets'),
    bundle: true,
    format: 'iife',
    minify: true,
    logLevel: 'warning',
  });
  await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(root, packagesIn([metafile])));
  await writeFile(join(out, 'llms.txt'), llmsText());
  await addPlayground(root, out);
  const sections = [...results, ...(await addProgramPages(root, out))].flatMap(sectionsOf);
  // A script, because a page that is opened as a file cannot read other files.
  await writeFile(
    join(out, 'assets/sections.js'),
    `globalThis.manualSections = ${JSON.stringify(sections)};\n`,
  );
}
