// Writes out the types that the sources derive, then deletes the declarations that the package's entries do not use: the compiler
// writes one for every source file.
import { readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importBundled } from './bundled.mjs';

const types = fileURLToPath(new URL('../dist/types/', import.meta.url));
const ENTRIES = ['index.d.ts', 'vitest/index.d.ts'];

const { writtenOut } = await importBundled('build/client-types.ts');
for (const name of ['client/answers.d.ts', 'client/asked.d.ts']) {
  const path = join(types, name);
  await writeFile(path, writtenOut(await readFile(path, 'utf8')));
}

const reached = new Set();
async function reach(path) {
  if (reached.has(path)) return;
  reached.add(path);
  const text = await readFile(path, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)\.js["']/g)) {
    await reach(join(dirname(path), `${name}.d.ts`));
  }
}
for (const entry of ENTRIES) await reach(join(types, entry));

const written = await readdir(types, { recursive: true, withFileTypes: true });
for (const entry of written) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !reached.has(path)) await rm(path);
}
// Deepest first, because a folder is removed once it is empty.
const folders = written
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name));
for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}
