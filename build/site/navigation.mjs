// The order of the pages, and links between them.
import { posix } from 'node:path';

import { linkedPages } from './markdown.mjs';

const INDEX = 'docs/README.md';

/** The pages with their titles, in the order in which the index links to them, followed by those without a link. */
export function inReadingOrder(pages) {
  const byPath = new Map(pages.map((page) => [posix.normalize(page.inputPath), page]));
  const named = linkedPages(INDEX, byPath.get(INDEX).rawInput);
  for (const [path, { data, rawInput, fileSlug }] of byPath) {
    data.title = /^# (.*)$/m.exec(rawInput)?.[1].replaceAll('`', '') ?? fileSlug;
    data.isNamed = named.includes(path);
  }
  const sorted = [...byPath.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const paths = new Set([INDEX, ...named, ...sorted]);
  return [...paths].flatMap((path) => byPath.get(path) ?? []);
}

/** The pages by folder, in order. */
export function byFolder(pages) {
  const folders = new Map();
  for (const page of pages) {
    const folder = posix.dirname(posix.normalize(page.inputPath));
    folders.set(folder, [...(folders.get(folder) ?? []), page]);
  }
  return folders;
}

/** The relative link from one page to another file. It names a file, never a folder, because pages may be opened as files. */
export function wayTo(from, to) {
  return posix.relative(posix.dirname(fileOf(from)), fileOf(to));
}

function fileOf(url) {
  return url.endsWith('/') ? `${url}index.html` : url;
}
