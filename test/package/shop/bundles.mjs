// A failing run leaves a bundle. It is opened on another port, and its calls are replayed there without a difference.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { playmoney, startServer, WAYS } from './ways.mjs';

/** The shop charges an order again whose answer was lost, and the one test that is about it fails. */
const BUG = { SHOP_BUG: 'charges-twice' };

/**
 * Runs the tests with the bug. Each way leaves a bundle in its own manner: the fixtures that of the failed test, `exec` that of
 * all tests. Resolves to the run and the bundle's file.
 */
const FAILING = {
  'in process': async (project) => {
    const folder = join(project.folder, 'bundles');
    await mkdir(folder);
    const run = await WAYS['in process'](project, { ...BUG, PLAYMONEY_BUNDLES: folder });
    const files = await readdir(folder);
    return { ...run, files: files.map((name) => join(folder, name)) };
  },
  exec: async (project) => {
    const file = join(project.folder, 'failure.json');
    const run = await playmoney(project, ['exec', '--bundle', file, '--', ...project.command], BUG);
    return { ...run, files: [file] };
  },
};

export const FAILING_WAYS = Object.keys(FAILING);

/** Proves a way: the problem with it, or null, and the last line of the replay. */
export async function proveBundle(project, way) {
  const { code, output, files } = await FAILING[way](project);
  if (code === 0) return { problem: 'the tests passed with a bug', output };
  if (files.length !== 1)
    return { problem: `one test failed, but there are ${files.length} bundles`, output };
  if (!output.includes(files[0])) return { problem: `the output does not name ${files[0]}`, output };
  const server = await startServer(project, ['open', files[0]]);
  try {
    const args = ['replay', files[0], '--against', server.url, '--key', 'sk_test_replay', '--move-clock'];
    const replay = await playmoney(project, args);
    const line = replay.output.trim().split('\n').at(-1);
    return replay.code === 0
      ? { problem: null, line }
      : { problem: 'the replay differs', output: replay.output };
  } finally {
    await server.stop();
  }
}
