// Writes out the types that the sources derive, then deletes the declarations that the package's entries do not use: the compiler
// writes one for every source file.
import { appendFile, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';

import { importBundled } from './bundled.mjs';

const types = fileURLToPath(new URL('../dist/types/', import.meta.url));
/** The declarations of each entry for `import`. */
const RUNNERS = ['vitest', 'jest', 'node-test', 'playwright'].map((name) => `testing/${name}.d.ts`);
const ENTRIES = ['index.d.ts', 'pages/page.d.ts', ...RUNNERS];
/** The entries that can be required, each with what it exports besides types. */
const REQUIRED = {
  'index.d.ts': ['createSandbox', 'serve', 'connect', 'SandboxError'],
  'pages/page.d.ts': ['createPayfurl', 'mountCardForm', 'tokenise', 'PlaymoneyError'],
  'testing/jest.d.ts': ['test', 'createTest'],
  'testing/node-test.d.ts': ['test', 'createTest', 'expect'],
  'testing/playwright.d.ts': ['test', 'createTest', 'expect'],
};

/** The matchers on the types of Jest: those of @types/jest, which are global, and those of its own packages. */
const ON_JEST = `
declare global {
  namespace jest {
    interface Matchers<R, T> extends SandboxMatchers<Promise<void>> {}
  }
}
// A project with @types/jest alone need not have it.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends SandboxMatchers<Promise<void>> {}
}
`;
await appendFile(join(types, 'testing/jest.d.ts'), ON_JEST);

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

/** A class is a type as well, which `export type *` would pass on if the constant did not hide it. */
const CLASSES = ['SandboxError', 'PlaymoneyError'];

// For `require`, the same types: a second copy would have classes of its own.
for (const [entry, names] of Object.entries(REQUIRED)) {
  const from = `'./${basename(entry, '.d.ts')}.js' with { 'resolution-mode': 'import' }`;
  const lines = names.flatMap((name) => [
    `export declare const ${name}: typeof required.${name};`,
    ...(CLASSES.includes(name) ? [`export type ${name} = required.${name};`] : []),
  ]);
  const text = [`import type * as required from ${from};`, `export type * from ${from};`, ...lines, ''];
  const path = join(types, entry.replace('.d.ts', '.d.cts'));
  await writeFile(path, text.join('\n'));
  reached.add(path);
}

// Declared without testcontainers, which is not installed here. Its file is the same for `import` and `require`.
const source = new URL('../integrations/testcontainers/playmoney-container.ts', import.meta.url);
const { outputText } = ts.transpileDeclaration(await readFile(source, 'utf8'), {
  compilerOptions: { isolatedDeclarations: true },
  reportDiagnostics: true,
});
for (const name of ['testcontainers.d.ts', 'testcontainers.d.cts']) {
  await writeFile(join(types, name), outputText);
  reached.add(join(types, name));
}

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
