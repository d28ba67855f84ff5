// Two pages of the program as files: the API reference and the error codes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bar } from './page.11ty.mjs';

const PAGES = ['reference', 'errors'];
const ASSETS = ['page.css', 'reference.css', 'reference.js', 'errors.js'];

/** Writes the pages, and returns them for the search. */
export async function addProgramPages(root, out) {
  const { createSandbox } = await import(join(root, 'dist/index.js'));
  const sandbox = createSandbox();
  const read = async (name) => (await sandbox.fetch(`http://sandbox/_sandbox/${name}`)).text();
  await mkdir(join(out, 'assets'), { recursive: true });
  for (const name of ASSETS) await writeFile(join(out, 'assets', name), await read(name));
  const pages = [];
  for (const name of PAGES)
    pages.push({ url: `/${name}.html`, content: forManual(await whole(await read(name), read)) });
  for (const { url, content } of pages) await writeFile(join(out, url), content);
  sandbox.close();
  return pages;
}

/** The page with its parts in it: a page that is opened as a file cannot load them. */
async function whole(html, read) {
  const pieces = html.split(/<p><a class="part" href="\/_sandbox\/([^"]+)">Show<\/a><\/p>/);
  const parts = pieces.map(async (piece, n) =>
    n % 2 === 0 ? piece : /<div class="about">.*<\/div>(?=<\/main>)/s.exec(await read(piece))[0],
  );
  return (await Promise.all(parts)).join('');
}

/** The page with the bar of the manual instead of links that need a server. It loads its scripts and styles from files. */
function forManual(html) {
  const load =
    '<link rel="stylesheet" href="assets/bar.css">\n<script src="assets/search.js" defer></script>';
  return html
    .replace(
      /<nav aria-label="Pages">.*?<\/nav>/s,
      bar((path) => path.slice(1)),
    )
    .replace('</head>', `${load}\n</head>`)
    .replace('"/_sandbox/openapi.json"', '"docs/openapi.json"')
    .replaceAll(/"\/_sandbox\/([\w.]+\.(?:css|js))"/g, '"assets/$1"')
    .replaceAll('href="/_sandbox/errors#', 'href="errors.html#')
    .replaceAll('href="/_sandbox/reference#', 'href="#');
}
