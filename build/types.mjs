// Writes out the types that the sources derive, then deletes the declarations that the package's entries do not use: the compiler
// writes one for every source file.
import { appendFile, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';

import { importBundled } from './bundled.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const types = join(root, 'dist/types');

/** The entries of the package whose declarations the compiler writes. */
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(exports).flatMap(([name, conditions]) => {
  const declared = conditions.types ?? conditions.import?.types;
  if (declared === undefined || name === './testcontainers') return [];
  return { path: join(root, declared), isRequired: 'require' in conditions };
});

/** The matchers on the types of Jest: those of @types/jest, which are global, and those of its own packages. */
const ON_JEST = `
declare global {
  namespace jest {
    interface Matchers<R, T> extends SandboxMatchers<Promise<void>>, ReportMatchers {}
  }
}
// A project with @types/jest alone need not have it.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends SandboxMatchers<Promise<void>>, ReportMatchers {}
}
`;
await appendFile(join(types, 'testing/jest.d.ts'), ON_JEST);

const { writtenOut } = await importBundled('build/client-types.ts');
for (const name of ['client/answers.d.ts', 'client/asked.d.ts', 'client/words.d.ts']) {
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
for (const { path } of entries) await reach(path);

/** A class is a type as well, which `export type *` would pass on if the constant did not hide it. */
const CLASSES = ['SandboxError', 'PlaymoneyError'];

const EXPORTED = /^export (?:declare (?:const|function) (\w+)|\{([^}]*)\})/gm;

/** What a declaration file exports besides types. A function is declared once for each of its overloads. */
function valuesIn(declarations) {
  const names = [...declarations.matchAll(EXPORTED)].flatMap(([, name, list]) =>
    name === undefined
      ? list
          .split(',')
          .map((one) => one.trim())
          .filter(isValue)
      : [name],
  );
  return [...new Set(names)];
}

function isValue(exported) {
  return exported !== '' && !exported.startsWith('type ');
}

// For `require`, the same types: a second copy would have classes of its own.
for (const { path } of entries.filter(({ isRequired }) => isRequired)) {
  const from = `'./${basename(path, '.d.ts')}.js' with { 'resolution-mode': 'import' }`;
  const lines = valuesIn(await readFile(path, 'utf8')).flatMap((name) => [
    `export declare const ${name}: typeof required.${name};`,
    ...(CLASSES.includes(name) ? [`export type ${name} = required.${name};`] : []),
  ]);
  const text = [`import type * as required from ${from};`, `export type * from ${from};`, ...lines, ''];
  const copy = path.replace('.d.ts', '.d.cts');
  await writeFile(copy, text.join('\n'));
  reached.add(copy);
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
