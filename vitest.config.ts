import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { allTexts } from './build/texts.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Tests that serve within their process as the program does. */
const SERVED = ['test/node/http/{faults,https,serve}.test.ts'];
/** Tests that measure the memory of their process. */
const MEASURED = ['test/node/machine/memory.test.ts'];

/** Thousands of runs, and runs of whole commands: `npm run test:sweep`. */
export const SWEEPS = ['test/sweep/{corpus,processes,crash-processes}.test.ts'];

/** What the build puts into the sources. */
export const define = {
  __VERSION__: JSON.stringify(version),
  __TEXTS__: JSON.stringify(await allTexts()),
};

export default defineConfig({
  define,
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Vitest leaves a core free, which of two is half of them.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    projects: [
      {
        extends: true,
        // Nothing of the sandbox is global, so its tests share their modules: loading them anew takes longer than most tests.
        test: {
          name: 'sandbox',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/{binary,browser,cloudflare,hostile,mutation,nginx,outside,package,runtimes}/**',
            ...SWEEPS,
            ...SERVED,
            ...MEASURED,
          ],
          isolate: false,
        },
      },
      // Processes of their own: the server replaces Response, which these can share.
      {
        extends: true,
        test: { name: 'server', include: ['test/hostile/**/*.test.ts', ...SERVED], isolate: false },
      },
      // And one without the garbage of other tests.
      { extends: true, test: { name: 'measured', include: MEASURED } },
    ],
  },
});
