import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** The Worker of integrations/cloudflare in its runtime, which needs the npm registry once: `npm run test:cloudflare`. */
export default defineConfig({
  define,
  test: {
    include: ['test/cloudflare/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // Most of the time they wait.
    maxConcurrency: 100,
    // They take times, which the others would spoil.
    fileParallelism: false,
  },
});
