import { join } from 'node:path';

import { build } from 'esbuild';

/** In place of what the plays do not need: matchers that nothing is matched with, and a check that the tests make. */
const NOTHING = `
  exports.expect = new Proxy({}, { get: () => () => null });
  exports.requireConformity = () => {};
`;

/**
 * What the plays share with tests needs more than they do: that tests expect things, the sources, the schemas. Only the story of all
 * declines takes something from the program, their list.
 */
export const PLAYS_ALONE = {
  name: 'the plays alone',
  setup: (plugin) => {
    plugin.onResolve({ filter: /^vitest$|\/src\/|\/conformity\.js$/ }, ({ path }) =>
      path.endsWith('/outcomes.js') ? undefined : { path, namespace: 'nothing' },
    );
    plugin.onLoad({ filter: /^/, namespace: 'nothing' }, () => ({ contents: NOTHING }));
  },
};

/** Bundles a module of this folder into one file that every runtime can run, with the plays but without the tests and the program. */
export async function bundleOf(name, outfile) {
  await build({
    entryPoints: [join(import.meta.dirname, name)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [PLAYS_ALONE],
  });
  return outfile;
}
