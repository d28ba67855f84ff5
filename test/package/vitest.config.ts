import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** What is published, as others get it, and what the pages tell them to do: slow, and needs the npm registry. `npm run test:package` builds first. */
export default defineConfig({
  define,
  test: {
    include: [
      'test/package/**/*.test.ts',
      'test/node/webhooks/send.test.ts',
      'test/scenarios/file/library.test.ts',
    ],
    env: { DELIVERIES: '1000', STORY_RUNS: '20' },
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // They take times, which the others would spoil.
    fileParallelism: false,
  },
});
