// Makes the texts of THIRD-PARTY-LICENSES and sbom.cdx.json from what esbuild took into the bundles.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a package, also of one within another. */
const PACKAGE = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const LINE = '='.repeat(80);

const BEGINNING = `playmoney contains code of the packages below, under their own licences. This file is made by the build.
`;

/** The folders of the packages of which a bundle has code, such as node_modules/hono, by the metafiles of esbuild. */
export function packagesIn(metafiles) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const [folder] = bytesInOutput > 0 ? (PACKAGE.exec(input) ?? []) : [];
        if (folder !== undefined) folders.add(folder);
      }
    }
  }
  return [...folders].toSorted();
}

/** The notices of packages, whose folders are below `root`. Fails if there is no licence text of one. */
export async function licencesOf(root, folders) {
  const notices = [];
  for (const folder of folders) notices.push(await noticeOf(join(root, folder)));
  return [BEGINNING, ...notices].join(`\n${LINE}\n\n`);
}

/** A list of the packages for programs, in the form of CycloneDX. `others` are more components. It has no date, so that equal builds are equal. */
export async function sbomOf(root, folders, others = []) {
  const { name, version } = await manifestIn(root);
  const components = await Promise.all(folders.map((folder) => componentIn(join(root, folder))));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [...components, ...others],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

async function componentIn(path) {
  const { name, version, license } = await manifestIn(path);
  const [last, group] = name.split('/').toReversed();
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = [{ expression: license }];
  return { type: 'library', 'bom-ref': purl, ...(group && { group }), name: last, version, licenses, purl };
}

async function manifestIn(path) {
  return JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
}

async function noticeOf(path) {
  const { name, version, license } = await manifestIn(path);
  const files = (await readdir(path)).filter((file) => LICENCE.test(file)).toSorted();
  // A few packages name their licence, but do not contain its text.
  const paths = files.length > 0 ? files.map((file) => join(path, file)) : [ownText(name)];
  const texts = await Promise.all(paths.map((file) => readFile(file, 'utf8')));
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

/** The text that we keep for a package without one. If there is none, the build fails. */
function ownText(name) {
  return join(import.meta.dirname, 'licences', `${name.replace('/', '+')}.txt`);
}
