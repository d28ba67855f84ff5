import { defineConfig } from 'vitest/config';

/** Tests in a browser, apart from the others: they need one, and the program as it is built. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/chromium.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
