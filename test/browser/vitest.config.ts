import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** Tests in a browser, apart from the others: they need one, and the program as it is built. */
export default defineConfig({
  define,
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/chromium.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
