import { defineConfig } from 'vitest/config';

/** The long trace on several versions of Node, in several zones and locales: apart from the others, because it takes minutes. */
export default defineConfig({
  test: { include: ['test/runtimes/matrix.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
