// The long texts of the package (src/core/texts.ts), as one file: the scripts and style sheets of pages, the OpenAPI description, names
// of people and places, and the scenarios.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { faker } from '@faker-js/faker/locale/en_US';
import { build } from 'esbuild';
import { parse } from 'yaml';

import { importBundled } from './bundled.mjs';

const ENTRIES = [
  'sdk.ts',
  'payfurl.ts',
  'checkout.ts',
  'pay.ts',
  'challenge.ts',
  'reference.ts',
  'errors.ts',
  'styles/page.css',
  'styles/reference.css',
  'dashboard/dashboard.css',
];

/** The dashboard: what it shows first, and what it loads later. What both need is in a third file, `dashboard-chunk.js`. */
const DASHBOARD = ['dashboard/dashboard.tsx', 'dashboard/dashboard-later.ts'];

const PEOPLE_SEED = 1;
/** How many first names, last names and addresses there are. */
const PEOPLE_COUNT = 500;

const root = dirname(import.meta.dirname);

/** All texts as JSON. `note` receives the metafile of esbuild. */
export async function allTexts(note = () => {}) {
  const assets = { ...(await bundled(note)), 'openapi.json': await openApiText() };
  const tagged = Object.entries(assets).map(([name, text]) => [
    name,
    {
      gzip: gzipSync(text, { level: 9 }).toString('base64'),
      bytes: Buffer.byteLength(text),
      tag: createHash('sha256').update(text).digest('hex').slice(0, 16),
    },
  ]);
  return JSON.stringify({
    assets: Object.fromEntries(tagged),
    people: peopleTexts(note),
    places: (await importBundled('build/places.ts')).PLACE_TEXTS,
    scenarios: await scenarios(),
  });
}

/** The bundled scripts and style sheets, by name. */
async function bundled(note) {
  const built = await Promise.all([
    bundle(ENTRIES, { format: 'iife' }),
    bundle(DASHBOARD, { format: 'esm', splitting: true, chunkNames: 'dashboard-[name]' }),
  ]);
  for (const { metafile } of built) note(metafile);
  const files = built.flatMap(({ outputFiles }) => outputFiles);
  return Object.fromEntries(files.map(({ path, text }) => [basename(path), text]));
}

function bundle(entries, options) {
  return build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join('src/pages', name)),
    outdir: 'assets',
    bundle: true,
    platform: 'browser',
    // The oldest browsers that support light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    ...options,
  });
}

/** The OpenAPI description that `npm run generate` wrote, on one line. */
async function openApiText() {
  return JSON.stringify(JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')));
}

/**
 * Names and addresses that faker invents, always the same, for src/app/seeding/people.ts to choose from. Faker itself is 180 kB, which a
 * page and a service worker would have to load before their first charge.
 */
function peopleTexts(note) {
  note({ outputs: { people: { inputs: { 'node_modules/@faker-js/faker/': { bytesInOutput: 1 } } } } });
  faker.seed(PEOPLE_SEED);
  const { helpers, location, person } = faker;
  return {
    firstNames: helpers.uniqueArray(() => person.firstName(), PEOPLE_COUNT),
    lastNames: helpers.uniqueArray(() => person.lastName(), PEOPLE_COUNT),
    addresses: helpers.multiple(() => inventAddress(location), { count: PEOPLE_COUNT }),
  };
}

function inventAddress(location) {
  const state = location.state({ abbreviated: true });
  return {
    line1: location.streetAddress(),
    city: location.city(),
    state,
    postalCode: location.zipCode({ state }),
  };
}

/** The definitions of the library, which a browser cannot read from files. */
async function scenarios() {
  const names = (await readdir(join(root, 'scenarios'))).filter((name) => name.endsWith('.yaml')).toSorted();
  const read = async (name) => [
    name.replace('.yaml', ''),
    parse(await readFile(join(root, 'scenarios', name), 'utf8')),
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
}
