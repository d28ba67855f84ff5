import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** Tests in a browser, apart from the others: they need one, and the program as it is built. */
export default defineConfig({
  define,
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/chromium.ts'],
    // Long enough for a busy machine: a step waits 20 s at most, and says what for.
    testTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    // A browser of its own accord loses a click or an event now and then; the report says so. What is broken fails twice.
    retry: 1,
  },
});
