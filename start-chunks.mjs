// Joins what every start loads into as few files as there can be. The bundler cuts a file for each set of lazy modules that
// share something, and each file costs the start a millisecond or two.
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const IMPORT = /(?<=\bimport|\bexport)(?:\{(?<names>[^{}]*)\}from)?"(?<path>\.[^"]+)";/g;

/**
 * The bundle's files with those that entries load at once joined: one file for what all entries load, one for what only some
 * of them do.
 */
export async function joinStartChunks({ outputFiles, metafile }, root, options) {
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, one]) => [join(root, path), one]));
  const loads = new Map(
    [...outputs].map(([path, { imports }]) => [
      path,
      imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((one) => join(root, one.path)),
    ]),
  );
  const groups = groupsOf([...options.entries], loads);
  const placed = new Map();
  for (const group of groups) placeExports(group, outputs, placed);
  const joined = new Map();
  for (const group of groups) joined.set(group.path, await joinGroup(group, texts, placed, options));
  for (const [path, text] of texts) {
    if (!placed.has(path)) joined.set(path, pointed(text, path, placed, null));
  }
  requireNoneLeft(joined, placed);
  return joined;
}

/** The chunks by the entries that load them: {path of the joined file, chunks}. */
function groupsOf(entries, loads) {
  const loadedBy = new Map();
  for (const entry of entries) {
    for (const path of closureOf(entry, loads)) {
      if (!entries.includes(path))
        loadedBy.set(path, [...(loadedBy.get(path) ?? []), basename(entry, '.js')]);
    }
  }
  const groups = new Map();
  for (const [path, names] of loadedBy) {
    const name = names.length === entries.length ? 'start' : `start-${names.join('-')}`;
    const group = groups.get(name) ?? { path: join(dirname(path), `${name}.js`), chunks: [] };
    group.chunks.push(path);
    groups.set(name, group);
  }
  return [...groups.values()];
}

function closureOf(path, loads, seen = new Set()) {
  // A module runs after those that it imports, and so they are listed.
  for (const next of loads.get(path) ?? []) if (!seen.has(next)) closureOf(next, loads, seen);
  return seen.add(path);
}

/** Gives each export of a group's chunks a name that is its own there. */
function placeExports(group, outputs, placed) {
  const taken = new Set();
  for (const chunk of group.chunks) {
    const names = new Map();
    for (const name of outputs.get(chunk).exports) {
      const own = taken.has(name) ? `${name}$${taken.size}` : name;
      taken.add(own);
      names.set(name, own);
    }
    placed.set(chunk, { group, names });
  }
}

async function joinGroup(group, texts, placed, { esbuild }) {
  const inGroup = new Set(group.chunks);
  const lines = group.chunks.map((chunk) => {
    const names = [...placed.get(chunk).names].map(([name, own]) => `${name} as ${own}`);
    return `export {${names.join(',')}} from ${JSON.stringify(chunk)};`;
  });
  const plugin = {
    name: 'chunks of the first pass',
    setup(bundling) {
      bundling.onResolve({ filter: /./ }, ({ path, resolveDir }) => {
        const target = join(resolveDir, path);
        if (inGroup.has(path)) return { path };
        return inGroup.has(target) ? { path: target } : { path, external: true };
      });
      bundling.onLoad({ filter: /./ }, ({ path }) => ({
        contents: pointed(texts.get(path), path, placed, group),
        resolveDir: dirname(path),
      }));
    },
  };
  const { outputFiles } = await build({
    ...esbuild,
    stdin: { contents: lines.join('\n'), resolveDir: dirname(group.path) },
    plugins: [plugin],
  });
  return outputFiles[0].text;
}

/** A text that imports from the joined files in place of the chunks; those of its own group it leaves. */
function pointed(text, path, placed, own) {
  return text.replaceAll(IMPORT, (whole, names, to) => {
    const place = placed.get(join(dirname(path), to));
    if (place === undefined || place.group === own) return whole;
    const target = `"./${path.includes('/chunks/') ? '' : 'chunks/'}${basename(place.group.path)}";`;
    if (names === undefined) return target;
    const renamed = names.split(',').map((one) => {
      const [name, alias = name] = one.split(' as ');
      return `${place.names.get(name)} as ${alias}`;
    });
    return `{${renamed.join(',')}}from${target}`;
  });
}

/** What this page does not know of the bundler's output must not pass in silence. */
function requireNoneLeft(joined, placed) {
  for (const [path, text] of joined) {
    for (const chunk of placed.keys()) {
      if (text.includes(basename(chunk))) throw new Error(`${path} still mentions ${basename(chunk)}`);
    }
  }
}
