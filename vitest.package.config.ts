import { defineConfig } from 'vitest/config';

/** What is published, as others get it: slow, and needs the npm registry. `npm run test:package` builds first. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // They take times, which the others would spoil.
    fileParallelism: false,
  },
});
