// Makes a script of what every start loads, of which the program keeps the compiled code for its next start: compiling is most
// of what a start is longer than that of an empty server. Node's own cache keeps no function that is compiled when it is
// first called, which most are.
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';

const HASH_CHARACTERS = 8;

/**
 * The files in place of the ES module at `path`: a script with its code, and a module that runs the script and exports what
 * it makes. Scripts run in the main realm: a test runner that gives each test file a realm of its own would notice, so what is
 * published stays a module.
 */
export async function withCodeCache(path, text, esbuild) {
  const options = { ...esbuild, bundle: false, stdin: { contents: text, resolveDir: dirname(path) } };
  const script = await build({ ...options, format: 'cjs', define: { 'import.meta.url': 'url$' } });
  // What a script imports by itself would need an experimental option of node:vm. No name of the program's own ends in a $.
  const body = script.outputFiles[0].text.replaceAll(/\bimport(?=\("\.)/g, 'import$$');
  const code = `(function(module,require,import$,url$){${body}\n})`;
  const { metafile } = await build({ ...options, metafile: true });
  const { exports } = Object.values(metafile.outputs)[0];
  // V8 compares no more of the source than its length, so the name tells the code.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, HASH_CHARACTERS);
  const scriptPath = path.replace(/\.js$/, `-${hash}.cjs`);
  return new Map([
    [path, loaderOf(basename(scriptPath), exports)],
    [scriptPath, code],
  ]);
}

/** Whether a file is the compiled code of one of these. */
export function isCodeCacheOf(files, path) {
  return files.has(path.replace(/(?<=\.cjs)\..*/, ''));
}

/** A name that the program exports too would be a SyntaxError at the first start, and no silent one. */
function loaderOf(script, exports) {
  return `import { createRequire as require$ } from "node:module";
const load$ = (path) => import(path);
const start$ = ${String(runScript)}(require$(import.meta.url), load$, import.meta.url, "./${script}");
export const {${exports.join(',')}} = start$;
`;
}

/**
 * Gives what a script exports. A version of Node on a kind of processor reads no compiled code but its own; the first program
 * that ends writes it, where it may. One that ran for less than a second has compiled too little of what the next needs.
 */
function runScript(require, load, url, script) {
  const { readFileSync, renameSync, writeFileSync } = require('node:fs');
  const { Script } = require('node:vm');
  const filename = require('node:url').fileURLToPath(new URL(script, url));
  const cache = `${filename}.${process.version}-${process.arch}`;
  let cachedData;
  try {
    cachedData = readFileSync(cache);
  } catch {
    // It is the first start, or the folder is not ours to write to.
  }
  const code = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
  if (code.cachedDataRejected !== false) {
    process.once('exit', () => {
      if (process.uptime() < 1) return;
      try {
        writeFileSync(`${cache}.${process.pid}`, code.createCachedData());
        renameSync(`${cache}.${process.pid}`, cache);
      } catch {
        // The next start compiles again.
      }
    });
  }
  const module = {};
  code.runInThisContext()(module, require, load, url);
  return module.exports;
}
