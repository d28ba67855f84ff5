import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { allTexts } from './build/texts.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Tests that serve within their process as the program does. */
const SERVED = ['test/node/http/{faults,serve}.test.ts'];
/**
 * Tests that start programs, load a server, give every command of the manual, or try thousands of cases: each file takes more than two
 * seconds. `npm run test:slow`.
 */
const SLOW = [
  'test/{pages,version,which-failure}.test.ts',
  'test/model/**/*.test.ts',
  'test/app/{determinism,isolation,leaks,operations}.test.ts',
  'test/app/saving/{crowd,eviction}.test.ts',
  'test/client/{fetch,world}.test.ts',
  'test/control/snapshots/state.test.ts',
  'test/journal/journal.test.ts',
  'test/node/{determinism,fake-timers,start,uncaught}.test.ts',
  'test/node/{bundles,cli,doctor,exec,mcp,record,replay,terminal}/**/*.test.ts',
  'test/node/verify/command.test.ts',
  'test/node/state/{claim,damaged,full-disk}.test.ts',
  'test/node/webhooks/*.test.ts',
  'test/openapi/{document,types}.test.ts',
  'test/resources/subscriptions/many.test.ts',
  'test/scenarios/script/reach.test.ts',
  'test/specification/walk.test.ts',
  'test/sweep/{place,report}.test.ts',
];
/** Those of them that need a process of their own: they crowd a server, or measure memory. */
const CROWDED = [
  'test/hostile/**/*.test.ts',
  'test/node/http/{https,linger,one-by-one,unread-answers}.test.ts',
  'test/node/machine/memory.test.ts',
];

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
            'test/{binary,browser,cloudflare,mutation,nginx,outside,package,runtimes}/**',
            ...SWEEPS,
            ...SERVED,
            ...SLOW,
            ...CROWDED,
          ],
          isolate: false,
        },
      },
      // Processes of their own: the server replaces Response, which these can share.
      { extends: true, test: { name: 'server', include: SERVED, isolate: false } },
      { extends: true, test: { name: 'slow', include: SLOW, isolate: false } },
      { extends: true, test: { name: 'crowded', include: CROWDED } },
    ],
  },
});
