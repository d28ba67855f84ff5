import { join } from 'node:path';

import { build } from 'esbuild';

/** In place of what the plays do not need: matchers that nothing is matched with, the sources, the schemas. */
const NOTHING = `
  exports.expect = new Proxy({}, { get: () => () => null });
  exports.requireConformity = () => {};
`;

/** A module of this folder with the plays, as the text of one module that a page or Node can load. */
export async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
    write: false,
    plugins: [
      {
        name: 'the plays alone',
        setup: (plugin) => {
          plugin.onResolve({ filter: /^vitest$|\/src\/|\/conformity\.js$/ }, ({ path }) =>
            path.endsWith('/outcomes.js') ? undefined : { path, namespace: 'nothing' },
          );
          plugin.onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: NOTHING }));
        },
      },
    ],
  });
  return outputFiles[0].text;
}
